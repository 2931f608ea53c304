/** The economy as the explorer sees it: how to open it, the outcome of its jobs and the violated invariants. */
import type { Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Oracle, Violation } from '../../lib/scenario/oracle.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { outcomeOf } from '../../lib/scenario/outcome.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { addressesOf, comingJobs, type Economy } from './model.ts'
import { open } from './one-run.ts'
import { Watch } from './oracle.ts'

/** All that determines a run. */
export interface Play {
  readonly economy: Economy
  readonly faults: readonly Fault[]
  readonly options: SystemInit
}

/** The specification of a run. In a run of only some jobs these keep their ids. */
export function economySpecification(play: Play): Specification {
  const { economy, faults, options } = play
  const ids = comingJobs(economy).map(({ id }) => id)
  return {
    options,
    faults,
    addresses: addressesOf(economy),
    tasks: ids.length,
    only: (places) => {
      const only = places.flatMap((place) => ids[place] ?? [])
      return economySpecification({ ...play, economy: { ...economy, only } })
    },
    open: async (system) => {
      const observer = new EconomyObserver(play, system)
      await open(system, economy)
      return observer
    },
  }
}

class EconomyObserver implements Oracle {
  readonly #system: System
  readonly #watch: Watch

  constructor({ economy, faults, options }: Play, system: System) {
    this.#system = system
    const { scheduler, time } = system.options
    this.#watch = new Watch(economy, { ...options, scheduler, time }, faults)
    listen(system, this.#watch)
  }

  /** The end of each job, with the number of its attempt. The explorer compares runs by this text. */
  outcome(): string {
    return [...this.#watch.ledger.jobs]
      .flatMap(([job, { end, failures }]) => (end ? [[job, `${job}.${failures + 1} ${end.why}`] as const] : []))
      .sort(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return new Map([...this.#watch.ledger.jobs].flatMap(([job, { end }]) => (end ? [[`job ${job}`, end.at]] : [])))
  }

  violations(): Violation[] {
    return this.#watch.broken(outcomeOf(this.#system))
  }
}
