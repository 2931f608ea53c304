/**
 * Who had the processor, and was it its turn? Each client's pass is worked out anew: from what was told of it when it joined
 * or its tickets changed, and the time that it had since. What a processor says of passes in between is not believed.
 *
 * The promise (spec, section 11, I5; Waldspurger & Weihl, TM-528) is that of any two clients that stay and keep their
 * tickets each has its part by these to within a quantum. With strides s and passes p, `(p(a) - p(b)) / (s(a) + s(b))` is by
 * how many quanta a is ahead of its part of what both had. Where nobody runs who is ahead of another, that is never more
 * than `s(a) / (s(a) + s(b))`, nor less than `-s(b) / (s(a) + s(b))`: it changes by one quantum, with its switch, at most.
 * So every stay is held to this, also where clients come and go too often for any two to have had parts.
 */
import TinyQueue from 'tinyqueue'
import type { Pace } from '../../../actors/processor/stride.ts'
import type { Time } from '../../../lib/actor.ts'
import { slack } from './rounding.ts'

interface Client {
  readonly stride: number
  /** Of the moment when its tickets became what they are. */
  readonly began: number
  readonly since: Time
  readonly used: Time
  readonly pass: number
}

interface Entry {
  readonly job: string
  readonly client: Client
}

/** The client that should have had the processor, and how far ahead of it the other was, in quanta. */
export interface Overtaken {
  readonly job: string
  readonly ahead: number
}

export class Precedence {
  readonly #pace: Pace
  readonly #clients = new Map<string, Client>()
  /** By pass; of clients that are not what they were then, too. */
  readonly #queue = new TinyQueue<Entry>([], (one, other) => one.client.pass - other.client.pass)

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /** It competes from now on, with so many net tickets (> 0) and this pass. */
  set(job: string, net: number, pass: number, at: Time): void {
    const stride = this.#pace.stride1 / net
    this.#enter(job, { stride, began: pass, since: at, used: 0, pass })
  }

  delete(job: string): void {
    this.#clients.delete(job)
  }

  /** It had the processor, or the switch to it. Who was to have it instead, if anybody was. */
  ran(job: string, from: Time, until: Time): Overtaken | null {
    const client = this.#clients.get(job)
    if (!client) return null
    // with other tickets since, where it was at the start is not known
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
      // who came during the stay may be behind: nobody has to give way before the quantum is over
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
