/** What the allocator of FOLD knows. */
import type { Address, Mail } from '../../../../lib/actor.ts'
import { emptyFold } from '../../fold/fold.ts'
import type { Step } from '../../fold/orders.ts'
import { wholeOf } from '../../mesh.ts'
import type { Size, ToAllocator } from '../../messages.ts'
import type { Rectangle } from '../../rectangle.ts'
import { NO_TURN, type SwapDue, type Turn } from '../admission.ts'
import { read } from '../log.ts'
import type { GaveUp } from '../reports.ts'
import { firstChange, type Impatient, NO_ROUND, type Ordering } from '../round.ts'
import type { Machine, Terms } from '../terms.ts'
import type { Asked } from './queue.ts'

export type FoldInput = Terms & {
  /** Is a ring of an even number of jobs cut in two if it can be (section 5.4)? */
  readonly divides: boolean
  /** Hears how many jobs there are, when nothing is under way; null: it has no clock. */
  readonly clock: Address | null
}

/** `fold` is as the jobs have reported it. */
export interface FoldBook extends Omit<FoldInput, 'records'>, Machine, Asked, Turn, Ordering {
  /** What is ordered, and what comes after it. */
  readonly steps: readonly Step[]
  /** It is to be asked who has what. */
  readonly isInDoubt: boolean
}

/** For whoever folds a run: this is so, and nothing is under way. Rings, and the jobs of each, in their order. */
export type RingFact = {
  readonly type: 'ring'
  readonly area: Rectangle
  readonly level: number
  readonly rings: readonly (readonly { readonly job: Address; readonly size: Size; readonly partition: Rectangle }[])[]
}

export type FoldFact =
  | RingFact
  | GaveUp
  /** It asks all what they have. */
  | { readonly type: 'asked' }
  /** They go on from where they are, or are all put anew. */
  | { readonly type: 'planned'; readonly isAnew: boolean }

export type FoldEvent = Mail<ToAllocator> | Impatient | SwapDue | { type: 'loaded' }

/** Of a new incarnation. */
export function opened({ records = [], ...input }: FoldInput): FoldBook {
  const { members, down, lives } = read(records)
  return {
    ...input,
    ...NO_TURN,
    members,
    down,
    change: firstChange(lives),
    round: NO_ROUND,
    fold: emptyFold(wholeOf(input.mesh)),
    requests: [],
    coming: new Map(),
    leaver: null,
    steps: [],
    isInDoubt: false,
  }
}
