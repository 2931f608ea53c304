/** Why a processor does not take a job. */
import { type Time, toUnits } from '../../lib/actor.ts'
import { isKnown } from './currencies.ts'
import type { Grant, Program, Submit } from './jobs.ts'
import { LEAST_TICKETS } from './stride.ts'
import type { Turn } from './turn.ts'

/** The most processes on one machine. */
export const MAX_PROCESSES = 10_000

/** Null: it can be taken. */
export function refusalOf(turn: Turn, { job, currency, amount, program }: Submit): string | null {
  if (turn.find(job)) return `${job} is here already`
  if (turn.processes.length >= MAX_PROCESSES) return `${MAX_PROCESSES} processes (MAX_PROCESSES) are here already`
  return (
    ofName(job) ??
    ofAmount(amount) ??
    (isKnown(turn.view, currency) ? ofProgram(program) : `unknown currency ${currency}`)
  )
}

/** Names of jobs and currencies are keys in messages; this one no message can carry. */
export const ofName = (name: string): string | null => (name === '__proto__' ? `${name} is no name` : null)

/** The most tickets that anybody holds at a time: T is a sum that few of one still count in. */
export const MOST_TICKETS = 1e9

export function ofAmount(amount: number): string | null {
  if (!(amount > 0)) return `tickets have to be more than 0, not ${amount}`
  return amount >= LEAST_TICKETS && amount <= MOST_TICKETS
    ? null
    : `tickets have to be from ${LEAST_TICKETS} (LEAST_TICKETS) to ${MOST_TICKETS} (MOST_TICKETS), not ${amount}`
}

export const ofGrant = ({ extra, lasts }: Grant): string | null =>
  Math.abs(extra) <= MOST_TICKETS
    ? ofTime('a grant', lasts, 1)
    : `exhaustible tickets have to be a number up to ${MOST_TICKETS} (MOST_TICKETS), not ${extra}`

function ofProgram(program: Program): string | null {
  switch (program.kind) {
    case 'compute':
      return program.work === null ? null : ofTime('its work', program.work, 1)
    case 'bursts':
      if (program.bursts.length === 0) return 'a program of bursts needs one'
      return first(program.bursts, ({ run, sleep }) => ofTime('a burst', run, 1) ?? ofTime('a sleep', sleep, 0))
    case 'periodic':
      return ofTime('its run', program.run, 1) ?? ofTime('its period', program.period, 1)
    case 'parallel':
      if (!(program.imbalance >= 0 && program.imbalance < 2)) {
        return `imbalance has to be from 0 to less than 2, not ${program.imbalance}`
      }
      return (
        ofTime('its granularity', program.granularity, 1) ??
        (program.spin === null ? null : ofTime('its spin limit', program.spin, 0))
      )
  }
}

const ofTime = (what: string, time: Time, least: number): string | null =>
  Number.isSafeInteger(time) && time >= least
    ? null
    : `${what} has to take ${least > 0 ? 'more than 0' : '0 or more'} units, not ${toUnits(time)}`

function first<T>(items: readonly T[], refusal: (item: T) => string | null): string | null {
  for (const item of items) {
    const reason = refusal(item)
    if (reason) return reason
  }
  return null
}
