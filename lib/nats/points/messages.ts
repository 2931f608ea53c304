/**
 * What a run that gives out its points and the hosts that take them say to each other. JSON on these subjects:
 *
 *   bourse.work.DIGEST    an offer, as a request to the queue group: only lanes that are free listen, and one hears it
 *   bourse.free           from a lane that has begun to listen
 *   bourse.call           from a run, once a beat: who is here? Who stops hearing it lets go of the run's points
 *   bourse.over           from a run: nobody waits for its points any more
 *   bourse.here.RUN       the answer: I am, and what I am
 *   bourse.result.RUN     what came of a point, as a request: it is said again until the run has heard it
 *   bourse.host.NAME      a request to a host of that name: is there one?
 */
import type { Ending } from '../../experiment/lane.ts'
import { isMessage, isObject, isPlain, type Plain } from '../../plain.ts'

export const SUBJECTS = {
  workOf: (digest: string) => `bourse.work.${digest}`,
  free: 'bourse.free',
  call: 'bourse.call',
  over: 'bourse.over',
  hereOf: (run: string) => `bourse.here.${run}`,
  resultOf: (run: string) => `bourse.result.${run}`,
  hostOf: (name: string) => `bourse.host.${name}`,
} as const

export const QUEUE = 'hosts'

/** Between two calls. */
export const BEAT_MS = 1000
/** Who is not heard of for so many beats is gone. */
export const PATIENCE_BEATS = 5

/** The server's limit, named. */
export const tooLong = (what: string, bytes: number, limit: number): string =>
  `${what} is ${bytes} bytes long, more than the server takes (max_payload ${limit})`

/** A point of a run, by its number. */
export type Offer = {
  readonly type: 'offer'
  readonly run: string
  readonly n: number
  /** Its study: a path in the project, and the name of an export. */
  readonly path: string
  readonly export: string
  readonly point: Plain
}
/** A host, by an id of this one process; people call it by its name. */
export type Here = {
  readonly type: 'here'
  readonly host: string
  readonly name: string
  readonly digest: string
  /** Points that it runs at a time. */
  readonly lanes: number
  /** The numbers of those that it has of the run it answers. */
  readonly points: readonly number[]
}
export type Call = { readonly type: 'call'; readonly run: string; readonly digest: string }
export type Over = { readonly type: 'over'; readonly run: string }
export type Result = {
  readonly type: 'result'
  readonly run: string
  readonly n: number
  readonly host: string
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
  readonly over: (value: unknown) => value is Over
  readonly result: (value: unknown) => value is Result
}
const said = (value: unknown, type: string): value is { readonly [key: string]: unknown } =>
  isMessage(value) && value.type === type

const GUARDS: Guards = {
  offer: (value): value is Offer =>
    said(value, 'offer') &&
    text(value['run']) &&
    count(value['n']) &&
    text(value['path']) &&
    text(value['export']) &&
    isPlain(value['point']),
  here: (value): value is Here =>
    said(value, 'here') &&
    text(value['host']) &&
    text(value['name']) &&
    text(value['digest']) &&
    count(value['lanes']) &&
    Array.isArray(value['points']) &&
    value['points'].every(count),
  call: (value): value is Call => said(value, 'call') && text(value['run']) && text(value['digest']),
  over: (value): value is Over => said(value, 'over') && text(value['run']),
  result: (value): value is Result =>
    said(value, 'result') &&
    text(value['run']) &&
    count(value['n']) &&
    text(value['host']) &&
    isEnding(value['ending']),
}

export const encode = (message: Offer | Here | Call | Over | Result): string => JSON.stringify(message)

/** What was said, if it is of this type; undefined for anything else: who speaks here need not be one of us. */
export function decode<T extends keyof Guards>(
  type: T,
  data: { json(): unknown },
): Extract<Offer | Here | Call | Over | Result, { type: T }> | undefined
export function decode(type: keyof Guards, data: { json(): unknown }): unknown {
  try {
    const value = data.json()
    return GUARDS[type](value) ? value : undefined
  } catch {
    return undefined
  }
}
