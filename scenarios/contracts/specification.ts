/** The contracts market as the explorer sees it: how to open it, the outcome of its tasks and the violated invariants. */
import type { Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Oracle, Violation } from '../../lib/scenario/oracle.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { outcomeOf } from '../../lib/scenario/outcome.ts'
import { type Specification, sometime } from '../../lib/scenario/specification.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { addressesOf, type ContractsMarket } from './model.ts'
import { open } from './one-run.ts'
import { Watch } from './oracle.ts'

/** All that determines a run. */
export interface Play {
  readonly market: ContractsMarket
  readonly faults: readonly Fault[]
  readonly options: SystemInit
}

const SOMETIMES = [
  sometime('task refused', 'site', 'refused'),
  sometime('award reneged on', 'site', 'reneged'),
  sometime('running task preempted', 'site', 'preempted'),
  sometime('execution lost', 'site', 'failed'),
  sometime('site passed over', 'broker', 'passed'),
  sometime('site given up', 'client', 'lost'),
  sometime('contract voided', 'site', 'voided'),
]

/** The specification of a run. In a run of only some tasks these keep their numbers. */
export function contractsSpecification(play: Play): Specification {
  const { market, faults, options } = play
  const { tasks } = market
  return {
    options,
    faults,
    addresses: addressesOf(market),
    tasks: tasks.length,
    sometimes: SOMETIMES,
    only: (places) =>
      contractsSpecification({ ...play, market: { ...market, tasks: places.flatMap((place) => tasks[place] ?? []) } }),
    open: async (system) => {
      const observer = new ContractsObserver(play, system)
      await open(system, market)
      return observer
    },
  }
}

class ContractsObserver implements Oracle {
  readonly #system: System
  readonly #watch: Watch
  readonly #tasks: number
  readonly #ends = new Map<string, Time>()

  constructor({ market, faults, options }: Play, system: System) {
    this.#system = system
    this.#tasks = market.tasks.length
    const { scheduler, time } = system.options
    this.#watch = new Watch(market, { ...options, scheduler, time }, faults)
    listen(system, this.#watch)
    system.onFact((fact, { at }) => {
      if (fact.type === 'paid' || fact.type === 'unplaced') this.#ends.set(`task ${fact['task']}`, at)
    })
  }

  /** The site of each task, and its payment. The explorer compares runs by this text. */
  outcome(): string {
    return [...this.#watch.ledger.tasks.values()]
      .sort((one, other) => one.task - other.task)
      .map(({ task, site, paid }) => `${task} ${site === null ? 'nowhere' : `at ${site} for ${paid ?? 'nothing'}`}`)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return this.#ends
  }

  left(): number {
    return this.#tasks - this.#ends.size
  }

  violations(): readonly Violation[] {
    const ending = outcomeOf(this.#system)
    return [...this.#watch.broken(ending), ...this.#watch.unended(ending)]
  }
}
