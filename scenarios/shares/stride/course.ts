/** The course of one processor, folded from facts: who had it when, who slept when, and what tickets stood for. */
import { type Address, type Message, roleOf, type Time } from '../../../lib/actor.ts'
import { stayOf } from '../stay.ts'

/** One stay on the processor, or one sleep. */
export interface Stretch {
  readonly job: string
  readonly from: Time
  readonly until: Time
}

export class Course {
  /** In the order of their ends. */
  readonly ran: Stretch[] = []
  readonly slept: Stretch[] = []
  /** Who was withdrawn. */
  readonly gone = new Set<string>()
  readonly #asleep = new Map<string, Time>()
  /** Net tickets of all who compete. */
  readonly #net = new Map<string, number>()
  readonly #due = new Map<string, number>()
  #at: Time = 0

  fold(fact: Message, who: Address, at: Time): void {
    const { type, job } = fact
    if (roleOf(who) !== 'processor' || typeof job !== 'string') return
    const stay = stayOf(fact, who, at)
    if (stay) {
      if (stay.from < stay.until) this.ran.push(stay)
    } else if (type === 'joined' || type === 'funded') {
      this.#advance(at)
      this.#wake(job, at)
      this.#net.set(job, Number(fact['tickets']) + Number(fact['extra']))
    } else if (type === 'left') {
      this.#advance(at)
      this.#wake(job, at)
      this.#net.delete(job)
      if (fact['why'] === 'asleep') this.#asleep.set(job, at)
      if (fact['why'] === 'withdrawn') this.gone.add(job)
    }
  }

  /** What a job's tickets stood for: its part of those of all who competed, summed over the time. */
  dueTo(job: string): number {
    return this.#due.get(job) ?? 0
  }

  /** All facts are in: of a processor that died nobody says who was ready last. */
  close(): void {
    this.#advance(Math.max(this.#at, this.ran.at(-1)?.until ?? 0))
  }

  #advance(at: Time): void {
    const total = [...this.#net.values()].reduce((sum, net) => sum + net, 0)
    for (const [job, net] of this.#net) this.#due.set(job, this.dueTo(job) + ((at - this.#at) * net) / total)
    this.#at = at
  }

  #wake(job: string, at: Time): void {
    const from = this.#asleep.get(job)
    if (from === undefined) return
    this.#asleep.delete(job)
    this.slept.push({ job, from, until: at })
  }
}
