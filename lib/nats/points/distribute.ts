/**
 * A pool of hosts: the points of a study are given to whoever listens on a NATS server. A host that dies loses nothing, its
 * points are given to others; one that is slow keeps nobody waiting; and what two of them ran counts once.
 */
import { nanoid } from 'nanoid'
import { codeDigest, pathOfModule } from '../../code.ts'
import type { Pool, Work } from '../../experiment/pool.ts'
import type { Access } from '../access.ts'
import { connectTo, type NatsConnection } from '../connect.ts'
import { Assignments } from './assignments.ts'
import {
  BEAT_MS,
  decode,
  encode,
  type Here,
  type Offer,
  PATIENCE_BEATS,
  type Result,
  SUBJECTS,
  tooLong,
} from './messages.ts'

export interface Distribution {
  readonly access: Access
  /** The flag that asked for it. */
  readonly where: string
  readonly note: (text: string) => void
  /** Between two calls, in milliseconds (default 1000). */
  readonly beatMs?: number
  /** What code may run the points (default: this one). */
  readonly digest?: string
}

/** For so many beats a run waits while nobody is there who could run its points. */
const ALONE_BEATS = 600

export function distributed(distribution: Distribution): Pool {
  const counts = new Map<string, number>()
  return {
    async run(work) {
      work.signal?.throwIfAborted()
      const connection = await connectTo(distribution.access, 'bourse run', distribution.where)
      try {
        await new Run(connection, distribution, work, counts).toEnd()
      } finally {
        await connection.close()
      }
    },
    get status() {
      return [...counts].map(([name, points]) => `${name} ${points}`).join(', ')
    },
  }
}

interface Host extends Here {
  /** The beat in which it was heard of last. */
  heard: number
}

class Run {
  readonly #id = nanoid()
  readonly #connection: NatsConnection
  readonly #distribution: Distribution
  readonly #work: Work
  /** Points that ended on the hosts of each name. */
  readonly #counts: Map<string, number>
  readonly #digest: string
  readonly #assignments: Assignments
  readonly #hosts = new Map<string, Host>()
  readonly #ended = new AbortController()
  #beat = 0
  /** The last beat in which a host of our code was there. */
  #served = 0
  #wake = (): void => {}

  constructor(connection: NatsConnection, distribution: Distribution, work: Work, counts: Map<string, number>) {
    this.#connection = connection
    this.#distribution = distribution
    this.#work = work
    this.#counts = counts
    this.#digest = distribution.digest ?? codeDigest()
    this.#assignments = new Assignments(work.points.length, PATIENCE_BEATS)
  }

  async toEnd(): Promise<void> {
    const { signal } = this.#work
    const interrupted = (): void => this.#end(signal?.reason)
    signal?.addEventListener('abort', interrupted)
    const beat = setInterval(() => this.#call(), this.#beatMs)
    try {
      this.#listen()
      this.#call()
      await this.#giveAll()
    } finally {
      clearInterval(beat)
      signal?.removeEventListener('abort', interrupted)
      this.#connection.publish(SUBJECTS.over, encode({ type: 'over', run: this.#id }))
    }
  }

  get #beatMs(): number {
    return this.#distribution.beatMs ?? BEAT_MS
  }

  get #patienceMs(): number {
    return PATIENCE_BEATS * this.#beatMs
  }

  #end(reason: unknown): void {
    this.#ended.abort(reason)
    this.#wake()
  }

  #listen(): void {
    const { free, hereOf, resultOf } = SUBJECTS
    this.#connection.subscribe(free, { callback: () => this.#wake() })
    this.#connection.subscribe(hereOf(this.#id), {
      callback: (_, data) => {
        const here = decode('here', data)
        if (!here) return
        this.#see(here)
        // an answer may have crossed an offer
        if (this.#assignments.keep(here.host, here.points, this.#beat - 1) > 0) this.#wake()
      },
    })
    this.#connection.subscribe(resultOf(this.#id), {
      callback: (_, data) => {
        const result = decode('result', data)
        data.respond()
        if (result) this.#hear(result)
      },
    })
  }

  #hear({ n, host, ending }: Result): void {
    if ('refused' in ending) return this.#end(new Error(ending.refused))
    if (!this.#assignments.end(n)) return
    const name = this.#hosts.get(host)?.name ?? host
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    try {
      this.#work.onEnding(n, ending)
    } catch (error) {
      this.#end(error)
    }
    this.#wake()
  }

  /** Asks who is here, and gives up those who have not said so for long. */
  #call(): void {
    this.#beat++
    const call = encode({ type: 'call', run: this.#id, digest: this.#digest })
    this.#connection.publish(SUBJECTS.call, call, { reply: SUBJECTS.hereOf(this.#id) })
    for (const { host, name, heard } of [...this.#hosts.values()]) {
      if (this.#beat - heard <= PATIENCE_BEATS) continue
      this.#hosts.delete(host)
      const lost = this.#assignments.lose(host)
      this.#distribution.note(`${name} is gone: ${lost === 0 ? 'it had no points' : `${lost} points go to others`}`)
    }
    if (this.#beat - this.#served > ALONE_BEATS) this.#end(noHosts)
    this.#wake()
  }

  #see(here: Here): void {
    const { host, name, digest, lanes } = here
    const isNew = !this.#hosts.has(host)
    this.#hosts.set(host, { ...here, heard: this.#beat })
    if (digest === this.#digest) this.#served = this.#beat
    if (!isNew) return
    if (digest === this.#digest) this.#distribution.note(`${name} takes part, with ${lanes} at a time`)
    else this.#distribution.note(`${name} is refused: it runs other code (${digest}, not ${this.#digest})`)
  }

  async #giveAll(): Promise<void> {
    while (!this.#assignments.isOver) {
      this.#ended.signal.throwIfAborted()
      // made before the offer: what happens meanwhile must not be missed
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const n = this.#assignments.next(this.#beat)
      if (n === undefined || !(await this.#offer(n))) await woken
    }
    this.#ended.signal.throwIfAborted()
  }

  /** Offers a point to whoever is free; true if one has taken it, or nobody can. */
  async #offer(n: number): Promise<boolean> {
    const { study, points, onEnding } = this.#work
    const offer: Offer = {
      ...{ type: 'offer', run: this.#id, n, point: points[n] ?? null },
      ...{ path: pathOfModule(study.module), export: study.export },
    }
    const text = encode(offer)
    const limit = this.#connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    const bytes = Buffer.byteLength(text)
    if (bytes > limit) {
      if (this.#assignments.end(n)) onEnding(n, { message: tooLong('the point', bytes, limit) })
      return true
    }
    try {
      const taken = await this.#connection.request(SUBJECTS.workOf(this.#digest), text, { timeout: this.#patienceMs })
      const here = decode('here', taken)
      if (!here) return false
      this.#see(here)
      this.#assignments.give(n, here.host, this.#beat)
      return true
    } catch {
      // nobody was free, or whoever was is gone: the next beat, or a lane that becomes free, tries again
      return false
    }
  }
}

const noHosts = new Error(
  `no host of the same code for ${ALONE_BEATS} calls: start one with npx tsx scenarios/host.ts --nats URL`,
)
