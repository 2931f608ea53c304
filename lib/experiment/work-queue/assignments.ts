/** The assignment of a run's points to hosts. No messages and no clock here. */

/** The most hosts that may run one point: when all points are assigned, idle workers run slow ones a second time. */
const COPIES = 2

interface Assignment {
  /** The number of the heartbeat when the point was first assigned. */
  readonly since: number
  readonly hosts: readonly string[]
}

export class Assignments {
  /** Points that are not assigned; the next one is last. */
  readonly #waiting: number[]
  /** The assignment of each point, in the order of assignment. */
  readonly #assigned = new Map<number, Assignment>()
  readonly #patience: number
  readonly #ended = new Set<number>()
  readonly #points: number

  /**
   * Makes the assignments of a sweep in which no point has been assigned.
   *
   * @param patience heartbeats after which a point counts as slow
   */
  constructor(points: number, patience: number) {
    this.#patience = patience
    this.#waiting = Array.from({ length: points }, (_, i) => points - 1 - i)
    this.#points = points
  }

  /** Whether every point has ended. */
  get isOver(): boolean {
    return this.#ended.size === this.#points
  }

  /** The point to offer to a host next: one that is not assigned, or else the first slow one of other hosts. */
  next(heartbeat: number, host: string): number | undefined {
    const next = this.#waiting.at(-1)
    if (next !== undefined) return next
    for (const [n, { since, hosts }] of this.#assigned) {
      if (heartbeat - since >= this.#patience && hosts.length < COPIES && !hosts.includes(host)) return n
    }
    return undefined
  }

  /** Assigns a point to a host that has taken it. Its result may have arrived before that. */
  give(n: number, host: string, heartbeat: number): void {
    if (this.#ended.has(n)) return
    this.#stopWaiting(n)
    const { since, hosts } = this.#assigned.get(n) ?? { since: heartbeat, hosts: [] }
    this.#assigned.set(n, { since, hosts: [...hosts, host] })
  }

  /** Marks a point as ended; false if it had ended before, or does not exist. */
  end(n: number): boolean {
    if (n >= this.#points || this.#ended.has(n)) return false
    this.#ended.add(n)
    this.#assigned.delete(n)
    this.#stopWaiting(n)
    return true
  }

  #stopWaiting(n: number): void {
    const at = this.#waiting.lastIndexOf(n)
    if (at >= 0) this.#waiting.splice(at, 1)
  }

  /** Removes a host that has failed. Returns how many points wait again, because no other host has them. */
  lose(host: string): number {
    return this.keep(host, [], Number.POSITIVE_INFINITY)
  }

  /**
   * Compares the assignments of a host with the `points` that it reports. The host has dropped a point that was assigned
   * before `heartbeat` and is not among them. Returns the number of points that wait again.
   */
  keep(host: string, points: readonly number[], heartbeat: number): number {
    let lost = 0
    for (const [n, { since, hosts }] of [...this.#assigned]) {
      if (since >= heartbeat || points.includes(n) || !hosts.includes(host)) continue
      const others = hosts.filter((other) => other !== host)
      if (others.length > 0) this.#assigned.set(n, { since, hosts: others })
      else {
        this.#assigned.delete(n)
        this.#waiting.push(n)
        lost++
      }
    }
    return lost
  }
}
