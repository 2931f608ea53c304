/** Who had the processors, folded from facts: processor time by job, machine and window of time. */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'

/** A job's process on one machine. */
interface Used {
  readonly job: string
  readonly machine: string
  /** In each window since time 0. */
  readonly windows: Time[]
}

export class Usage {
  readonly window: Time
  readonly #used = new Map<string, Used>()

  /** Spans of time that are asked for must begin and end with windows. */
  constructor(window: Time) {
    this.window = window
  }

  /** Takes in one fact; only what a processor says of jobs that ran counts. */
  fold(fact: Message, who: Address, at: Time): void {
    const { type, job, used } = fact
    if (type !== 'ran' || roleOf(who) !== 'processor' || typeof job !== 'string' || typeof used !== 'number') return
    const { windows } = this.#of(job, machineOf(who))
    for (let from = at - used; from < at; ) {
      const n = Math.floor(from / this.window)
      const until = Math.min(at, (n + 1) * this.window)
      windows[n] = (windows[n] ?? 0) + until - from
      from = until
    }
  }

  #of(job: string, machine: string): Used {
    const key = `${job}@${machine}`
    const used = this.#used.get(key) ?? { job, machine, windows: [] }
    this.#used.set(key, used)
    return used
  }

  /** Processor time from one instant to another; of all jobs that match. */
  between(from: Time, until: Time, matches: (job: string, machine: string) => boolean): Time {
    let sum = 0
    for (const { job, machine, windows } of this.#used.values()) {
      if (!matches(job, machine)) continue
      for (let n = Math.round(from / this.window); n < Math.round(until / this.window); n++) sum += windows[n] ?? 0
    }
    return sum
  }

  /** Processor time of each job on each machine, in the order in which they first ran. */
  get totals(): { readonly job: string; readonly machine: string; readonly cpu: Time }[] {
    return [...this.#used.values()].map(({ job, machine, windows }) => ({
      ...{ job, machine },
      cpu: windows.reduce((sum, used = 0) => sum + used, 0),
    }))
  }
}
