/**
 * The use of processors, folded from facts: stays of processes, and processor time by job, machine and span of time.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'

/**
 * One stay of a process on a processor, without the switch before it; empty if it lost the processor during the
 * switch.
 */
export interface Stay {
  readonly job: string
  readonly machine: string
  readonly from: Time
  readonly until: Time
}

/**
 * The stay that ends with a fact, including the switch before it: stride scheduling charges the process for both.
 */
export function chargedStayOf(fact: Message, who: Address, at: Time): Stay | undefined {
  const stay = stayOf(fact, who, at)
  const { switching } = fact
  return stay && typeof switching === 'number' ? { ...stay, from: stay.from - switching } : stay
}

/** The stay that ends with a fact; undefined for other facts. */
export function stayOf({ type, job, used }: Message, who: Address, at: Time): Stay | undefined {
  if (type !== 'ran' || roleOf(who) !== 'processor' || typeof job !== 'string' || typeof used !== 'number') return
  return { job, machine: machineOf(who), from: at - used, until: at }
}

/** The processor time of a job's process on one machine. */
interface Used {
  readonly job: string
  readonly machine: string
  /** The times before the first cut, between cuts, and after the last one. */
  readonly times: Time[]
}

/** Cuts at the end of each period. */
export const periods = (period: Time, until: Time): Time[] =>
  Array.from({ length: Math.floor(until / period) }, (_, n) => (n + 1) * period)

export class Usage {
  readonly #cuts: readonly Time[]
  readonly #stayOf: typeof stayOf
  readonly #used = new Map<string, Used>()

  /**
   * `cuts`: the beginnings and ends of the spans to ask for, in any order; 0 and Infinity are always among them.
   * `counted`: the part of a stay that counts.
   */
  constructor(cuts: readonly Time[] = [], counted: typeof stayOf = stayOf) {
    this.#stayOf = counted
    this.#cuts = [...new Set([0, ...cuts, Number.POSITIVE_INFINITY])].sort((one, other) => one - other)
  }

  /** Takes in one fact; only facts of processors about jobs that ran count. */
  fold(fact: Message, who: Address, at: Time): void {
    const stay = this.#stayOf(fact, who, at)
    if (!stay) return
    const { times } = this.#of(stay.job, stay.machine)
    for (let { from } = stay, n = this.#spanAt(from); from < stay.until; n++) {
      const until = Math.min(stay.until, this.#cuts[n + 1] ?? stay.until)
      times[n] = (times[n] ?? 0) + until - from
      from = until
    }
  }

  /** The number of the last cut that is not after an instant. */
  #spanAt(at: Time): number {
    let [low, high] = [0, this.#cuts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#cuts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  #of(job: string, machine: string): Used {
    const key = `${job}@${machine}`
    const used = this.#used.get(key) ?? { job, machine, times: [] }
    this.#used.set(key, used)
    return used
  }

  /** The processor time of all matching jobs from one instant to another. @throws RangeError if either is not a cut */
  between(from: Time, until: Time, matches: (job: string, machine: string) => boolean): Time {
    const [first, end] = [this.#cutAt(from), this.#cutAt(until)]
    const own = [...this.#used.values()].filter(({ job, machine }) => matches(job, machine))
    return sum(own, ({ times }) => sumOf(times.slice(first, end)))
  }

  #cutAt(at: Time): number {
    const cut = this.#spanAt(at)
    if (this.#cuts[cut] !== at) throw new RangeError(`processor time was not cut at ${at}`)
    return cut
  }

  /** The processor time of each job on each machine, ordered by when they first ran. */
  get totals(): { readonly job: string; readonly machine: string; readonly cpu: Time }[] {
    return [...this.#used.values()].map(({ job, machine, times }) => ({ job, machine, cpu: sumOf(times) }))
  }
}

// spans without a run are holes
const sumOf = (times: readonly Time[]): Time => sum(times, (time = 0) => time)
