/**
 * What the employers of processors have in common, such as the scheduler of a parallel machine or a site of a market. An
 * employer numbers its processors from 0. It probes those at work, and takes one that stays silent for dead.
 */
import {
  type Address,
  type FailureDetector,
  heardOf,
  probed,
  type Ref,
  type Time,
  type Turn,
  tell,
} from '../../lib/actor.ts'
import type { Attempt, Probe, ToProcessor } from './messages.ts'

/** How actors guard against deaths and lost mail. */
export type Caution = {
  /** How long an answer may take until the message is repeated or the other actor given up; null: for ever. */
  readonly patience: Time | null
}

/** The part of an employer's context that is about its processors. */
export interface Employer {
  readonly terms: { readonly processors: readonly Ref<ToProcessor>[] }
  /** The processors that are lost. */
  readonly book: { readonly down: readonly number[] }
  /** Watches the processors at work. */
  readonly detector: FailureDetector<number>
}

/** The probe of a lost processor, which should run nothing. */
const PROBE_OF_LOST: Probe = { type: 'probe', task: -1, attempt: 0 }

export function toProcessor(it: Turn<Employer>, place: number, message: ToProcessor): void {
  const to = it.context.terms.processors[place]
  if (to !== undefined) it.do(tell(to, message))
}

/** The processors that are neither taken nor lost, in order. */
export function idleOf({ terms, book }: Employer, taken: Iterable<number>): number[] {
  const isTaken: boolean[] = new Array(terms.processors.length).fill(false)
  for (const place of taken) isTaken[place] = true
  for (const place of book.down) isTaken[place] = true
  const idle: number[] = []
  for (const [place, taken] of isTaken.entries()) if (!taken) idle.push(place)
  return idle
}

/** Probes the processors that should run these attempts, and the lost ones, which may be back. */
export function probe(it: Turn<Employer>, atWork: readonly (readonly [place: number, attempt: Attempt])[]): void {
  const { book, detector } = it.context
  for (const [place, { task, attempt }] of atWork) toProcessor(it, place, { type: 'probe', task, attempt })
  for (const place of book.down) toProcessor(it, place, PROBE_OF_LOST)
  it.context.detector = probed(
    detector,
    atWork.map(([place]) => place),
  )
}

/**
 * Handles a message of a processor, which shows that the processor is alive. One that was lost is reset first, because other
 * processors may run its task by now.
 *
 * @param found happens if the processor was lost
 */
export function fromProcessor(
  it: Turn<Employer>,
  from: Address,
  found: (place: number) => void,
  happens: (place: number) => void,
): void {
  const { terms, book, detector } = it.context
  const processors: readonly Address[] = terms.processors
  const place = processors.indexOf(from)
  if (place < 0) return
  it.context.detector = heardOf(detector, place)
  if (book.down.includes(place)) {
    found(place)
    toProcessor(it, place, { type: 'reset' })
  }
  happens(place)
}
