/**
 * Confirmation: the check that processes are where a placer has put them. A process is confirmed when its processor
 * says so, right after it was submitted. A processor that does not answer is passed over: the process goes to another
 * one, and is withdrawn from the first in case it arrives there after all. A process that was confirmed before is never
 * placed a second time, because it may have run; it is reported as missing until its processor answers.
 */
import { type Address, cancel, type Delivery, timer } from '../../../lib/actor.ts'
import type { Exited, Refused, Standing } from '../../processor/jobs.ts'
import { lacks, type Placement, runningOn } from './book.ts'
import { type Doubt, doubtsOf, order, type PlacerTurn, say, withDoubts, write } from './state.ts'

/** The event of the timer for the answers about a job. */
export type Unconfirmed = { readonly type: 'unconfirmed'; readonly job: string }

const confirmation = (job: string) => `confirmation ${job}`

/** Asks processors whether their processes of a job exist. */
export function recount(it: PlacerTurn, job: string, processors: readonly Address[], wasThere: boolean): void {
  if (processors.length === 0) return
  for (const processor of processors) order(it, processor, { type: 'recount', job })
  const more = processors.map((processor) => ({ processor, wasThere, refusal: null }))
  doubt(it, job, [...doubtsOf(it.context.doubts, job), ...more])
  it.do(timer(confirmation(job), it.context.timeout, { type: 'unconfirmed', job }))
}

/** Handles a processor's answer whether a process exists. */
export function standing(it: PlacerTurn, { job, here }: Standing, { from }: Delivery): void {
  const placement = it.context.book.get(job)
  if (!placement) return
  const doubted = settle(it, job, from)
  if (placement.missed.includes(from)) return answeredLate(it, placement, from, here)
  if (!doubted) return
  if (!here && doubted.refusal !== null) refuse(it, placement, doubted.refusal)
  else {
    if (!here) miss(it, job, from, 'ended')
    confirm(it, job)
  }
}

/** Notes a refusal. A duplicate of the submit may be what was refused, so only the answer to the recount decides. */
export function refused(it: PlacerTurn, { job, reason }: Refused, { from }: Delivery): void {
  const doubts = doubtsOf(it.context.doubts, job)
  doubt(
    it,
    job,
    doubts.map((one) => (one.processor === from ? { ...one, refusal: reason } : one)),
  )
}

export function exited(it: PlacerTurn, exit: Exited, { from }: Delivery): void {
  const { job } = exit
  const placement = it.context.book.get(job)
  if (!placement || ![...runningOn(placement), ...placement.missed].includes(from)) return
  settle(it, job, from)
  write(it, { type: 'ended', job, processor: from })
  say(it, placement.request.from, { ...exit, processor: from })
}

/** Ends the time for confirming the processes of a job; unconfirmed ones go elsewhere or count as missing. */
export function unconfirmed(it: PlacerTurn, { job }: Unconfirmed): void {
  const { doubts, silent } = it.context
  const unheard = doubtsOf(doubts, job)
  doubt(it, job, [])
  it.context.silent = new Set([...silent, ...unheard.map(({ processor }) => processor)])
  for (const one of unheard) giveUp(it, job, one)
  const placement = it.context.book.get(job)
  if (placement && lacks(placement) > 0) it.context.queue = [...it.context.queue, job]
  else confirm(it, job)
}

/** Checks a machine that was silent: it may have lost its processes, or have received ones that went elsewhere. */
export function back(it: PlacerTurn, processor: Address): void {
  const { silent, book, doubts } = it.context
  it.context.silent = new Set([...silent].filter((one) => one !== processor))
  for (const [job, placement] of book) {
    if (placement.passed.includes(processor)) order(it, processor, { type: 'withdraw', job })
    const isDoubted = doubtsOf(doubts, job).some((one) => one.processor === processor)
    const mayHave = [...runningOn(placement), ...placement.missed].includes(processor)
    if (!isDoubted && mayHave) recount(it, job, [processor], true)
  }
}

/** Refuses a job, and withdraws those of its processes that run. */
export function refuse(it: PlacerTurn, placement: Placement, reason: string): void {
  const { job, from } = placement.request
  for (const processor of runningOn(placement)) order(it, processor, { type: 'withdraw', job })
  doubt(it, job, [])
  write(it, { type: 'refused', job, reason })
  say(it, from, { type: 'refused', job, reason })
}

/** Tells the user that the job is placed, unless a processor must still be found or must still answer. */
export function confirm(it: PlacerTurn, job: string): void {
  const placement = it.context.book.get(job)
  if (!placement || it.context.doubts.has(job) || lacks(placement) > 0 || runningOn(placement).length === 0) return
  sayPlaced(it, placement)
}

export function sayPlaced(it: PlacerTurn, { request: { job, from }, processors }: Placement): void {
  say(it, from, { type: 'placed', job, processors: processors.flatMap((processor) => processor ?? []) })
}

function giveUp(it: PlacerTurn, job: string, { processor, wasThere }: Doubt): void {
  const placement = it.context.book.get(job)
  if (!placement || placement.refusal !== null) return
  if (wasThere) return miss(it, job, processor, 'missed')
  if (placement.request.on) return refuse(it, placement, `${processor} does not answer`)
  write(it, { type: 'passed', job, processor })
  order(it, processor, { type: 'withdraw', job })
}

/** Tells the user that a process is missing: its processor lost it, or does not answer. */
function miss(it: PlacerTurn, job: string, processor: Address, why: 'ended' | 'missed'): void {
  const placement = it.context.book.get(job)
  if (!placement || !runningOn(placement).includes(processor)) return
  write(it, { type: why, job, processor })
  say(it, placement.request.from, { type: 'missing', job, processor })
}

/**
 * A processor answers at last about a process that was reported missing. If the job was refused meanwhile, the
 * process is withdrawn.
 */
function answeredLate(it: PlacerTurn, { request, refusal }: Placement, processor: Address, here: boolean): void {
  const { job, from } = request
  write(it, { type: here && refusal === null ? 'found' : 'ended', job, processor })
  if (!here) return
  if (refusal === null) say(it, from, { type: 'found', job, processor })
  else order(it, processor, { type: 'withdraw', job })
}

function doubt(it: PlacerTurn, job: string, own: readonly Doubt[]): void {
  const { doubts } = it.context
  if (doubts.has(job) && own.length === 0) it.do(cancel(confirmation(job)))
  it.context.doubts = withDoubts(doubts, job, own)
}

/** Removes the doubt about one process, and returns it. */
function settle(it: PlacerTurn, job: string, processor: Address): Doubt | undefined {
  const doubts = doubtsOf(it.context.doubts, job)
  doubt(
    it,
    job,
    doubts.filter((one) => one.processor !== processor),
  )
  return doubts.find((one) => one.processor === processor)
}
