/**
 * A pool of hosts: the points of a study are given to the hosts on a NATS server that have the run's secret. A host that dies loses nothing, its
 * points are given to others; one that is slow keeps nobody waiting; and what two of them ran counts once.
 */
import { nanoid } from 'nanoid'
import { nameOfModule, studyNamed } from '../../core/code-registry.ts'
import { codeDigest } from '../../core/source-digest.ts'
import { type Access, secretOf } from '../../distributed/access.ts'
import { Channel } from '../../distributed/channel.ts'
import { connectTo } from '../../distributed/connect.ts'
import { MEETING } from '../../distributed/names.ts'
import type { Pool, Work } from '../pool.ts'
import { Assignments } from './assignments.ts'
import { BEAT_MS, decode, encode, type Here, type Offer, PATIENCE_BEATS, type Result, SUBJECTS } from './messages.ts'

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
const ALONE_BEATS = 60
/** After so many it says that it waits. */
const LONELY_BEATS = 5

export function distributed(distribution: Distribution): Pool {
  const counts = new Map<string, number>()
  return {
    async run(work) {
      work.signal?.throwIfAborted()
      const study = offered(work)
      const { access, where, note } = distribution
      const connection = await connectTo(access, 'bourse run', where)
      const channel = new Channel({
        connection,
        secret: secretOf(access),
        purpose: MEETING,
        self: nanoid(),
        where,
        note,
      })
      try {
        work.onReady?.()
        await new Run(channel, distribution, work, study, counts).toEnd()
      } finally {
        await connection.close()
      }
    },
    get status() {
      return [...counts].map(([name, points]) => `${name} ${points}`).join(', ')
    },
  }
}

type Offered = Pick<Offer, 'module' | 'export'>

/** @throws Error for a study that no host would run */
function offered({ study }: Work): Offered {
  const module = nameOfModule(study.module)
  if (studyNamed(module, study.export)) return { module, export: study.export }
  throw new Error(
    `hosts run registered studies only: register ${study.export} of ${module} (lib/core/code-registry.ts)`,
  )
}

interface Host extends Here {
  /** The beat in which it was heard of last. */
  heard: number
  free: number
}

const EMPTY = new Uint8Array()

class Run {
  readonly #channel: Channel
  readonly #distribution: Distribution
  readonly #work: Work
  readonly #study: Offered
  /** Points that ended on the hosts of each name. */
  readonly #counts: Map<string, number>
  readonly #digest: string
  readonly #assignments: Assignments
  /** By the ids of their processes. */
  readonly #hosts = new Map<string, Host>()
  readonly #ended = new AbortController()
  #beat = 0
  /** The last beat in which a host of our code was there. */
  #served = 0
  #wake = (): void => {}

  constructor(channel: Channel, distribution: Distribution, work: Work, study: Offered, counts: Map<string, number>) {
    this.#channel = channel
    this.#distribution = distribution
    this.#work = work
    this.#study = study
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
      this.#channel.publish(SUBJECTS.over, EMPTY)
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
    const channel = this.#channel
    const fail = (error: unknown): void => this.#end(error)
    channel.listen(SUBJECTS.free, ({ from }) => this.#free(from), fail)
    channel.listen(
      SUBJECTS.hereOf(channel.self),
      ({ from, body }) => {
        const here = decode('here', body)
        if (!here) return
        this.#see(from, here)
        // an answer may have crossed an offer
        this.#assignments.keep(from, here.points, this.#beat - 1)
        this.#wake()
      },
      fail,
    )
    channel.listen(
      SUBJECTS.resultOf(channel.self),
      ({ from, body, answer }) => {
        const result = decode('result', body)
        answer(EMPTY)
        if (result) this.#hear(from, result)
      },
      fail,
    )
  }

  #free(from: string): void {
    const host = this.#hosts.get(from)
    if (!host) return
    host.free = Math.max(1, host.free)
    this.#wake()
  }

  #hear(from: string, { n, ending }: Result): void {
    if ('refused' in ending) return this.#end(new Error(ending.refused))
    if (!this.#assignments.end(n)) return
    const name = this.#hosts.get(from)?.name ?? from
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
    this.#channel.publish(SUBJECTS.call, encode({ type: 'call', digest: this.#digest }))
    for (const [host, { name, heard }] of [...this.#hosts]) {
      if (this.#beat - heard <= PATIENCE_BEATS) continue
      this.#hosts.delete(host)
      const lost = this.#assignments.lose(host)
      this.#distribution.note(`${name} is gone: ${lost === 0 ? 'it had no points' : `${lost} points go to others`}`)
    }
    const alone = this.#beat - this.#served
    if (alone === LONELY_BEATS) this.#distribution.note(`waiting for a host of the same code and secret: ${START_ONE}`)
    if (alone > ALONE_BEATS) this.#end(noHosts)
    this.#wake()
  }

  #see(host: string, here: Here): void {
    const { name, digest, lanes } = here
    const isNew = !this.#hosts.has(host)
    this.#hosts.set(host, { ...here, heard: this.#beat })
    if (digest === this.#digest) this.#served = this.#beat
    if (!isNew) return
    if (digest === this.#digest) this.#distribution.note(`${name} takes part, with ${lanes} at a time`)
    else
      this.#distribution.note(
        `${name} is refused: it runs other code (${digest}, not ${this.#digest}): start it again from the same checkout`,
      )
  }

  async #giveAll(): Promise<void> {
    while (!this.#assignments.isOver) {
      this.#ended.signal.throwIfAborted()
      // made before the offer: what happens meanwhile must not be missed
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const host = this.#freest()
      const n = host === undefined ? undefined : this.#assignments.next(this.#beat)
      if (host === undefined || n === undefined) await woken
      else await this.#offer(n, host)
    }
    this.#ended.signal.throwIfAborted()
  }

  /** The host of our code with the most lanes that have nothing to do. */
  #freest(): string | undefined {
    const ours = [...this.#hosts].filter(([, { digest, free }]) => digest === this.#digest && free > 0)
    return ours.sort(([, one], [, other]) => other.free - one.free)[0]?.[0]
  }

  async #offer(n: number, host: string): Promise<void> {
    const { points, onEnding } = this.#work
    const body = encode({ type: 'offer', n, point: points[n] ?? null, ...this.#study })
    const message = this.#channel.tooLong('the point', body)
    if (message !== undefined) {
      if (this.#assignments.end(n)) onEnding(n, { message })
      return
    }
    const answer = await this.#channel.ask(SUBJECTS.workOf(host), body, this.#patienceMs)
    const here = answer && decode('here', answer.body)
    if (here) this.#see(host, here)
    if (here?.points.includes(n)) return this.#assignments.give(n, host, this.#beat)
    // busy, or gone: it says when it has a lane again
    const known = this.#hosts.get(host)
    if (known) known.free = 0
  }
}

const START_ONE = 'start one with npx tsx scenarios/host.ts --nats URL --secret FILE'

const noHosts = new Error(`no host of the same code and secret for ${ALONE_BEATS} calls: ${START_ONE}`)
