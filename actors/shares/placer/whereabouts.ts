/**
 * Are processes where a placer has put them? A process is there when its processor says so, right after it was submitted. A
 * processor that does not answer is passed over: the process goes elsewhere, and is withdrawn from it should it still get
 * it. But what was there before is never placed a second time: it may have run. It is missing then, until it is heard of.
 */
import { type Address, cancel, timer } from '../../../lib/actor.ts'
import type { Exited, Standing } from '../../processor/jobs.ts'
import { lacks, livesOn, type Placement } from './book.ts'
import { type Doubt, doubtsOf, withDoubts } from './desk.ts'
import type { Placing } from './placing.ts'

const confirmation = (job: string) => `confirmation ${job}`

/** Asks processors whether their processes of a job are there. */
export function recount(it: Placing, job: string, processors: readonly Address[], wasThere: boolean): void {
  if (processors.length === 0) return
  for (const processor of processors) it.order(processor, { type: 'recount', job })
  const more = processors.map((processor) => ({ processor, wasThere, refusal: null }))
  doubt(it, job, [...doubtsOf(it.desk.doubts, job), ...more])
  it.do(timer(confirmation(job), it.desk.timeout, { type: 'unconfirmed', job }))
}

/** A processor says whether a process is there. */
export function standing(it: Placing, from: Address, { job, here }: Standing): void {
  const placement = it.placementOf(job)
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

/** It may be a doubled submit that was refused: what counts is whether the process is there. */
export function refused(it: Placing, from: Address, job: string, reason: string): void {
  const doubts = doubtsOf(it.desk.doubts, job)
  doubt(
    it,
    job,
    doubts.map((one) => (one.processor === from ? { ...one, refusal: reason } : one)),
  )
}

export function exited(it: Placing, from: Address, exit: Exited): void {
  const { job } = exit
  const placement = it.placementOf(job)
  if (!placement || ![...livesOn(placement), ...placement.missed].includes(from)) return
  settle(it, job, from)
  it.write({ type: 'ended', job, processor: from })
  it.say(placement.request.from, { ...exit, processor: from })
}

/** It is time to have heard of all processes of a job. */
export function unconfirmed(it: Placing, job: string): void {
  const { doubts, silent } = it.desk
  const unheard = doubtsOf(doubts, job)
  doubt(it, job, [])
  it.change({ silent: new Set([...silent, ...unheard.map(({ processor }) => processor)]) })
  for (const one of unheard) giveUp(it, job, one)
  const placement = it.placementOf(job)
  if (placement && lacks(placement) > 0) it.change({ queue: [...it.desk.queue, job] })
  else confirm(it, job)
}

/** A machine that was silent may have lost what it had, and may have got what went elsewhere. */
export function back(it: Placing, processor: Address): void {
  const { silent, book, doubts } = it.desk
  it.change({ silent: new Set([...silent].filter((one) => one !== processor)) })
  for (const [job, placement] of book) {
    if (placement.passed.includes(processor)) it.order(processor, { type: 'withdraw', job })
    const isDoubted = doubtsOf(doubts, job).some((one) => one.processor === processor)
    const mayHave = [...livesOn(placement), ...placement.missed].includes(processor)
    if (!isDoubted && mayHave) recount(it, job, [processor], true)
  }
}

/** It is not placed: what there is of it is withdrawn. */
export function refuse(it: Placing, placement: Placement, reason: string): void {
  const { job, from } = placement.request
  for (const processor of livesOn(placement)) it.order(processor, { type: 'withdraw', job })
  doubt(it, job, [])
  it.write({ type: 'refused', job, reason })
  it.say(from, { type: 'refused', job, reason })
}

/** Tells the user, unless something is still to be found or heard. */
export function confirm(it: Placing, job: string): void {
  const placement = it.placementOf(job)
  if (!placement || it.desk.doubts.has(job) || lacks(placement) > 0 || livesOn(placement).length === 0) return
  sayPlaced(it, placement)
}

export function sayPlaced(it: Placing, { request: { job, from }, processors }: Placement): void {
  it.say(from, { type: 'placed', job, processors: processors.flatMap((processor) => processor ?? []) })
}

function giveUp(it: Placing, job: string, { processor, wasThere }: Doubt): void {
  const placement = it.placementOf(job)
  if (!placement || placement.refusal !== null) return
  if (wasThere) return miss(it, job, processor, 'missed')
  if (placement.request.on) return refuse(it, placement, `${processor} does not answer`)
  it.write({ type: 'passed', job, processor })
  it.order(processor, { type: 'withdraw', job })
}

/** Nobody heard how it ended, or nothing at all is heard. */
function miss(it: Placing, job: string, processor: Address, why: 'ended' | 'missed'): void {
  const placement = it.placementOf(job)
  if (!placement || !livesOn(placement).includes(processor)) return
  it.write({ type: why, job, processor })
  it.say(placement.request.from, { type: 'missing', job, processor })
}

/** What was missing is not, or is for good; of a job that has been refused meanwhile nothing is to stay. */
function answeredLate(it: Placing, { request, refusal }: Placement, processor: Address, here: boolean): void {
  const { job, from } = request
  it.write({ type: here && refusal === null ? 'found' : 'ended', job, processor })
  if (!here) return
  if (refusal === null) it.say(from, { type: 'found', job, processor })
  else it.order(processor, { type: 'withdraw', job })
}

function doubt(it: Placing, job: string, own: readonly Doubt[]): void {
  const { doubts } = it.desk
  if (doubts.has(job) && own.length === 0) it.do(cancel(confirmation(job)))
  it.change({ doubts: withDoubts(doubts, job, own) })
}

/** Takes back the doubt about one process, and returns it. */
function settle(it: Placing, job: string, processor: Address): Doubt | undefined {
  const doubts = doubtsOf(it.desk.doubts, job)
  doubt(
    it,
    job,
    doubts.filter((one) => one.processor !== processor),
  )
  return doubts.find((one) => one.processor === processor)
}
