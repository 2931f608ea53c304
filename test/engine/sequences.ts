/**
 * Random histories of a machine. Most are the history of a real incarnation with events left out, repeated and inserted; the
 * others take events of all incarnations in any order. An inserted event may have its fields mixed with those of another one of
 * its type. An event of a type that no run ever had is made of the fields of other events.
 */
import type { Incoming } from '../../lib/actor/step-context.ts'
import { stream, type Uniform } from '../../lib/core/random.ts'
import { groupsOf } from '../../lib/core/tally.ts'
import type { Species, Specimen } from './specimens.ts'

export const LENGTH = 20

export interface History {
  readonly incarnation: Specimen
  readonly events: readonly Incoming[]
  /** The instant of all its events. */
  readonly at: number
}

export class Histories {
  readonly #incarnations: readonly Specimen[]
  readonly #byType: ReadonlyMap<string, readonly Incoming[]>
  readonly #types: readonly string[]
  readonly #times: readonly number[]
  readonly #next: Uniform

  constructor({ module, incarnations, events }: Species, seed: number) {
    if (incarnations.length === 0) throw new Error(`no run of specimens.ts has an actor of ${module}: add one`)
    this.#next = stream(seed, `histories of ${module}`)
    this.#incarnations = incarnations
    const told = incarnations.flatMap(({ told }) => told)
    const heard = told.map(({ event, from }): Incoming => ({ event, from }))
    this.#byType = groupsOf(heard, ({ event }) => event.type)
    this.#types = [...new Set([...events, ...this.#byType.keys(), 'nothing.it.knows'])]
    this.#times = [0, ...told.map(({ at }) => at)]
  }

  next(): History {
    const incarnation = this.#pick(this.#incarnations)
    const events = this.#next() < 0.6 ? this.#changed(incarnation) : Array.from({ length: LENGTH }, () => this.#event())
    return { incarnation, events, at: this.#pick(this.#times) }
  }

  #changed({ told }: Specimen): Incoming[] {
    const from = this.#next() < 0.7 ? 0 : Math.floor(this.#next() * told.length)
    const events = told.slice(from, from + LENGTH).flatMap((event) => {
      const u = this.#next()
      if (u < 0.1) return []
      if (u < 0.2) return [event, event]
      return u < 0.4 ? [event, this.#event()] : [event]
    })
    while (events.length < LENGTH) events.push(this.#event())
    return events.slice(0, LENGTH)
  }

  #event(): Incoming {
    const type = this.#pick(this.#types)
    const known = this.#byType.get(type)
    const event = known ? this.#pick(known) : withFields(this.#anything(), { type })
    return this.#next() < 0.2 ? this.#mixed(event, known ? this.#pick(known) : this.#anything()) : event
  }

  #anything(): Incoming {
    const all = this.#byType.get(this.#pick([...this.#byType.keys()])) ?? []
    return this.#pick(all)
  }

  #mixed(event: Incoming, other: Incoming): Incoming {
    const fields = Object.entries(other.event).filter(([key]) => key !== 'type' && this.#next() < 0.5)
    return withFields(event, Object.fromEntries(fields))
  }

  #pick<T>(from: readonly T[]): T {
    const one = from[Math.floor(this.#next() * from.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
}

const withFields = ({ event, from }: Incoming, fields: object): Incoming => ({ event: { ...event, ...fields }, from })
