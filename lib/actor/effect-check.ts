/** Checks the actions that a machine asks for and makes effects of them. A machine that asks for anything else fails its step. */

import { fileURLToPath } from 'node:url'
import { isGroup } from '../core/address.ts'
import { requireChoice, requireTime } from '../core/check-options.ts'
import { isMessage, isObject, isOfRuntime, isPlain, isReserved, type Message, requirePlain } from '../core/data.ts'
import { shown } from '../core/thrown.ts'
import { isTime, isTimerKind, TIMER_KINDS } from '../core/time.ts'
import type { Call, Effect, Request } from './effect.ts'

/**
 * Makes an effect of an action whose parameters are sound; undefined for any other value.
 *
 * Each field of the action is read once, so that a getter gives every engine the same effect. The checks are written by
 * hand for that reason, and because they run for each effect of every step.
 */
export function soundEffect(action: unknown): Effect | undefined {
  if (!isObject(action)) return undefined
  const { type, params } = action
  if (type === 'persist' || type === 'snapshot') return isPlain(params) ? { type, params } : undefined
  if (!isObject(params)) return undefined
  switch (type) {
    case 'tell': {
      const { to, message } = params
      return typeof to === 'string' && isSendable(message) ? { type, params: { to, message } } : undefined
    }
    case 'ask': {
      const { id, to, message, deadline } = params
      const isSound = isOwnId(id) && isTime(deadline) && isSendable(message)
      return isSound && isOne(to) ? { type, params: { id, to, message, deadline } } : undefined
    }
    case 'answer': {
      const { message } = params
      const request = soundRequest(params['request'])
      return request && isSendable(message) ? { type, params: { request, message } } : undefined
    }
    case 'refuse': {
      const { reason } = params
      const request = soundRequest(params['request'])
      return request && typeof reason === 'string' ? { type, params: { request, reason } } : undefined
    }
    case 'receiveTimeout': {
      const { after } = params
      if (after === null) return { type, params: { after } }
      const { delay, event } = isObject(after) ? after : {}
      return isTime(delay) && isSendable(event) ? { type, params: { after: { delay, event } } } : undefined
    }
    case 'defer':
      return params['until'] === 'state changes' ? { type, params: { until: 'state changes' } } : undefined
    case 'timer': {
      const { id, delay, event, kind } = params
      const isSound = isOwnId(id) && isTime(delay) && isSendable(event) && isTimerKind(kind)
      return isSound ? { type, params: { id, delay, event, kind } } : undefined
    }
    case 'compute': {
      const { id } = params
      const call = soundCall(params['call'])
      return isOwnId(id) && call ? { type, params: { id, call } } : undefined
    }
    case 'cancel': {
      const { id } = params
      return isOwnId(id) ? { type, params: { id } } : undefined
    }
    case 'enter': {
      const { chart, key, state } = params
      const isSound = typeof chart === 'string' && (typeof key === 'string' || typeof key === 'number')
      return isSound && typeof state === 'string' ? { type, params: { chart, key, state } } : undefined
    }
    case 'spawn': {
      const { address, module, input, options } = params
      const isSound = typeof address === 'string' && isFileUrl(module) && isPlain(input) && isPlain(options)
      return isSound ? { type, params: { address, module, input, options } } : undefined
    }
    case 'watch': {
      const { address, delay } = params
      return isOne(address) && isTime(delay) ? { type, params: { address, delay } } : undefined
    }
    case 'stop':
    case 'restart':
    case 'unwatch': {
      const { address } = params
      return typeof address === 'string' ? { type, params: { address } } : undefined
    }
    case 'observe':
      return isRecord(params) ? { type, params } : undefined
    default:
      return undefined
  }
}

/**
 * Makes an effect of an action that XState resolved; undefined for an action that has nothing to do after the step.
 *
 * @throws OutOfRange that says what is wrong with a timer's delay or kind, TypeError for anything else
 */
export function toEffect(action: unknown): Effect | undefined {
  const effect = soundEffect(action)
  if (effect) return effect
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
      // XState's delayed transitions raise events of reserved types.
      if (isTime(delay) && isRecord(event) && (typeof id !== 'string' || isOwnId(id))) {
        const timer = { id: typeof id === 'string' ? id : event.type, delay, event, kind: 'protocol' } as const
        return { type: 'timer', params: timer }
      }
      if (isRecord(event)) requireTime(`${raiserOf(event.type)}: the delay`, delay)
    }
    if (type === 'xstate.cancel' && typeof params['sendId'] === 'string') {
      return { type: 'cancel', params: { id: params['sendId'] } }
    }
  }
  if (type === 'persist' || type === 'snapshot') requirePlain('record', params)
  throw new TypeError(
    `the machine asked for an effect this runtime does not know, or with wrong params: ${shown(type)} ${shown(params)}`,
  )
}

/** The delay of `after`, as it is written, in the type of the event that XState raises for it; undefined for another type. */
export const afterIn = (type: string): string | undefined => /^xstate\.after\.(.*?)\.[^\d]/.exec(type)?.[1]

function raiserOf(type: string): string {
  const delay = afterIn(type)
  return delay === undefined ? `raise of '${type}'` : `\`after ${delay}\``
}

/** Says whether a value is a message and no array: an array would travel without its field `type`. */
const isRecord = (value: unknown): value is Message => isMessage(value) && !Array.isArray(value)

const isSendable = (value: unknown): value is Message => isRecord(value) && !isReserved(value.type)

/** Says whether an author may give a timer, a computation or an ask this id. */
const isOwnId = (id: unknown): id is string => typeof id === 'string' && !isOfRuntime(id)

function isFileUrl(module: unknown): module is string {
  if (typeof module !== 'string') return false
  try {
    fileURLToPath(module)
    return true
  } catch {
    return false
  }
}

/** Says whether an address is that of one actor, not of a group or of the system, which answers nothing. */
const isOne = (to: unknown): to is string => typeof to === 'string' && !isGroup(to) && to !== 'system'

function soundRequest(value: unknown): Request | undefined {
  if (!isObject(value)) return undefined
  const { from, incarnation, id, n } = value
  const isSound = typeof from === 'string' && typeof id === 'string' && isTime(incarnation) && isTime(n)
  return isSound ? { from, incarnation, id, n } : undefined
}

function soundCall(value: unknown): Call | undefined {
  if (!isObject(value)) return undefined
  const { module, export: name, args } = value
  const isSound = typeof module === 'string' && typeof name === 'string' && isPlainList(args)
  return isSound ? { module, export: name, args } : undefined
}

const isPlainList = (value: unknown): value is Call['args'] => Array.isArray(value) && isPlain(value)
