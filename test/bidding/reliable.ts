/** The plans of kills on a network that loses 20 % and doubles 10 %, with reliable delivery between the machines. */
import type { Terms } from '../../actors/bidding/terms.ts'
import { units } from '../../lib/actor.ts'
import { printFault } from '../../lib/faults/faults.ts'
import { PERFECT_NETWORK } from '../../lib/network.ts'
import { checksOf } from '../../scenarios/bidding/results.ts'
import { type Protocol, runMarket } from '../../scenarios/bidding/run.ts'
import { planOf } from './kills.ts'

/** Under 20 % loss one query or answer in 400 takes more than three attempts more: longer silences mean a failure. */
const ATTEMPTS_BRIDGED = 7

/** As planned, but patient enough for what is sent again. */
function patient(terms: Terms, latency: number): Terms {
  const more = ATTEMPTS_BRIDGED * units(2 * latency + 1)
  const { timeout, silence } = terms
  return {
    ...terms,
    timeout: timeout === null ? null : timeout + 2 * more,
    silence: silence === null ? null : silence + 4 * more,
  }
}

/** What the run broke, or nothing. */
export async function runReliably(
  n: number,
  protocol: Protocol,
  runtime: 'threads' | 'inline',
): Promise<readonly string[]> {
  const { market, faults, seed, latency, schedule } = planOf(n, protocol)
  const subject = { ...market, terms: patient(market.terms, latency) }
  const network = { ...PERFECT_NETWORK, latency: units(latency), loss: 0.2, duplicate: 0.1 }
  const options = { seed, runtime, network, reliable: true, schedule, memoryMB: 16, rounds: 200_000 }
  const run = await runMarket(subject, options, faults)
  return checksOf(subject, run, false)
    .filter(({ ok }) => !ok)
    .map(
      ({ name, measured }) =>
        `${protocol}, plan ${n}, ${runtime}: ${name}: ${measured} (${faults.map(printFault).join('; ')})`,
    )
}
