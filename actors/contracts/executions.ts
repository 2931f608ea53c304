/** What processors do with tasks: each runs one at a time, and each task is run on one at a time. */
import type { Address, Time } from '../../lib/actor.ts'
import type { ProcessorFact } from '../processor/messages.ts'

export class Executions {
  /** Who runs what. */
  readonly #tasks = new Map<Address, number>()
  /** What is run by whom. */
  readonly #processors = new Map<number, Address>()
  readonly #ran = new Map<number, Time>()
  readonly #broke: (property: string, text: string) => void

  constructor(broke: (property: string, text: string) => void) {
    this.#broke = broke
  }

  fold(fact: ProcessorFact, who: Address): void {
    const { task } = fact
    if (fact.type === 'started') {
      const other = this.#tasks.get(who)
      if (other !== undefined) {
        this.#broke('a processor runs one task at a time', `${who} began task ${task} and still has ${other}`)
      }
      const elsewhere = this.#processors.get(task)
      if (elsewhere !== undefined) {
        this.#broke(
          'a task runs on one processor at a time',
          `task ${task} began on ${who} and still is on ${elsewhere}`,
        )
      }
      this.#tasks.set(who, task)
      this.#processors.set(task, who)
      return
    }
    this.#tasks.delete(who)
    this.#processors.delete(task)
    this.#ran.set(task, this.ranOf(task) + fact.busy)
  }

  /** For how long it has been run, all attempts together. */
  ranOf(task: number): Time {
    return this.#ran.get(task) ?? 0
  }
}
