/** The entitlement of jobs at every instant, folded from the facts of processors about their tickets. */
import { type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { FactAbout } from '../../lib/system.ts'

/** The share of its machine, of each job that competes; by job. */
type Shares = ReadonlyMap<string, number>

export class Entitlement {
  /** Net tickets of each job that competes, by machine. */
  readonly #nets = new Map<string, Map<string, number>>()
  /** The shares from each instant on. */
  readonly #history: { readonly at: Time; readonly shares: Shares }[] = []

  fold(fact: Message, { who, at }: FactAbout): void {
    const { type, job, tickets, extra } = fact
    if (roleOf(who) !== 'processor' || typeof job !== 'string') return
    const nets = this.#nets.get(machineOf(who)) ?? new Map<string, number>()
    this.#nets.set(machineOf(who), nets)
    if (type === 'left') nets.delete(job)
    else if (type === 'joined' || type === 'funded') nets.set(job, Number(tickets) + Number(extra))
    else return
    // only the last state of an instant counts
    if (this.#history.at(-1)?.at === at) this.#history.pop()
    this.#history.push({ at, shares: this.#shares() })
  }

  /** A machine has died, and everything on it. */
  died(machine: string, at: Time): void {
    this.#nets.delete(machine)
    this.#history.push({ at, shares: this.#shares() })
  }

  #shares(): Shares {
    return new Map(
      [...this.#nets.values()].flatMap((nets) => {
        const total = [...nets.values()].reduce((sum, net) => sum + net, 0)
        return [...nets].map(([job, net]) => [job, net / total] as const)
      }),
    )
  }

  /** All shares in a span of time, without its end. */
  during(from: Time, until: Time): Shares[] {
    const before = this.#history.findLast(({ at }) => at <= from)
    const within = this.#history.filter(({ at }) => at > from && at < until)
    return [...(before ? [before] : []), ...within].map(({ shares }) => shares)
  }

  /**
   * The instant since which `holds` has been true of the shares until the end; Infinity if it is not true at the end.
   */
  since(holds: (shares: Shares) => boolean): Time {
    const last = this.#history.findLastIndex(({ shares }) => !holds(shares))
    return this.#history[last + 1]?.at ?? Number.POSITIVE_INFINITY
  }
}
