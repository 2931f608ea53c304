/**
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte 2010), with chains of messages in
 * place of threads as Ozkan et al. 2018 have it. A chain is what one sender sends to one actor, or that actor's clock.
 * Each has a random priority, and the highest that is due goes first. At d - 1 drawn decisions the chain that would go
 * sinks below all others: what is on it then waits until nothing else is left to do. It finds a bug that takes d things
 * in order with a probability that falls with the number of decisions only as its (d - 1)-th power.
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
    /** Below 0: sunk, the later the lower. */
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
