/**
 * A run as lines: one JSON record for each event that the system read from its inbox or caused itself. Times are in
 * millionths. The lines of one actor are in the order of its steps, and no line comes before that of its cause.
 *
 * Together they have all that a replay needs: how each incarnation was spawned (`spawn`) and started (`begin`), its events
 * with their times, and the network's decisions on its messages.
 */

import type { SystemOrder } from '../actor/effect.ts'
import { contentsOf, isLetter, type Letter } from '../actor/requests.ts'
import type {
  Control,
  CopyOutcome,
  EnvelopeId,
  Handled,
  InboxItem,
  Send,
  StepRecord,
  WireEvent,
} from '../actor/step-report.ts'
import { nameOfModule } from '../core/code-registry.ts'
import type { Message, Plain } from '../core/data.ts'
import { FieldError, messageIn } from '../core/decode.ts'
import { LOST_REASONS } from '../memory/envelope.ts'
import { bytesRead, withAllBytes, withShortBytes } from './bytes.ts'

/** The version of the format; it grows with every change that older readers cannot read, words of the lines included. */
export const TRACE_VERSION = 5

/** One record of a trace; `t` says what it is. */
export type Line = { readonly t: string } & { readonly [key: string]: Plain | undefined }

/** Whether a line is the first of a step; the others of the step follow it. */
export const beginsStep = ({ t, who }: Line): boolean =>
  t === 'start' || t === 'timer' || (t === 'deliver' && who !== 'system')

/** An incarnation, as far as its trace tells of it. */
export interface Born {
  readonly slot: number
  readonly incarnation: number
  readonly address: string
  /** The file URL of its module. */
  readonly module: string
  readonly input: Plain
  /** The address of its parent; absent for an actor that no actor spawned. */
  readonly parent?: string | undefined
}

type Told = Extract<Control, { type: 'start' }>
type Computed = Extract<Control, { type: 'computed' }>

/** The name of an envelope: `slot.incarnation.seq`. */
const name = (id: EnvelopeId | null): string | null => (id === null ? null : id.join('.'))

export function linesOf(item: InboxItem, nameOf: (slot: number) => string): Line[] {
  const { what, sentAt: at } = item
  const who = nameOf(item.id[0])
  switch (what.type) {
    case 'mail':
      return [
        {
          t: 'deliver',
          at: item.due,
          who: 'system',
          id: name(item.id),
          from: who,
          type: contentsOf(what.message).type,
        },
      ]
    case 'dead letter':
      return [dead(item.id, who, nameOf(item.to), contentsOf(what.message), what.reason)]
    case 'dead':
      return [dead(what.id, nameOf(what.id[0]), who, contentsOf(what.message), what.lost)]
    case 'step':
      return step(what, at, who, item.cause)
    case 'wire':
      return what.events.map((event) => wire(event, at, who))
    case 'news':
      return [{ t: what.what, at, who, address: what.address, order: name(what.order) }]
    case 'unknown type':
    case 'misaddressed':
      return []
  }
}

/** A message that nothing comes of; `lost` is a LOST_* code. */
export const dead = (
  id: EnvelopeId,
  from: string,
  to: string,
  { type }: Pick<Message, 'type'>,
  lost: number,
): Line => ({
  t: 'dead',
  id: name(id),
  from,
  to,
  type,
  reason: LOST_REASONS[lost] ?? '',
})

/** What the line of a send says of a letter: the request that it makes, answers or refuses. */
const requestIn = (message: Message) => (isLetter(message) ? { [REQUEST_FIELDS[message.type]]: message.request } : {})

/** The field that names the request, by the type of a letter. */
const REQUEST_FIELDS: { readonly [K in Letter['type']]: string } = {
  'bourse.ask': 'asks',
  'bourse.answer': 'answers',
  'bourse.refusal': 'refuses',
}

/** The message of a send as it travels, but for bytes: the reverse of what `linesOf` says of it. */
export function letterIn(line: Line): Message {
  const message = messageIn(line, 'message')
  for (const [type, field] of Object.entries(REQUEST_FIELDS)) {
    const request = line[field]
    if (request !== undefined) {
      const letter = { type, request, ...(type === 'bourse.refusal' ? { reason: message['reason'] } : { message }) }
      if (isLetter(letter)) return letter
      throw FieldError.invalid(field, 'the name of a request', request)
    }
  }
  return message
}

function step(record: StepRecord, at: number, who: string, cause: EnvelopeId | null): Line[] {
  const lines: Line[] = []
  if (record.on) lines.push({ ...handled(record.on, at, who), ...(record.skew && { skew: record.skew }) })
  if (record.unhandled !== undefined) lines.push({ t: 'unhandled', at, who, type: record.unhandled })
  for (const sent of record.sends ?? []) lines.push(...send(sent, at, who, cause))
  if (record.state !== undefined) lines.push({ t: 'state', at, who, value: record.state })
  for (const { chart, key, state } of record.entered ?? []) lines.push({ t: 'entered', at, who, chart, key, state })
  for (const fact of record.facts ?? []) lines.push({ t: 'fact', at, who, fact: withShortBytes(fact) })
  for (const order of record.computations ?? []) {
    if ('end' in order) lines.push({ t: 'end computation', at, who, id: order.end })
    else lines.push({ t: 'compute', at, who, id: order.begin, call: withShortBytes(order.call) })
  }
  for (const [i, kept] of (record.records ?? []).entries()) {
    const isSnapshot = i === 0 && record.isSnapshot
    lines.push({ t: 'persist', at, who, record: withShortBytes(kept), ...(isSnapshot && { snapshot: true }) })
  }
  for (const order of record.orders ?? []) lines.push(ordered(order, at, who))
  if (record.deferred) lines.push({ t: 'deferred', at, who, id: name(record.deferred.id) })
  if (record.stopped) lines.push({ t: 'stopped', at, who })
  if (record.crash) lines.push({ t: 'crash', at, who, error: record.crash.name, message: record.crash.message })
  return lines
}

