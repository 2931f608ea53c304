/** A processor driven by hand: the rules of stride scheduling without a machine, messages or switching. */
import {
  advance,
  type Client,
  charge,
  competitors,
  dispatch,
  EMPTY,
  entering,
  join,
  leaving,
  netOf,
  type Pace,
  type Queue,
  requeue,
  without,
} from '../../actors/processor/stride.ts'

export interface Named extends Client {
  readonly name: string
}

export const QUANTUM = 4

export class Node {
  queue: Queue<Named> = EMPTY
  now = 0
  #created = 0
  readonly #pace: Pace
  readonly #away = new Map<string, Named>()

  constructor(stride1: number) {
    this.#pace = { quantum: QUANTUM, stride1 }
  }

  /** Admits a client; its first pass is one stride beyond the global pass, or equal to it. */
  create(name: string, tickets: number, start: 'stride' | 'zero' = 'stride', extra = 0): this {
    const lag = start === 'stride' ? this.#pace.stride1 : 0
    this.#away.set(name, { name, order: this.#created++, tickets, extra, lag, pass: 0 })
    return this.comeBack(name)
  }

  /** Runs the next client for its quantum, or for a part of it. */
  pick(part = 1): string {
    const { running, ...queue } = dispatch(this.queue)
    if (!running) throw new Error('no client is ready')
    const used = part * QUANTUM
    this.now += used
    this.queue = requeue(advance({ ...queue, running: charge(running, used, this.#pace) }, this.now, this.#pace))
    return running.name
  }

  picks(count: number): string {
    return Array.from({ length: count }, () => this.pick()).join('')
  }

  leave(name: string): this {
    const client = this.of(name)
    this.#away.set(name, leaving(this.queue, client))
    this.queue = without(this.queue, client)
    return this
  }

  comeBack(name: string, changes: Partial<Named> = {}): this {
    const client = this.#away.get(name)
    if (!client) throw new Error(`${name} is not away`)
    this.#away.delete(name)
    const queue = advance(this.queue, this.now, this.#pace)
    this.queue = join(queue, entering(queue, { ...client, ...changes }))
    return this
  }

  /** Changes the tickets of a client, or its exhaustible ones. */
  change(name: string, changes: Partial<Named>): this {
    return this.leave(name).comeBack(name, changes)
  }

  of(name: string): Named {
    const client = competitors(this.queue).find((client) => client.name === name)
    if (!client) throw new Error(`${name} does not compete`)
    return client
  }

  get passes(): Readonly<Record<string, number>> {
    return Object.fromEntries(competitors(this.queue).map(({ name, pass }) => [name, pass]))
  }

  get net(): number {
    return competitors(this.queue).reduce((sum, client) => sum + netOf(client), 0)
  }
}
