/** One run on this host: it has actors there while it holds its lease and the coordinator is heard. */

import { thrownOf } from '../../core/thrown.ts'
import type { NatsConnection } from '../connect.ts'
import { ALONE_MS, HEARTBEAT_MS } from '../failure-detector.ts'
import type { Leases } from '../leases.ts'
import type { Secret } from '../secret.ts'
import { NodeChannel, type NodeMessage } from '../wire/node-channel.ts'
import { COORDINATOR, type Frames, type Note, type Packing } from '../wire/protocol.ts'
import { StreamError } from '../wire/sequence.ts'
import { HostAgent } from './agent.ts'
import { clockOffsetMs } from './clock-offset.ts'
import { LeaseKeeper } from './lease-keeper.ts'

export interface HostSessionDeps {
  readonly connection: NatsConnection
  readonly secret: Secret
  readonly packing: Packing
  readonly leases: Leases
  /** The host's name, and that of this one process. */
  readonly name: string
  readonly id: string
  readonly note: (text: string) => void
}

export class HostSession {
  readonly #name: string
  readonly #note: (text: string) => void
  readonly #line: NodeChannel
  readonly #leaseKeeper: LeaseKeeper
  readonly #agent: HostAgent
  /** When the run was heard of last, in milliseconds. */
  #heard = performance.now()
  #isOver = false
  /** What ended it, if that was an error. */
  #failure: unknown

  private constructor({ name, note }: HostSessionDeps, line: NodeChannel, tenure: LeaseKeeper, steward: HostAgent) {
    this.#name = name
    this.#note = note
    this.#line = line
    this.#leaseKeeper = tenure
    this.#agent = steward
  }

  /**
   * Takes part in a run; the returned promise settles when that is over.
   *
   * @throws if the host takes part in it already
   */
  static async open(
    surroundings: HostSessionDeps,
    run: string,
    invitation: Frames['enlist'],
    signal: AbortSignal,
  ): Promise<{ readonly node: number; readonly over: Promise<void> }> {
    const { connection, secret, packing, leases, name, id, note } = surroundings
    const tenure = await LeaseKeeper.begin(leases, run, name, id)
    try {
      const mayPublish = (): boolean => tenure.isHeld
      const line = new NodeChannel({ connection, secret, note, packing, run, self: tenure.epoch, mayPublish })
      const steward = new HostAgent(line, invitation, await clockOffsetMs(line))
      return { node: line.self, over: new HostSession(surroundings, line, tenure, steward).#toEnd(signal) }
    } catch (error) {
      await tenure.end()
      throw error
    }
  }

  async #toEnd(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#end('it leaves')
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const beat = setInterval(() => this.#beat(), HEARTBEAT_MS)
    this.#leaseKeeper.watch((why) => this.#end(why))
    const subscription = this.#line.listen(
      (said) => this.#hear(said),
      (error) => this.#fail(error),
    )
    try {
      while (!this.#isOver) await this.#agent.pass()
      if (this.#failure !== undefined) throw this.#failure
    } catch (error) {
      this.#end(thrownOf(error).message)
      // where only this host is at fault, the run goes on without it
      if (!(error instanceof StreamError)) this.#report({ type: 'broken', cause: thrownOf(error) })
    } finally {
      clearInterval(beat)
      signal.removeEventListener('abort', stop)
      await this.#agent.stop()
      subscription.unsubscribe()
      this.#report({ type: 'left' })
      await this.#leaseKeeper.end()
    }
  }

  #hear(said: NodeMessage): void {
    if (said.from === COORDINATOR) this.#heard = performance.now()
    if (said.what !== 'over') this.#agent.hear(said)
    else if (said.from === COORDINATOR) this.#end('it is over')
  }

  #fail(error: unknown): void {
    this.#failure = error
    this.#end(thrownOf(error).message)
  }

  /** What cannot be sent is not heard: then the run notices the silence. */
  #report(note: Note): void {
    try {
      this.#agent.report(note)
    } catch {}
  }

  /** Lets go of the run; `why` is told. */
  #end(why: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#note(`${this.#name} lets go of the run ${this.#line.run}: ${why}`)
    this.#agent.wake()
  }

  /** Renews the lease, or lets go of the run if its coordinator is silent. */
  #beat(): void {
    if (!this.#leaseKeeper.isHeld) return
    if (performance.now() - this.#heard >= ALONE_MS) return this.#end('nobody waits for it')
    // only the holder of the lease says that it is there: a host that is silent for longer than a lease lasts has none
    this.#agent.tally()
    void this.#leaseKeeper.renew()
  }
}
