/** The periods in which nothing keeps ticket servers from telling processors everything. */
import { roleOf, type Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'

export interface Span {
  readonly from: Time
  readonly until: Time
}

/**
 * Whole periods from `settled` on outside of the outages of ticket servers, each until the server is back and `spread`
 * has passed; none where anything else fails, or at instants that nobody knows beforehand.
 */
export function calmPeriods(faults: readonly Fault[], { from, until }: Span, period: Time, spread: Time): Span[] {
  const outages = faults.flatMap((fault) => outageOf(fault, faults, spread) ?? [])
  if (outages.length < faults.length) return []
  const count = Math.floor((until - from) / period)
  return Array.from({ length: count }, (_, i) => ({ from: from + i * period, until: from + (i + 1) * period })).filter(
    (span) => outages.every((outage) => outage.until <= span.from || span.until <= outage.from),
  )
}

const isOfServer = (who: string): boolean => who.includes('@') && roleOf(who) === 'ticket-server'

function outageOf(fault: Fault, all: readonly Fault[], spread: Time): Span | undefined {
  if ((fault.type !== 'kill' && fault.type !== 'restart') || fault.when.type !== 'at' || !isOfServer(fault.who)) return
  const from = fault.when.time
  if (fault.type === 'restart') return { from, until: from + spread }
  const back = all.flatMap((other) =>
    other.type === 'restart' && other.who === fault.who && other.when.type === 'at' && other.when.time >= from
      ? [other.when.time]
      : [],
  )
  return { from, until: Math.min(...back) + spread }
}
