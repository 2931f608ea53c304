/** The promises of proportional share that a cluster makes, according to its description and its planned faults. */
import type { Funding } from '../../actors/processor/jobs.ts'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import type { Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { Cluster, Said } from './model.ts'
import type { Asked, Spread, Terms } from './oracle/currency-audit.ts'
import type { Rules } from './oracle/processor-audit.ts'

/** The number of periods that a peer's report counts. */
const KEPT_PERIODS = 3

export const promisesOf = (period: Time): Time => KEPT_PERIODS * period

export function rulesOf({ sharing, orders }: Cluster, faults: readonly Fault[]): Rules {
  const { credit } = sharing
  const declines = new Set(
    orders.flatMap(({ message }) => ('borrows' in message && message.borrows === false ? [message.job] : [])),
  )
  return {
    sharing,
    isPunctual: !faults.some(({ type }) => type === 'pause'),
    cap: credit.policy === 'system' ? credit.cap : 100,
    borrows: credit.policy === 'loan' ? (job) => !declines.has(job) : null,
  }
}

/** The terms of the currencies; null without ticket servers. */
export function termsOf(
  { sharing: { funding, tick, credit }, orders }: Cluster,
  faults: readonly Fault[],
  options: SystemInit,
): Terms | null {
  if (!tick) return null
  return {
    funding,
    held: heldIn(orders),
    asked: askedIn(orders),
    countsSleepers: credit.policy !== 'none',
    spread: spreadOf(tick.every, faults, options),
  }
}

/**
 * What jobs hold according to the users' orders. Jobs that are funded or suspended are left out: no fact tells when
 * tickets were changed, or what becomes of a suspended sleeper.
 */
export function heldIn(orders: readonly Said[]): ReadonlyMap<string, Funding> {
  const held = new Map(
    orders.flatMap(({ message }) =>
      message.type === 'submit' || message.type === 'place' ? [[message.job, message] as const] : [],
    ),
  )
  for (const { message } of orders) {
    if (message.type === 'fund' || message.type === 'suspend') held.delete(message.job)
  }
  return held
}

const askedIn = (orders: readonly Said[]): ReadonlyMap<string, Asked> =>
  new Map(
    orders.flatMap(({ at, message }) =>
      message.type === 'issue' ? [[message.ticket, { ...message, at }] as const] : [],
    ),
  )

/**
 * The bounds on how fast reports travel; null if there are none, because messages are lost or sent again, or take so
 * long that a report is too old when it arrives.
 */
function spreadOf(period: Time, faults: readonly Fault[], { network, reliable }: SystemInit): Spread | null {
  const { latency, jitter, loss } = { ...PERFECT_NETWORK, ...network }
  const delay = latency + jitter
  const keep = promisesOf(period)
  if (loss > 0 || reliable || period + delay > keep) return null
  const disturbed = faults.flatMap((fault) => {
    if (fault.type === 'pause') return [{ from: fault.at, until: fault.at + fault.duration }]
    return fault.type === 'partition' ? [{ from: fault.at, until: fault.until }] : []
  })
  return { period, delay, keep, disturbed }
}
