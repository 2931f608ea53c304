/**
 * The rules of stride scheduling in exact fractions, written from the paper and not from stride.ts. Stride of one
 * ticket: 1.
 */
import { Fraction, whole } from './fraction.ts'

interface Exact {
  readonly order: number
  tickets: number
  pass: Fraction
  /** Its distance beyond the global pass when it left; used while it is away. */
  remain: Fraction
  isAway: boolean
}

export class ExactNode {
  globalPass = whole(0)
  readonly clients = new Map<string, Exact>()

  create(name: string, tickets: number): void {
    const stride = new Fraction(1n, BigInt(tickets))
    const pass = this.globalPass.plus(stride)
    this.clients.set(name, { order: this.clients.size, tickets, pass, remain: stride, isAway: false })
  }

  pick(): string {
    let best: [string, Exact] | undefined
    for (const [name, client] of this.#competitors) {
      const ahead = best ? client.pass.compare(best[1].pass) : -1
      if (!best || ahead < 0 || (ahead === 0 && client.order < best[1].order)) best = [name, client]
    }
    if (!best) throw new Error('no client is ready')
    const [name, client] = best
    const total = this.#competitors.reduce((sum, [, { tickets }]) => sum + tickets, 0)
    client.pass = client.pass.plus(new Fraction(1n, BigInt(client.tickets)))
    this.globalPass = this.globalPass.plus(new Fraction(1n, BigInt(total)))
    return name
  }

  leave(name: string): void {
    const client = this.#of(name)
    client.remain = client.pass.minus(this.globalPass)
    client.isAway = true
  }

  /** Changes the tickets, which makes the rest of the stride longer or shorter. */
  comeBack(name: string, tickets: number): void {
    const client = this.#of(name)
    client.pass = this.globalPass.plus(client.remain.times(new Fraction(BigInt(client.tickets), BigInt(tickets))))
    client.tickets = tickets
    client.isAway = false
  }

  get #competitors(): [string, Exact][] {
    return [...this.clients].filter(([, { isAway }]) => !isAway)
  }

  #of(name: string): Exact {
    const client = this.clients.get(name)
    if (!client) throw new Error(`${name} is unknown`)
    return client
  }
}
