/** Which points of a run are given to whom. No messages and no clock here. */

/** So many hosts may run one point: when all points are given out, free lanes run those again that take long. */
const COPIES = 2

interface Given {
  /** The beat in which it was given out first. */
  readonly since: number
  readonly hosts: readonly string[]
}

export class Assignments {
  /** Given to nobody, the next last. */
  readonly #waiting: number[]
  /** By point, in the order in which they were given out. */
  readonly #given = new Map<number, Given>()
  readonly #patience: number
  readonly #ended = new Set<number>()
  readonly #points: number

  /** `patience`: beats after which a point takes long. */
  constructor(points: number, patience: number) {
    this.#patience = patience
    this.#waiting = Array.from({ length: points }, (_, i) => points - 1 - i)
    this.#points = points
  }

  /** Has every point ended? */
  get isOver(): boolean {
    return this.#ended.size === this.#points
  }

  /** The point to give out next: one that nobody has, or else the first of those that take long. */
  next(beat: number): number | undefined {
    const next = this.#waiting.at(-1)
    if (next !== undefined) return next
    for (const [n, { since, hosts }] of this.#given) {
      if (beat - since >= this.#patience && hosts.length < COPIES) return n
    }
    return undefined
  }

  /** A host has taken a point; what came of it may have been heard before. */
  give(n: number, host: string, beat: number): void {
    if (this.#ended.has(n)) return
    const at = this.#waiting.lastIndexOf(n)
    if (at >= 0) this.#waiting.splice(at, 1)
    const { since, hosts } = this.#given.get(n) ?? { since: beat, hosts: [] }
    this.#given.set(n, { since, hosts: [...hosts, host] })
  }

  /** A point has ended; false if it had before, or there is none of that number. */
  end(n: number): boolean {
    if (n >= this.#points || this.#ended.has(n)) return false
    this.#ended.add(n)
    this.#given.delete(n)
    const at = this.#waiting.lastIndexOf(n)
    if (at >= 0) this.#waiting.splice(at, 1)
    return true
  }

  /** A host is gone: how many points wait again, since nobody else has them. */
  lose(host: string): number {
    return this.keep(host, [], Number.POSITIVE_INFINITY)
  }

  /**
   * A host says which points it has: what was given out before `beat` and is not among them it has let go. How many wait
   * again.
   */
  keep(host: string, points: readonly number[], beat: number): number {
    let lost = 0
    for (const [n, { since, hosts }] of [...this.#given]) {
      if (since >= beat || points.includes(n) || !hosts.includes(host)) continue
      const others = hosts.filter((other) => other !== host)
      if (others.length > 0) this.#given.set(n, { since, hosts: others })
      else {
        this.#given.delete(n)
        this.#waiting.push(n)
        lost++
      }
    }
    return lost
  }
}
