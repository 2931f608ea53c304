/** What part of the base tickets of its machine each job holds, asleep or not, folded from what processors say. */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'

/** By machine and job. */
type Shares = ReadonlyMap<string, ReadonlyMap<string, number>>

export class Holdings {
  readonly #tickets = new Map<string, Map<string, number>>()
  /** What held from each instant on. */
  readonly #history: { readonly at: Time; readonly shares: Shares }[] = []

  fold(fact: Message, who: Address, at: Time): void {
    const { type, job, tickets, why } = fact
    if (roleOf(who) !== 'processor' || typeof job !== 'string') return
    const machine = machineOf(who)
    const held = this.#tickets.get(machine) ?? new Map<string, number>()
    this.#tickets.set(machine, held)
    const isOver = type === 'left' && (why === 'done' || why === 'withdrawn')
    if (isOver) held.delete(job)
    else if ((type === 'joined' || type === 'funded') && held.get(job) !== tickets) held.set(job, Number(tickets))
    else return
    // of one instant only the end counts
    if (this.#history.at(-1)?.at === at) this.#history.pop()
    this.#history.push({ at, shares: this.#shares() })
  }

  #shares(): Shares {
    return new Map(
      [...this.#tickets].map(([machine, held]) => {
        const total = [...held.values()].reduce((sum, tickets) => sum + tickets, 0)
        return [machine, new Map([...held].map(([job, tickets]) => [job, tickets / total]))] as const
      }),
    )
  }

  /** All that held in a span of time, its end not included. */
  during(from: Time, until: Time): Shares[] {
    const before = this.#history.findLast(({ at }) => at <= from)
    const within = this.#history.filter(({ at }) => at > from && at < until)
    return [...(before ? [before] : []), ...within].map(({ shares }) => shares)
  }
}
