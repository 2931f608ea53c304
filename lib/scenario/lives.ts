/** The lives of objects, as phases one after another. */
import type { Time } from '../core/time.ts'
import type { ObjectPhase } from './page.ts'

type Id = string | number
type Open = Omit<ObjectPhase, 'until'>

/** Collects the phases of each object from facts in their order. A phase that begins ends the one before. */
export class Lives {
  readonly #phases = new Map<Id, ObjectPhase[]>()
  readonly #open = new Map<Id, Open>()

  begin(id: Id, from: Time, label: string, tone: string): void {
    this.end(id, from)
    this.#open.set(id, { label, from, tone })
  }

  /** Ends the open phase; `tone` replaces its tone, if the ending decides about it. A phase of no length is left out. */
  end(id: Id, until: Time, tone?: string): void {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    if (until === open.from) return
    const own = this.#phases.get(id) ?? []
    if (own.length === 0) this.#phases.set(id, own)
    own.push({ ...open, until, ...(tone !== undefined && { tone }) })
  }

  /** The phases of an object; an open one lasts until `now`. */
  of(id: Id, now: Time): readonly ObjectPhase[] {
    const open = this.#open.get(id)
    return [...(this.#phases.get(id) ?? []), ...(open && now > open.from ? [{ ...open, until: now }] : [])]
  }
}
