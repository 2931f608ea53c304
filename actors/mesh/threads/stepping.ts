/**
 * How the threads of one job on one processor go on: compute, exchange with those above and below, then with those beside, and
 * begin the next step when all partners have spoken of this one. Nobody is told when to begin it.
 */
import type { Address, Mail } from '../../../lib/actor.ts'
import type { Run, Side } from './messages.ts'

export type Stepping = {
  readonly job: number
  readonly leader: Address
  readonly vertical: Side
  readonly horizontal: Side
  /** Done. */
  readonly step: number
  /** Nothing is begun after this one; null: there is always a next one. */
  readonly until: number | null
  /** What it does for the step after `step`; null: it has not begun it. */
  readonly doing: 'computing' | 'vertical' | 'horizontal' | 'waiting' | null
  /** The leader is finding out where all are: nothing is told of this one before it has. */
  readonly isHeld: boolean
}

/** By step how many partners have spoken of it. Of one job: what another one left is done with. */
export type Heard = { readonly job: number; readonly edges: ReadonlyMap<number, number> }

export const NOTHING_HEARD: Heard = { job: 0, edges: new Map() }

export const hearing = ({ job: of, edges: before }: Heard, job: number, step: number): Heard => {
  const edges = of === job ? before : new Map<number, number>()
  return { job, edges: new Map([...edges, [step, (edges.get(step) ?? 0) + 1]]) }
}

export const forgetting = ({ job, edges }: Heard, step: number): Heard => ({
  job,
  edges: new Map([...edges].filter(([of]) => of > step)),
})

export const starting = ({ job, from, step, until, vertical, horizontal }: Mail<Run>): Stepping => ({
  job,
  leader: from,
  step,
  until,
  vertical,
  horizontal,
  doing: null,
  isHeld: false,
})

/** Is there a step that it may begin? */
export const mayBegin = ({ doing, step, until }: Stepping): boolean =>
  doing === null && (until === null || step < until)

/** It has done all it was told to, and nobody knows yet. */
export const isThrough = ({ doing, step, until, isHeld }: Stepping): boolean =>
  doing === null && step === until && !isHeld

/** The last step that it has begun. */
export const begunBy = ({ doing, step }: Stepping): number => (doing === null ? step : step + 1)

/** Has everybody spoken of the step that it waits for? */
export const isHeard = ({ job, step, vertical, horizontal }: Stepping, { job: of, edges }: Heard): boolean => {
  const partners = vertical.partners.length + horizontal.partners.length
  return partners === (of === job ? (edges.get(step + 1) ?? 0) : 0)
}
