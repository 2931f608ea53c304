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

/** Between two calls. */
export const BEAT_MS = 1000
/** Who is not heard of for so many beats is gone. */
export const PATIENCE_BEATS = 5

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
    /** How many points it runs at a time. */
    lanes: count,
    /** How many of its lanes are idle. */
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
