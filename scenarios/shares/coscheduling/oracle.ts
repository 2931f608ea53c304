/** The oracle of parallel jobs: their progress, and the timeline at the end. */
import { type Address, type Message, type Time, toUnits } from '../../../lib/actor.ts'
import { add, sum } from '../../../lib/core/tally.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { ClusterOracle } from '../oracle.ts'
import { dedicatedRate } from '../paper/converged.ts'
import { jobsOf, type MixCluster, SLOT } from './model.ts'
import { Timeline } from './timeline.ts'

export class MixOracle extends ClusterOracle {
  readonly timeline: Timeline
  /** The jobs that were given up because they lost a member: when and why. */
  readonly aborted: string[] = []
  readonly #cluster: MixCluster
  /** The barriers that each job passed after the warm-up. */
  readonly #passed = new Map<string, number>()

  constructor(cluster: MixCluster, circumstances: Circumstances) {
    super(cluster, circumstances)
    this.#cluster = cluster
    this.timeline = new Timeline(cluster.drawn, cluster.warmUp + cluster.measure)
  }

  override fold(fact: Message, who: Address, at: Time): void {
    super.fold(fact, who, at)
    this.timeline.fold(fact, who, at)
    const { type, round, lost } = fact
    const job = String(fact['job'])
    if (type === 'opened' && at > this.#cluster.warmUp) add(this.#passed, job)
    if (type === 'aborted') this.aborted.push(`${job} at ${toUnits(at)} ms, in round ${round}: ${lost} lost`)
  }

  /** Barriers passed per second, by job. */
  get rates(): number[] {
    const { mix, measure } = this.#cluster
    return jobsOf(mix).map((job) => (this.#passed.get(job) ?? 0) / (toUnits(measure) / 1000))
  }

  /** Processor time, by job. */
  get cpu(): Time[] {
    const { mix, warmUp, measure } = this.#cluster
    return jobsOf(mix).map((job) => this.usage.between(warmUp, warmUp + measure, (one) => one === job))
  }

  /**
   * The slowdown compared with gang scheduling: slots of 100 ms with one context switch each, and the dedicated rate of
   * every job. It is null if a job was given up or passed no barrier.
   */
  get slowdown(): number | null {
    const { rates } = this
    const { parameters } = this.#cluster.mix
    if (this.aborted.length > 0 || rates.some((rate) => rate === 0)) return null
    const gang = toUnits(SLOT) / (toUnits(SLOT) + parameters.switching)
    return gang / sum(rates, (rate) => rate / dedicatedRate(parameters))
  }
}

/** Each value divided by the first; null if the first is 0. */
export const perFirst = (values: readonly number[]): (number | null)[] =>
  values.map((value) => (values[0] ? value / values[0] : null))
