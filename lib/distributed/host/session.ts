/** The session of one run on this host: it has actors while it holds its lease and hears the coordinator. */

import { milliseconds } from '../../clock/realtime.ts'
import { thrownOf } from '../../core/thrown.ts'
import type { NatsConnection } from '../connect.ts'
import { ALONE_MS, HEARTBEAT_MS } from '../failure-detector.ts'
import type { Leases } from '../leases.ts'
import type { Secret } from '../secret.ts'
import { NodeChannel, type NodeMessage } from '../wire/node-channel.ts'
import { COORDINATOR, type Frames, type Note, type Packing } from '../wire/protocol.ts'
import { StreamError } from '../wire/sequence.ts'
import { HostAgent } from './agent.ts'
import { LeaseKeeper } from './lease-keeper.ts'

/** The number of times that a host reads the clock of the coordinator. */
const READINGS = 8

export interface HostSessionDeps {
  readonly connection: NatsConnection
  readonly secret: Secret
  readonly packing: Packing
  readonly leases: Leases
  /** The name of the host, and the id of this process. */
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
  /** The time when the coordinator was last heard, in milliseconds. */
  #heard = performance.now()
  #isOver = false
  /** The error that ended the session. */
  #failure: unknown

  private constructor({ name, note }: HostSessionDeps, line: NodeChannel, leaseKeeper: LeaseKeeper, agent: HostAgent) {
    this.#name = name
    this.#note = note
    this.#line = line
    this.#leaseKeeper = leaseKeeper
    this.#agent = agent
  }

  /**
   * Joins a run.
   *
   * @throws if the host takes part in the run already
   */
  static async open(
    deps: HostSessionDeps,
    run: string,
    invitation: Frames['enlist'],
    signal: AbortSignal,
  ): Promise<{ readonly node: number; readonly over: Promise<void> }> {
    const { connection, secret, packing, leases, name, id, note } = deps
    const leaseKeeper = await LeaseKeeper.begin(leases, run, name, id)
    try {
      const mayPublish = (): boolean => leaseKeeper.isHeld
      const line = new NodeChannel({ connection, secret, note, packing, run, self: leaseKeeper.epoch, mayPublish })
      const agent = new HostAgent(line, invitation, await clockOffsetMs(line))
      return { node: line.self, over: new HostSession(deps, line, leaseKeeper, agent).#toEnd(signal) }
    } catch (error) {
      await leaseKeeper.end()
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
      // after a StreamError only this host is at fault, so the run goes on without it
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

  /** Reports to the run. If that fails, the run notices the silence of this host. */
  #report(note: Note): void {
    try {
      this.#agent.report(note)
    } catch {}
  }

  /** Leaves the run; a note says why. */
  #end(why: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#note(`${this.#name} leaves the run ${this.#line.run}: ${why}`)
    this.#agent.wake()
  }

  /** Renews the lease, or leaves the run if its coordinator is silent. */
  #beat(): void {
    if (!this.#leaseKeeper.isHeld) return
    if (performance.now() - this.#heard >= ALONE_MS) return this.#end('the coordinator is silent')
    // only the holder of a lease sends heartbeats: a host that is silent for longer than a lease lasts holds none
    this.#agent.tally()
    void this.#leaseKeeper.renew()
  }
}

/** The offset of this clock from that of node 0, in milliseconds. The fastest answer counts, as half a round trip old. */
async function clockOffsetMs(line: NodeChannel): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  let ahead: number | undefined
  for (let i = 0; i < READINGS; i++) {
    const asked = milliseconds()
    const answer = await line.ask(COORDINATOR, 'time', HEARTBEAT_MS)
    const read = answer && line.packing.read('time', answer.body)
    const now = milliseconds()
    if (!read || now - asked > quickest) continue
    quickest = now - asked
    ahead = (asked + now) / 2 - read.at
  }
  if (ahead === undefined) throw new Error('the run did not tell the time of its clock')
  return ahead
}
