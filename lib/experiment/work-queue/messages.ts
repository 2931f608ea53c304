/**
 * The messages between a run that distributes its points and the hosts that run them: sealed JSON (see `Channel`) on the
 * subjects below. The name of a run is its id, the name of a host the id of its process. The sender of a message is the process
 * that sealed it.
 *
 *   bourse.call           the heartbeat of a run, which every host answers. A host that misses it drops the run's points
 *   bourse.here.RUN       the answer of a host
 *   bourse.work.HOST      a request of a run: it offers a point. The answer is that of a call
 *   bourse.free           a host reports that one of its lanes is idle
 *   bourse.result.RUN     the result of a point, as a request: it is repeated until the run acknowledges it
 *   bourse.over           a run has ended and wants no more results
 */

import * as v from 'valibot'
import { isPlain, type Plain } from '../../core/data.ts'

export const SUBJECTS = {
  call: 'bourse.call',
  hereOf: (run: string) => `bourse.here.${run}`,
  workOf: (host: string) => `bourse.work.${host}`,
  free: 'bourse.free',
  resultOf: (run: string) => `bourse.result.${run}`,
  over: 'bourse.over',
} as const

/** Milliseconds between two calls of a run. */
export const WORKER_HEARTBEAT_MS = 1000
/** A run or host that was not heard for more heartbeats has failed. */
export const PATIENCE = 5

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const text = v.pipe(v.string(), v.nonEmpty())
const plain = v.custom<Plain>(isPlain)

const MESSAGES = {
  /** A run offers a point to a host. */
  offer: v.object({
    type: v.literal('offer'),
    /** The number of the point. */
    n: count,
    /** The module's name of the registered study. */
    module: text,
    /** The name of the export. */
    export: text,
    point: plain,
  }),
  /** A host describes itself, and which points it has of the run that it answers. */
  here: v.object({
    type: v.literal('here'),
    name: text,
    digest: text,
    /** The number of points that it runs at the same time. */
    lanes: count,
    /** The number of its idle lanes. */
    free: count,
    /** The numbers of the run's points that it has. */
    points: v.pipe(v.array(count), v.readonly()),
  }),
  /** A run asks which hosts are there. */
  call: v.object({ type: v.literal('call'), digest: text }),
  /** A host reports the outcome of a point, or that it cannot run the study at all (`refused`). */
  result: v.object({
    type: v.literal('result'),
    n: count,
    ending: v.union([v.object({ result: plain }), v.object({ message: text }), v.object({ refused: text })]),
  }),
}
type Messages = { readonly [T in keyof typeof MESSAGES]: v.InferOutput<(typeof MESSAGES)[T]> }
export type Offer = Messages['offer']
export type Here = Messages['here']
export type Result = Messages['result']

export const encode = (message: Messages[keyof Messages]): Uint8Array => Buffer.from(JSON.stringify(message))

// typed by key, so that a type and its schema stay together
const SCHEMAS: { readonly [T in keyof Messages]: v.GenericSchema<unknown, Messages[T]> } = MESSAGES

/** The message of this type in a body; undefined for any other bytes. */
export function decode<T extends keyof Messages>(type: T, body: Uint8Array): Messages[T] | undefined {
  const json = v.pipe(v.string(), v.parseJson(), SCHEMAS[type])
  const { success, output } = v.safeParse(json, Buffer.from(body).toString('utf8'), { abortEarly: true })
  return success ? output : undefined
}
