/** What promises say of a history that a test writes down: facts and deaths with their times. */
import { type Address, type Message, units } from '../lib/actor.ts'
import { inWords, Monitors, type Property } from '../lib/scenario/oracle.ts'
import type { RunOutcome } from '../lib/scenario/outcome.ts'

/** A fact with its time in units, or a death. */
export type Told = readonly [at: number, who: Address, fact: Message | 'dies']

/** The violations of promises by a history. At its end nothing is left to do, and no message is lost, unless `outcome` says so. */
export function brokenBy(
  properties: readonly Property[],
  history: readonly Told[],
  outcome: Partial<RunOutcome> = {},
): string[] {
  const monitors = new Monitors(properties)
  const dead = new Set<Address>()
  for (const [at, who, fact] of history) {
    if (fact === 'dies') {
      monitors.died(who, units(at))
      dead.add(who)
    } else monitors.fold(fact, who, units(at))
  }
  return inWords(
    monitors.violations({
      isIdle: true,
      isSettled: outcome.isIdle ?? true,
      dead,
      lost: 0,
      clocksJumped: false,
      ...outcome,
    }),
  )
}
