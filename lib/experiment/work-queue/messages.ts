/**
 * What a run that gives out its points and the hosts that take them say to each other: sealed JSON (see `Channel`) on these
 * subjects. A run is named by its id, a host by the id of its process; a message is of whoever has sealed it.
 *
 *   bourse.call           from a run, once a beat: who is here? A host that stops hearing it lets go of the run's points
 *   bourse.here.RUN       the answer of a host
 *   bourse.work.HOST      a request of a run: will you run this point? The answer is that of a call
 *   bourse.free           from a host: one of its lanes has become free
 *   bourse.result.RUN     what came of a point, as a request: it is said again until the run has heard it
 *   bourse.over           from a run: nobody waits for its points any more
 */

import { isMessage, isObject, isPlain, type Plain } from '../../core/data.ts'
import type { Ending } from '../worker-process.ts'

export const SUBJECTS = {
  call: 'bourse.call',
  hereOf: (run: string) => `bourse.here.${run}`,
  workOf: (host: string) => `bourse.work.${host}`,
  free: 'bourse.free',
  resultOf: (run: string) => `bourse.result.${run}`,
  over: 'bourse.over',
} as const

/** Between two calls. */
export const BEAT_MS = 1000
/** Who is not heard of for so many beats is gone. */
export const PATIENCE_BEATS = 5

/** A point of a run, by its number. */
export type Offer = {
  readonly type: 'offer'
  readonly n: number
  /** Its registered study: the module's name, and the name of the export. */
  readonly module: string
  readonly export: string
  readonly point: Plain
}
/** What a host is, and what it has of the run that it answers. */
export type Here = {
  readonly type: 'here'
  readonly name: string
  readonly digest: string
  /** Points that it runs at a time. */
  readonly lanes: number
  /** Lanes that have nothing to do. */
  readonly free: number
  /** The numbers of the run's points that it has. */
  readonly points: readonly number[]
}
export type Call = { readonly type: 'call'; readonly digest: string }
export type Result = {
  readonly type: 'result'
  readonly n: number
  /** Or the study cannot be run at all. */
  readonly ending: Ending | { readonly refused: string }
}

const text = (value: unknown): value is string => typeof value === 'string' && value !== ''
const count = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isEnding = (value: unknown): value is Result['ending'] =>
  isObject(value) && (isPlain(value['result']) || text(value['message']) || text(value['refused']))

type Guards = {
  readonly offer: (value: unknown) => value is Offer
  readonly here: (value: unknown) => value is Here
  readonly call: (value: unknown) => value is Call
  readonly result: (value: unknown) => value is Result
}
const said = (value: unknown, type: string): value is { readonly [key: string]: unknown } =>
  isMessage(value) && value.type === type

const GUARDS: Guards = {
  offer: (value): value is Offer =>
    said(value, 'offer') &&
    count(value['n']) &&
    text(value['module']) &&
    text(value['export']) &&
    isPlain(value['point']),
  here: (value): value is Here =>
    said(value, 'here') &&
    text(value['name']) &&
    text(value['digest']) &&
    count(value['lanes']) &&
    count(value['free']) &&
    Array.isArray(value['points']) &&
    value['points'].every(count),
  call: (value): value is Call => said(value, 'call') && text(value['digest']),
  result: (value): value is Result => said(value, 'result') && count(value['n']) && isEnding(value['ending']),
}

export const encode = (message: Offer | Here | Call | Result): Uint8Array => Buffer.from(JSON.stringify(message))

/** What was said, if it is of this type; undefined for anything else. */
export function decode<T extends keyof Guards>(
  type: T,
  body: Uint8Array,
): Extract<Offer | Here | Call | Result, { type: T }> | undefined
export function decode(type: keyof Guards, body: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return GUARDS[type](value) ? value : undefined
  } catch {
    return undefined
  }
}