function ordered(order: SystemOrder, at: number, who: string): Line {
  if (order.type !== 'spawn') return { t: 'order', at, who, order: order.type, ...order.params }
  const { address, module, input, options } = order.params
  return {
    t: 'order',
    at,
    who,
    order: order.type,
    address,
    module: nameOfModule(module),
    input: withShortBytes(input),
    options,
  }
}

function handled(on: Handled, at: number, who: string): Line {
  if ('mail' in on) return { t: 'deliver', at, who, id: name(on.mail), type: on.type, ...(on.again && { again: true }) }
  if ('timer' in on) {
    const { timer, n, kind, event, cause } = on
    return { t: 'timer', at, who, id: timer, n, kind, event: withShortBytes(event), cause: name(cause) }
  }
  return { t: 'start', at, who, urgent: on.urgent }
}

/** A message of the system to an actor's machine. */
export const posted = (id: EnvelopeId, to: string, message: Message, at: number, due: number): Line[] =>
  send({ id, to, message, due }, at, 'system', null)

/** An incarnation begins, whose thread is yet to start. */
export const spawned = ({ slot, incarnation, address: who, module, input, parent }: Born, at: number): Line => ({
  t: 'spawn',
  at,
  who,
  slot,
  life: incarnation,
  module: nameOfModule(module),
  input: withAllBytes(input),
  ...(parent !== undefined && { parent }),
})

/** The records that earlier runs on the same log have left of an address. It comes before the address is spawned. */
export const recovered = (who: string, records: readonly Plain[], at: number): Line => ({
  t: 'recovered',
  at,
  who,
  records: withAllBytes(records),
})

/** The records in a line `recovered`. */
export function recordsIn({ records }: Line): readonly Plain[] {
  const list = bytesRead(records ?? null)
  if (!isPlainList(list)) throw FieldError.invalid('records', 'a list', records)
  return list
}

const isPlainList = (value: Plain): value is readonly Plain[] => Array.isArray(value)

/**
 * The order `id` tells an incarnation to start. It knows the actors in slots 1 to `slots` but those that have stopped;
 * `records` is the number of records of earlier incarnations that it gets back.
 */
export const begun = (id: EnvelopeId, who: string, at: number, told: Told): Line => ({
  t: 'begin',
  at,
  who,
  id: name(id),
  slots: told.slots,
  stopped: told.stopped,
  records: told.records.length,
})

/** A computation has ended by itself, which its actor is told by the order `id`. */
export const computed = (id: EnvelopeId, who: string, at: number, { id: of, n, outcome, took }: Computed): Line => ({
  t: 'computed',
  at,
  who,
  id: of,
  n,
  took,
  order: name(id),
  outcome: withAllBytes(outcome),
})

const reasonOf = (lost: number | undefined): string | undefined => (lost === undefined ? undefined : LOST_REASONS[lost])

function send(sent: Send, at: number, from: string, cause: EnvelopeId | null): Line[] {
  const { id, to, message, due, lost, missed, copyOf } = sent
  const way = { due, missed: reasonOf(missed), ...(copyOf && { copyOf: name(copyOf) }) }
  const contents = contentsOf(message)
  const shown = from === 'system' ? withAllBytes(contents) : withShortBytes(contents)
  const line = {
    t: 'send',
    at,
    id: name(id),
    from,
    to,
    cause: name(cause),
    ...way,
    ...requestIn(message),
    message: shown,
  }
  return lost === undefined ? [line] : [line, dead(id, from, to, contents, lost)]
}

const passing = (passage: CopyOutcome) =>
  'due' in passage ? { due: passage.due } : { missed: LOST_REASONS[passage.missed] ?? '' }

/** The acts of reliable delivery; none of these lines is a step or a message of an actor. */
function wire(event: WireEvent, at: number, who: string): Line {
  switch (event.type) {
    case 'copy': {
      const { id, to, attempt } = event
      return { t: 'copy', at, id: name(id), from: who, to, attempt, ...passing(event) }
    }
    case 'receipt': {
      const { to, receipt } = event
      if (receipt.type === 'refusal') {
        const reason = LOST_REASONS[receipt.lost] ?? ''
        return { t: 'refusal', at, from: who, to, incarnation: receipt.incarnation, reason, ...passing(event) }
      }
      const { incarnation, upTo, held } = receipt
      return { t: 'ack', at, from: who, to, incarnation, upTo, held, ...passing(event) }
    }
    case 'held':
    case 'suppressed':
      return { t: event.type, at, who, id: name(event.id) }
    case 'lost': {
      const { id, to, message, lost } = event
      return dead(id, who, to, contentsOf(message), lost)
    }
  }
}
