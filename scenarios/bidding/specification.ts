/** The market as the explorer sees it: how to open it, the outcome of its tasks, and the violated invariants. */

import { type Address, type Message, machineOf, type Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Oracle, Violation } from '../../lib/scenario/oracle.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { outcomeOf } from '../../lib/scenario/outcome.ts'
import { type Specification, sometime } from '../../lib/scenario/specification.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { addressesOf, type Market } from './model.ts'
import { open } from './one-run.ts'
import { isClientFact, Ledger } from './oracle/ledger.ts'
import { BEGUN_ONCE, begunTwice, mustEnd } from './oracle.ts'

/** The reachability goals of a search. Without faults, or with one protocol alone, some cannot be met. */
const SOMETIMES = [
  sometime('late bid rejected', 'client', 'rejected'),
  sometime('late bid taken', 'client', 'moved'),
  sometime('task bumped', 'client', 'bumped'),
  sometime('task lost', 'client', 'failed'),
  sometime('no bid', 'client', 'repeated'),
  sometime('bid given up', 'contractor', 'lapsed'),
]

/** All that determines a run. */
export interface Play {
  readonly market: Market
  readonly faults: readonly Fault[]
  readonly options: SystemInit
}

/** The specification of a run. In a run of only some tasks these keep their numbers. */
export function marketSpecification(play: Play): Specification {
  const { market, faults, options } = play
  const numbers = market.only ?? [...market.jobs.keys()]
  return {
    options,
    faults,
    addresses: addressesOf(market),
    tasks: numbers.length,
    sometimes: SOMETIMES,
    only: (places) => {
      const only = places.flatMap((place) => numbers[place] ?? [])
      return marketSpecification({ ...play, market: { ...market, only } })
    },
    open: async (system) => {
      const watch = new Watch(play, system)
      await open(system, market)
      return watch
    },
  }
}

class Watch implements Oracle {
  readonly #play: Play
  readonly #system: System
  readonly #ledger = new Ledger()
  /** The end of each task, as text. */
  readonly #ends = new Map<number, string>()
  /** The time when each task was over for its client. */
  readonly #over = new Map<number, Time>()
  /** All actors that died, also those that were restarted. */
  readonly #died = new Set<Address>()

  constructor(play: Play, system: System) {
    this.#play = play
    this.#system = system
    listen(system, this.#ledger)
    system.onFact((fact, { who, at }) => this.#fold(fact, who, at))
    system.onDeath(({ address }) => this.#died.add(address))
  }

  #fold(fact: Message, who: Address, at: Time): void {
    if (!isClientFact(fact, who)) return
    const { type, task, attempt } = fact
    if (type !== 'done' && type !== 'ended') return
    this.#over.set(task, at)
    this.#ends.set(task, `${task}.${attempt} ${type === 'done' ? `on ${machineOf(fact.contractor)}` : fact.reason}`)
  }

  /** The attempt and machine of each task's end, by number: no actor can see the order of ends at two clients. */
  outcome(): string {
    return [...this.#ends]
      .sort(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return new Map([...this.#over].map(([task, at]) => [`task ${task}`, at]))
  }

  left(): number {
    const { jobs, only } = this.#play.market
    return (only ?? jobs).length - this.#over.size
  }

  violations(): Violation[] {
    const { jobs, only } = this.#play.market
    const ending = outcomeOf(this.#system)
    const { dead } = ending
    const living = jobs.flatMap(({ client }, task) => (dead.has(`client@${client}`) ? [] : [task]))
    const open = mustEnd(this.#play.market, this.#died, ending)
      ? living.filter((task) => (only?.includes(task) ?? true) && !this.#over.has(task))
      : []
    const ofOpen = open.map((task) => ({
      property: 'every task of a living client ends',
      text: `task ${task} did not`,
      eventually: true,
    }))
    const twice = begunTwice(this.#play.market, this.#ledger).map((text) => ({ property: BEGUN_ONCE, text }))
    return [...this.#ledger.broken, ...ofOpen, ...twice]
  }
}
