/** The checks of jobs, grants and changes of tickets, with the reasons for a refusal. */
import { type Time, toUnits } from '../../lib/actor.ts'
import { isKnown } from './currencies.ts'
import type { Grant, Program, Submit } from './jobs.ts'
import { type Node, processesOf, processOf } from './node.ts'
import { LEAST_TICKETS } from './stride.ts'

/** The most processes on one machine. */
export const MAX_PROCESSES = 10_000

/** The reason to refuse a submitted job; null if it is accepted. */
export function refusalOf(node: Node, { job, currency, amount, program }: Submit): string | null {
  if (processOf(node, job)) return `${job} is here already`
  if (processesOf(node).length >= MAX_PROCESSES) return `${MAX_PROCESSES} processes (MAX_PROCESSES) are here already`
  return (
    ofName(job) ??
    ofAmount(amount) ??
    (isKnown(node.view, currency) ? ofProgram(program) : `unknown currency ${currency}`)
  )
}

/** The reason to refuse an order about a job; null if it is here. */
export const absent = (node: Node, { job }: { readonly job: string }): string | null =>
  processOf(node, job) ? null : `there is no job ${job} here`

/** Names of jobs and currencies are keys in messages; no message can carry `__proto__` as a key. */
export const ofName = (name: string): string | null => (name === '__proto__' ? `${name} cannot be a name` : null)

/** The most tickets that a job or currency holds at a time. In their sum T, small amounts must still count. */
export const MOST_TICKETS = 1e9

export function ofAmount(amount: number): string | null {
  if (!(amount > 0)) return `tickets must be more than 0, not ${amount}`
  return amount >= LEAST_TICKETS && amount <= MOST_TICKETS
    ? null
    : `tickets must be from ${LEAST_TICKETS} (LEAST_TICKETS) to ${MOST_TICKETS} (MOST_TICKETS), not ${amount}`
}

export const ofGrant = ({ extra, lasts }: Grant): string | null =>
  Math.abs(extra) <= MOST_TICKETS
    ? ofTime('a grant', lasts, 1)
    : `exhaustible tickets must be a number up to ${MOST_TICKETS} (MOST_TICKETS), not ${extra}`

function ofProgram(program: Program): string | null {
  switch (program.kind) {
    case 'compute':
      return program.work === null ? null : ofTime('its work', program.work, 1)
    case 'bursts':
      if (program.bursts.length === 0) return 'a program of bursts needs at least one burst'
      return first(program.bursts, ({ run, sleep }) => ofTime('a burst', run, 1) ?? ofTime('a sleep', sleep, 0))
    case 'periodic':
      return ofTime('its run', program.run, 1) ?? ofTime('its period', program.period, 1)
    case 'parallel':
      if (!(program.imbalance >= 0 && program.imbalance < 2)) {
        return `imbalance must be from 0 to less than 2, not ${program.imbalance}`
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
    : `${what} must take ${least > 0 ? 'more than 0' : '0 or more'} units, not ${toUnits(time)}`

function first<T>(items: readonly T[], refusal: (item: T) => string | null): string | null {
  for (const item of items) {
    const reason = refusal(item)
    if (reason) return reason
  }
  return null
}
