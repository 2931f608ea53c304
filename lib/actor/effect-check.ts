/** Actions as an engine resolved them, as effects: what a machine may not ask for is refused in the step that does. */

import { requireChoice, requireTime } from '../core/check-options.ts'
import { isMessage, isObject, isPlain, isReserved, type Message, requirePlain } from '../core/data.ts'
import { shown } from '../core/thrown.ts'
import { isTime, isTimerKind, TIMER_KINDS } from '../core/time.ts'
import type { Call, Effect, Timer } from './effect.ts'

type Fields = { readonly [key: string]: unknown }

/** Says whether an action is an effect whose parameters are sound. */
export function isEffect(action: unknown): action is Effect {
  if (!isObject(action)) return false
  const { type, params } = action
  if (type === 'persist') return isPlain(params)
  if (!isObject(params)) return false
  switch (type) {
    case 'tell':
      return isTell(params)
    case 'timer':
      return isTimer(params) && !isReserved(params.event.type)
    case 'compute':
      return isComputation(params)
    case 'cancel':
      return typeof params['id'] === 'string'
    case 'observe':
      return isRecord(params)
    default:
      return false
  }
}

/**
 * The effect; undefined for an action that is over once the step is.
 *
 * @throws RangeError that says what is wrong with a timer's delay or kind, TypeError for anything else
 */
export function toEffect(action: unknown): Effect | undefined {
  if (isEffect(action)) return action
  const { type, params } = isObject(action) ? action : { type: action, params: undefined }
  if (isObject(params)) {
    const { id, delay, event } = params
    if (type === 'timer' && params['kind'] === undefined)
      return toEffect({ type, params: { ...params, kind: 'protocol' } })
    if (type === 'compute' && isObject(params['call'])) requirePlain('call.args', params['call']['args'])
    if (type === 'timer') {
      requireTime(`timer ${String(id)}: the delay`, delay)
      requireChoice(`timer ${String(id)}: the kind`, params['kind'], TIMER_KINDS)
    }
    if (type === 'xstate.raise') {
      if (delay === undefined) return undefined
      if (isMessage(event)) {
        const raised = { id: typeof id === 'string' ? id : event.type, delay, event, kind: 'protocol' }
        if (isTimer(raised)) return { type: 'timer', params: raised }
      }
    }
    if (type === 'xstate.cancel' && typeof params['sendId'] === 'string') {
      return { type: 'cancel', params: { id: params['sendId'] } }
    }
  }
  if (type === 'persist') requirePlain('record', params)
  throw new TypeError(
    `the machine asked for an effect this runtime does not know, or with wrong params: ${shown(type)} ${shown(params)}`,
  )
}

/** A list with a type would travel as a list, and lose it. */
const isRecord = (value: unknown): value is Message => isMessage(value) && !Array.isArray(value)

const isTell = ({ to, message }: Fields): boolean =>
  typeof to === 'string' && isRecord(message) && !isReserved(message.type)

const isTimer = (params: Fields): params is Fields & Timer => {
  const { id, delay, event, kind } = params
  return typeof id === 'string' && isTime(delay) && isRecord(event) && isTimerKind(kind)
}

const isComputation = ({ id, call }: Fields): boolean => typeof id === 'string' && isCall(call)

const isCall = (value: unknown): value is Call =>
  isObject(value) &&
  typeof value['module'] === 'string' &&
  typeof value['export'] === 'string' &&
  Array.isArray(value['args']) &&
  isPlain(value['args'])
