/** What a cluster promises of proportional share, so far as its description and the plan of its faults say so. */
import type { Funding } from '../../actors/processor/jobs.ts'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import type { Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { Cluster, Said } from './model.ts'
import type { Asked, Spread, Terms } from './oracle/currency-audit.ts'
import type { Rules } from './oracle/processor-audit.ts'

/** Of which a peer's report is forgotten, in periods (spec, section 7: K). */
const KEPT_PERIODS = 3

export const promisesOf = (period: Time): Time => KEPT_PERIODS * period

export function rulesOf({ sharing, orders }: Cluster, faults: readonly Fault[]): Rules {
  const { credit } = sharing
  const declines = new Set(
    orders.flatMap(({ message }) => ('borrows' in message && message.borrows === false ? [message.job] : [])),
  )
  return {
    sharing,
    isPunctual: !faults.some(({ type }) => type === 'stall'),
    cap: credit.policy === 'system' ? credit.cap : 100,
    borrows: credit.policy === 'loan' ? (job) => !declines.has(job) : null,
  }
}

/** Null where every machine is for itself. */
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

/** What jobs hold as users say it. No fact tells when tickets are changed, nor what becomes of a suspended sleeper. */
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
 * Null where nothing bounds how late news is: where mail is lost or sent again, or takes so long that a report is too old
 * when it comes.
 */
function spreadOf(period: Time, faults: readonly Fault[], { network, reliable }: SystemInit): Spread | null {
  const { latency, jitter, loss } = { ...PERFECT_NETWORK, ...network }
  const delay = latency + jitter
  const keep = promisesOf(period)
  if (loss > 0 || reliable || period + delay > keep) return null
  const disturbed = faults.flatMap((fault) => {
    if (fault.type === 'stall') return [{ from: fault.at, until: fault.at + fault.duration }]
    return fault.type === 'cut' ? [{ from: fault.at, until: fault.until }] : []
  })
  return { period, delay, keep, disturbed }
}
