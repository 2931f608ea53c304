/** The replications of a comparison, which run on demand: every policy runs on the same jobs. */
import { toUnits } from '../../../lib/actor.ts'
import type { Invocation } from '../../../lib/cli/index.ts'
import { sum } from '../../../lib/core/tally.ts'
import { replicationSeeds } from '../../../lib/experiment/replications.ts'
import { sweep } from '../../../lib/experiment/sweep.ts'
import { sweeping } from '../../sweeping.ts'
import type { Options, Policy } from './flags.ts'
import { replicationIn } from './replication.ts'

export interface Replication {
  readonly seed: number
  /** The digest of the arrivals, which are the same for all policies. */
  readonly arrivals: string
  /** The flow times of all tasks, for each policy. */
  readonly flows: readonly (readonly number[])[]
  readonly messages: number
}

export class Laboratory {
  readonly #policies: readonly Policy[]
  readonly #invocation: Invocation<Options>
  readonly #done: Replication[] = []

  constructor(policies: readonly Policy[], invocation: Invocation<Options>) {
    this.#policies = policies
    this.#invocation = invocation
  }

  /** Returns the first `count` replications, and runs those that are missing. */
  async first(count: number): Promise<readonly Replication[]> {
    const { seed, tasks, load, speeds, errors, latency } = this.#invocation.options
    const from = this.#done.length
    const seeds = replicationSeeds(seed, count).slice(from)
    const setting = { tasks, load, speeds, errors, latency: toUnits(latency) }
    const results = await sweep({
      module: new URL('./replication.ts', import.meta.url),
      export: 'replication',
      points: seeds.flatMap((one) =>
        this.#policies.map(({ protocol, priority }) => ({ protocol, priority, seed: one, ...setting })),
      ),
      ...(await sweeping(this.#invocation, (done, total) => `${from} replications and ${done} of ${total} runs`)),
    })
    const each = this.#policies.length
    for (const [i, one] of seeds.entries()) {
      const own = results.slice(i * each, (i + 1) * each).map(replicationIn)
      this.#done.push({
        seed: one,
        arrivals: own[0]?.arrivals ?? '',
        flows: own.map(({ flows }) => flows),
        messages: sum(own, ({ messages }) => messages),
      })
    }
    return this.#done.slice(0, count)
  }

  /** Returns the replications with the given numbers, from 0. */
  async some(numbers: readonly number[]): Promise<readonly Replication[]> {
    const all = await this.first(Math.max(...numbers) + 1)
    return all.filter((_, number) => numbers.includes(number))
  }
}
