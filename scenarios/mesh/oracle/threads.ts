/**
 * Checks the threads of jobs, from the facts that processors observe: each is on one processor, within its partition.
 */
import { isIn } from '../../../actors/mesh/mapping.ts'
import { type Mesh, processorsOf } from '../../../actors/mesh/mesh.ts'
import type { ProcessorFact } from '../../../actors/mesh/processor/book.ts'
import { type Rectangle, textOf } from '../../../actors/mesh/rectangle.ts'
import { processorAt } from '../../../actors/mesh/threads/crew.ts'
import { placeOf } from '../../../actors/mesh/threads/placement.ts'
import type { Address, Time } from '../../../lib/actor.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'

/** The processor of a thread; none while it is on its way. */
type Where = Address | 'on its way'

export class ThreadWatch {
  readonly #broken: Violation[]
  readonly #mesh: Mesh
  readonly #processors: ReadonlyMap<Address, number>
  /** The place of each thread, by job. */
  readonly #threads = new Map<number, Map<number, Where>>()
  /** The job that each processor has been told to run. */
  readonly #runs = new Map<Address, number>()
  /** The job that computes on each processor, according to leaders. */
  readonly #computes = new Map<Address, number>()
  /** The time until which each processor sends or receives a thread. */
  readonly #busy = new Map<Address, Time>()

  /** Violations are added to `broken`. */
  constructor(mesh: Mesh, broken: Violation[]) {
    this.#broken = broken
    this.#mesh = mesh
    this.#processors = new Map(
      Array.from({ length: processorsOf(mesh) }, (_, number) => [processorAt(mesh, number), number]),
    )
  }

  fold(fact: ProcessorFact, who: Address, at: Time): void {
    const threads = this.#of(fact.job)
    switch (fact.type) {
      case 'placed':
        for (const thread of fact.threads) {
          const where = threads.get(thread) ?? 'on its way'
          if (where !== 'on its way')
            this.#broke('a thread is in one place', `thread ${thread} of job ${fact.job} is on ${where} and on ${who}`)
          threads.set(thread, who)
        }
        return
      case 'sent':
        if (threads.get(fact.thread) !== who)
          this.#broke(
            'a thread is in one place',
            `${who} sends thread ${fact.thread} of job ${fact.job} and does not have it`,
          )
        if (this.#runs.has(who) || this.#computes.has(who))
          this.#broke(
            'a job stands still while its threads move',
            `${who} sends thread ${fact.thread} of job ${fact.job} while it runs one`,
          )
        threads.set(fact.thread, 'on its way')
        return this.#transfers([who, fact.to], at, at + fact.takes)
      case 'dropped':
        for (const [thread, where] of threads) if (where === who) threads.delete(thread)
        return
      case 'runs':
        return this.#begins(this.#runs, fact.job, who)
      case 'rests':
        this.#runs.delete(who)
    }
  }

  /** Checks a job that computes: all its threads are in the partition, on processors that run no other job. */
  resumed(job: number, partition: Rectangle): void {
    const threads = this.#threads.get(job)
    if (!threads) return
    const lost = processorsOf(this.#mesh) - threads.size
    if (lost > 0)
      this.#broke('a job has all its threads', `job ${job} computes, and ${lost} of its threads are nowhere`)
    for (const [thread, where] of threads) {
      const number = this.#processors.get(where)
      if (number === undefined || !isIn(partition, placeOf(this.#mesh, number)))
        this.#broke(
          'threads are in the partition',
          `thread ${thread} of job ${job} is ${where}, not in ${textOf(partition)}`,
        )
    }
    for (const where of new Set(threads.values())) this.#begins(this.#computes, job, where)
  }

  /** Notes that a job computes no more. */
  rested(job: number): void {
    for (const [processor, other] of this.#computes) if (other === job) this.#computes.delete(processor)
  }

  #begins(runs: Map<Address, number>, job: number, where: Address): void {
    const other = runs.get(where) ?? job
    if (other !== job) this.#broke('a processor runs threads of one job', `${where} runs jobs ${other} and ${job}`)
    runs.set(where, job)
  }

  #transfers(ends: readonly Address[], at: Time, until: Time): void {
    for (const end of ends) {
      if ((this.#busy.get(end) ?? 0) > at)
        this.#broke('one thread at a time', `${end} sends or takes two threads at ${at}`)
      this.#busy.set(end, until)
    }
  }

  #of(job: number): Map<number, Where> {
    const known = this.#threads.get(job)
    if (known) return known
    const threads = new Map<number, Where>()
    this.#threads.set(job, threads)
    return threads
  }

  #broke(property: string, text: string): void {
    this.#broken.push({ property, text })
  }
}
