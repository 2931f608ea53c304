/**
 * Checks that the job that had the processor was next in turn. Each client's pass is calculated again, from what was
 * told when it joined or its tickets changed, and from the time that it had since. The passes that a processor tells
 * in between are not trusted.
 *
 * The promise (spec, section 11, I5; Waldspurger & Weihl, TM-528): of any two clients that stay and keep their
 * tickets, each has its part by these to within a quantum. With strides s and passes p, `(p(a) - p(b)) / (s(a) +
 * s(b))` is by how many quanta a is ahead of its part of what both had. If no client runs that is ahead of another,
 * this is never more than `s(a) / (s(a) + s(b))`, nor less than `-s(b) / (s(a) + s(b))`, because it changes by one
 * quantum, with its switch, at most. So every stay is checked for this, also where clients come and go too often for
 * any two to have had parts.
 */
import TinyQueue from 'tinyqueue'
import type { Pace } from '../../../actors/processor/stride.ts'
import type { Time } from '../../../lib/actor.ts'
import { slack } from './rounding.ts'

interface Client {
  readonly stride: number
  /** The pass at the moment when its tickets became what they are. */
  readonly began: number
  readonly since: Time
  readonly used: Time
  readonly pass: number
}

interface Entry {
  readonly job: string
  readonly client: Client
}

/** The client that should have had the processor, and how far the other was ahead of it, in quanta. */
export interface Overtaken {
  readonly job: string
  readonly ahead: number
}

export class Precedence {
  readonly #pace: Pace
  readonly #clients = new Map<string, Client>()
  /** Clients by pass; some entries are out of date. */
  readonly #queue = new TinyQueue<Entry>([], (one, other) => one.client.pass - other.client.pass)

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /** A job competes from now on, with `net` tickets (> 0) and this pass. */
  set(job: string, net: number, pass: number, at: Time): void {
    const stride = this.#pace.stride1 / net
    this.#enter(job, { stride, began: pass, since: at, used: 0, pass })
  }

  delete(job: string): void {
    this.#clients.delete(job)
  }

  /** A job had the processor, or the switch to it. Returns the job that should have had it instead, or null. */
  ran(job: string, from: Time, until: Time): Overtaken | null {
    const client = this.#clients.get(job)
    if (!client) return null
    // if its tickets have changed since, its pass at the start is not known
    const precedent = client.since > from ? null : this.#precedent(job, client, from)
    const used = client.used + until - Math.max(from, client.since)
    this.#enter(job, { ...client, used, pass: client.began + client.stride * (used / this.#pace.quantum) })
    return precedent
  }

  #enter(job: string, client: Client): void {
    this.#clients.set(job, client)
    this.#queue.push({ job, client })
  }

  #precedent(job: string, { pass, stride }: Client, from: Time): Overtaken | null {
    if (!this.#isBehind(this.#least(), pass)) return null
    let worst: Overtaken | null = null
    for (const [other, client] of this.#clients) {
      // a job that came during the stay may be behind: no job has to yield before its quantum is over
      if (other === job || client.since > from || !this.#isBehind(client, pass)) continue
      const ahead = (pass - client.pass) / (stride + client.stride)
      if (!worst || ahead > worst.ahead) worst = { job: other, ahead }
    }
    return worst
  }

  #isBehind(client: Client | undefined, pass: number): boolean {
    return client !== undefined && client.pass < pass - slack(client.pass, pass)
  }

  #least(): Client | undefined {
    for (let top = this.#queue.peek(); top !== undefined; top = this.#queue.peek()) {
      if (this.#clients.get(top.job) === top.client) return top.client
      this.#queue.pop()
    }
    return undefined
  }
}
