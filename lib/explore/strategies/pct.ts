/**
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte 2010), with chains of messages in
 * place of threads (Ozkan et al. 2018). A chain is the mail of one sender to one actor, or that actor's timers. Each chain
 * has a random priority, and the due event of highest priority is handled first. At d - 1 randomly drawn decisions the
 * chosen chain sinks below all others, so its events wait until nothing else is left to do. A bug that needs d events in
 * order is found with a probability that falls only with the (d - 1)-th power of the number of decisions.
 */

import type { PendingEvent } from '../../actor/schedule.ts'
import { keyed } from '../../core/random.ts'
import type { Strategy } from './strategy.ts'

const chainOf = (slot: number, { from, isTimer }: PendingEvent): string => `${slot}<${isTimer ? 'clock' : from}`

export const pct =
  (depth: number): Strategy =>
  ({ seed, run, decisions }) => {
    const changes = new Set(
      Array.from({ length: depth - 1 }, (_, i) => Math.floor(keyed(seed, 'pct change', run, i) * decisions)),
    )
    /** The priority of each chain. A sunk chain has one below 0, lower the later it sank. */
    const priorities = new Map<string, number>()
    let decision = 0
    let sunk = 0
    return {
      next({ slot, pending: things }) {
        const ranked = things.map((thing, place) => {
          const chain = chainOf(slot, thing)
          let priority = priorities.get(chain)
          if (priority === undefined) {
            priority = keyed(seed, `pct priority ${chain}`, run)
            priorities.set(chain, priority)
          }
          return { chain, priority, place }
        })
        ranked.sort((a, b) => b.priority - a.priority)
        if (changes.has(decision++)) {
          const first = ranked.shift()
          if (first) priorities.set(first.chain, --sunk)
        }
        const best = ranked[0]
        return best && best.priority >= 0 ? best.place : -1
      },
      outcomeOf: () => 'once',
    }
  }
