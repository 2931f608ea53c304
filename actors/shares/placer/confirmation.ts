/**
 * Confirmation: the check that processes are where a placer has put them. A process is confirmed when its processor
 * says so, right after it was submitted. A processor that does not answer is passed over: the process goes to another
 * one, and is withdrawn from the first in case it arrives there after all. A process that was confirmed before is never
 * placed a second time, because it may have run; it is reported as missing until its processor answers.
 */
import { type Address, cancel, timer } from '../../../lib/actor.ts'
import type { Exited, Standing } from '../../processor/jobs.ts'
import { lacks, type Placement, runningOn } from './book.ts'
import { type Doubt, doubtsOf, type PlacerTurn, withDoubts } from './state.ts'

const confirmation = (job: string) => `confirmation ${job}`

/** Asks processors whether their processes of a job exist. */
export function recount(turn: PlacerTurn, job: string, processors: readonly Address[], wasThere: boolean): void {
  if (processors.length === 0) return
  for (const processor of processors) turn.order(processor, { type: 'recount', job })
  const more = processors.map((processor) => ({ processor, wasThere, refusal: null }))
  doubt(turn, job, [...doubtsOf(turn.state.doubts, job), ...more])
  turn.do(timer(confirmation(job), turn.state.timeout, { type: 'unconfirmed', job }))
}

/** Handles a processor's answer whether a process exists. */
export function standing(turn: PlacerTurn, from: Address, { job, here }: Standing): void {
  const placement = turn.placementOf(job)
  if (!placement) return
  const doubted = settle(turn, job, from)
  if (placement.missed.includes(from)) return answeredLate(turn, placement, from, here)
  if (!doubted) return
  if (!here && doubted.refusal !== null) refuse(turn, placement, doubted.refusal)
  else {
    if (!here) miss(turn, job, from, 'ended')
    confirm(turn, job)
  }
}

/** Notes a refusal. A duplicate of the submit may be what was refused, so only the answer to the recount decides. */
export function refused(turn: PlacerTurn, from: Address, job: string, reason: string): void {
  const doubts = doubtsOf(turn.state.doubts, job)
  doubt(
    turn,
    job,
    doubts.map((one) => (one.processor === from ? { ...one, refusal: reason } : one)),
  )
}

export function exited(turn: PlacerTurn, from: Address, exit: Exited): void {
  const { job } = exit
  const placement = turn.placementOf(job)
  if (!placement || ![...runningOn(placement), ...placement.missed].includes(from)) return
  settle(turn, job, from)
  turn.write({ type: 'ended', job, processor: from })
  turn.say(placement.request.from, { ...exit, processor: from })
}

/** Ends the time for confirming the processes of a job; unconfirmed ones go elsewhere or count as missing. */
export function unconfirmed(turn: PlacerTurn, job: string): void {
  const { doubts, silent } = turn.state
  const unheard = doubtsOf(doubts, job)
  doubt(turn, job, [])
  turn.change({ silent: new Set([...silent, ...unheard.map(({ processor }) => processor)]) })
  for (const one of unheard) giveUp(turn, job, one)
  const placement = turn.placementOf(job)
  if (placement && lacks(placement) > 0) turn.change({ queue: [...turn.state.queue, job] })
  else confirm(turn, job)
}

/** Checks a machine that was silent: it may have lost its processes, or have received ones that went elsewhere. */
export function back(turn: PlacerTurn, processor: Address): void {
  const { silent, book, doubts } = turn.state
  turn.change({ silent: new Set([...silent].filter((one) => one !== processor)) })
  for (const [job, placement] of book) {
    if (placement.passed.includes(processor)) turn.order(processor, { type: 'withdraw', job })
    const isDoubted = doubtsOf(doubts, job).some((one) => one.processor === processor)
    const mayHave = [...runningOn(placement), ...placement.missed].includes(processor)
    if (!isDoubted && mayHave) recount(turn, job, [processor], true)
  }
}

/** Refuses a job, and withdraws those of its processes that run. */
export function refuse(turn: PlacerTurn, placement: Placement, reason: string): void {
  const { job, from } = placement.request
  for (const processor of runningOn(placement)) turn.order(processor, { type: 'withdraw', job })
  doubt(turn, job, [])
  turn.write({ type: 'refused', job, reason })
  turn.say(from, { type: 'refused', job, reason })
}

/** Tells the user that the job is placed, unless a processor must still be found or must still answer. */
export function confirm(turn: PlacerTurn, job: string): void {
  const placement = turn.placementOf(job)
  if (!placement || turn.state.doubts.has(job) || lacks(placement) > 0 || runningOn(placement).length === 0) return
  sayPlaced(turn, placement)
}

export function sayPlaced(turn: PlacerTurn, { request: { job, from }, processors }: Placement): void {
  turn.say(from, { type: 'placed', job, processors: processors.flatMap((processor) => processor ?? []) })
}

function giveUp(turn: PlacerTurn, job: string, { processor, wasThere }: Doubt): void {
  const placement = turn.placementOf(job)
  if (!placement || placement.refusal !== null) return
  if (wasThere) return miss(turn, job, processor, 'missed')
  if (placement.request.on) return refuse(turn, placement, `${processor} does not answer`)
  turn.write({ type: 'passed', job, processor })
  turn.order(processor, { type: 'withdraw', job })
}

/** Tells the user that a process is missing: its processor lost it, or does not answer. */
function miss(turn: PlacerTurn, job: string, processor: Address, why: 'ended' | 'missed'): void {
  const placement = turn.placementOf(job)
  if (!placement || !runningOn(placement).includes(processor)) return
  turn.write({ type: why, job, processor })
  turn.say(placement.request.from, { type: 'missing', job, processor })
}

/**
 * A processor answers at last about a process that was reported missing. If the job was refused meanwhile, the
 * process is withdrawn.
 */
function answeredLate(turn: PlacerTurn, { request, refusal }: Placement, processor: Address, here: boolean): void {
  const { job, from } = request
  turn.write({ type: here && refusal === null ? 'found' : 'ended', job, processor })
  if (!here) return
  if (refusal === null) turn.say(from, { type: 'found', job, processor })
  else turn.order(processor, { type: 'withdraw', job })
}

function doubt(turn: PlacerTurn, job: string, own: readonly Doubt[]): void {
  const { doubts } = turn.state
  if (doubts.has(job) && own.length === 0) turn.do(cancel(confirmation(job)))
  turn.change({ doubts: withDoubts(doubts, job, own) })
}

/** Removes the doubt about one process, and returns it. */
function settle(turn: PlacerTurn, job: string, processor: Address): Doubt | undefined {
  const doubts = doubtsOf(turn.state.doubts, job)
  doubt(
    turn,
    job,
    doubts.filter((one) => one.processor !== processor),
  )
  return doubts.find((one) => one.processor === processor)
}
