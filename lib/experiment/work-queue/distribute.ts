/**
 * A pool of hosts: the points of a study run on the hosts of a NATS server that have the run's secret. Points of a host that
 * fails go to other hosts, and slow points run on a second host too. Every point counts once.
 */
import { nanoid } from 'nanoid'
import { nameOfModule, studyNamed } from '../../core/code-registry.ts'
import { commandOf } from '../../core/command-name.ts'
import { BourseError } from '../../core/error.ts'
import { codeDigest } from '../../core/source-digest.ts'
import { add } from '../../core/tally.ts'
import { type Access, secretOf } from '../../distributed/access.ts'
import { Channel } from '../../distributed/channel.ts'
import { connectTo } from '../../distributed/connect.ts'
import { MEETING } from '../../distributed/names.ts'
import type { Pool, Work } from '../pool.ts'
import { Assignments } from './assignments.ts'
import {
  decode,
  encode,
  type Here,
  type Offer,
  PATIENCE,
  type Result,
  SUBJECTS,
  WORKER_HEARTBEAT_MS,
} from './messages.ts'

/** How the points of a sweep reach hosts. */
export interface Distribution {
  readonly access: Access
  /** The flag that asked for the pool. */
  readonly where: string
  readonly note: (text: string) => void
  /** Milliseconds between two calls for hosts (default 1000). */
  readonly heartbeatMs?: number
  /** The digest of the code that may run the points (default: of this code). */
  readonly digest?: string
}

/** Heartbeats after which a run without a host of its code fails. */
const ALONE_MAX = 60
/** Heartbeats after which a run without a host of its code reports that it waits. */
const ALONE_NOTED = 5

/** A pool that runs the points of a sweep on hosts, over NATS. */
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
        await new Run({ channel, distribution, work, study, counts }).toEnd()
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

/**
 * The name under which hosts know a study.
 *
 * @throws Error for a study that is not registered, since no host would run it
 */
function offered({ study }: Work): Offered {
  const module = nameOfModule(study.module)
  if (studyNamed(module, study.export)) return { module, export: study.export }
  throw new BourseError(
    'BOURSE_HOSTS',
    `hosts run registered studies only: register ${study.export} of ${module} (lib/core/code-registry.ts)`,
  )
}

interface Host extends Here {
  /** The number of the heartbeat when the host was last heard. */
  heard: number
  free: number
}

interface Offering {
  readonly n: number
  readonly host: string
}

interface RunDeps {
  readonly channel: Channel
  readonly distribution: Distribution
  readonly work: Work
  readonly study: Offered
  /** The number of points that have ended on the hosts of each name. */
  readonly counts: Map<string, number>
}

const EMPTY = new Uint8Array()

class Run {
  readonly #channel: Channel
  readonly #distribution: Distribution
  readonly #work: Work
  readonly #study: Offered
  readonly #counts: Map<string, number>
  readonly #digest: string
  readonly #assignments: Assignments
  /** The hosts by the ids of their processes. */
  readonly #hosts = new Map<string, Host>()
  readonly #ended = new AbortController()
  #heartbeat = 0
  /** The number of the last heartbeat when a host of this code was there. */
  #served = 0
  #wake = (): void => {}

  constructor({ channel, distribution, work, study, counts }: RunDeps) {
    this.#channel = channel
    this.#distribution = distribution
    this.#work = work
    this.#study = study
    this.#counts = counts
    this.#digest = distribution.digest ?? codeDigest()
    this.#assignments = new Assignments(work.points.length, PATIENCE)
  }

  async toEnd(): Promise<void> {
    const { signal } = this.#work
    const interrupted = (): void => this.#end(signal?.reason)
    signal?.addEventListener('abort', interrupted)
    const heartbeat = setInterval(() => this.#call(), this.#heartbeatMs)
    try {
      this.#listen()
      this.#call()
      await this.#giveAll()
    } finally {
      clearInterval(heartbeat)
      signal?.removeEventListener('abort', interrupted)
      this.#channel.publish(SUBJECTS.over, EMPTY)
    }
  }

  get #heartbeatMs(): number {
    return this.#distribution.heartbeatMs ?? WORKER_HEARTBEAT_MS
  }

  get #patienceMs(): number {
    return PATIENCE * this.#heartbeatMs
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
        // the answer may have crossed an offer
        this.#assignments.keep(from, here.points, this.#heartbeat - 1)
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
    if ('refused' in ending) return this.#end(new BourseError('BOURSE_HOSTS', ending.refused))
    if (!this.#assignments.end(n)) return
    const name = this.#hosts.get(from)?.name ?? from
    add(this.#counts, name)
    try {
      this.#work.onEnding(n, ending)
    } catch (error) {
      this.#end(error)
    }
    this.#wake()
  }

  /** Calls for hosts, and gives up those that have not answered for `PATIENCE` heartbeats. */
  #call(): void {
    this.#heartbeat++
    this.#channel.publish(SUBJECTS.call, encode({ type: 'call', digest: this.#digest }))
    for (const [host, { name, heard }] of [...this.#hosts]) {
      if (this.#heartbeat - heard <= PATIENCE) continue
      this.#hosts.delete(host)
      const lost = this.#assignments.lose(host)
      this.#distribution.note(`${name} is gone: ${lost === 0 ? 'it had no points' : `${lost} points go to others`}`)
    }
    const alone = this.#heartbeat - this.#served
    if (alone === ALONE_NOTED) this.#distribution.note(`waiting for a host of the same code and secret: ${START_ONE}`)
    if (alone > ALONE_MAX) this.#end(noHosts)
    this.#wake()
  }

  #see(host: string, here: Here): void {
    const { name, digest, lanes } = here
    const isNew = !this.#hosts.has(host)
    this.#hosts.set(host, { ...here, heard: this.#heartbeat })
    if (digest === this.#digest) this.#served = this.#heartbeat
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
      // created before the offer, so that no event during it is missed
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const next = this.#next()
      if (next) await this.#offer(next)
      else await woken
    }
    this.#ended.signal.throwIfAborted()
  }

  /** The next point to offer, and the host with the most idle lanes that may have it. */
  #next(): Offering | undefined {
    const ours = [...this.#hosts].filter(([, { digest, free }]) => digest === this.#digest && free > 0)
    for (const [host] of ours.sort(([, one], [, other]) => other.free - one.free)) {
      const n = this.#assignments.next(this.#heartbeat, host)
      if (n !== undefined) return { n, host }
    }
    return undefined
  }

  async #offer({ n, host }: Offering): Promise<void> {
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
    if (here?.points.includes(n)) return this.#assignments.give(n, host, this.#heartbeat)
    // the host is busy or has failed: it reports when a lane becomes idle
    const known = this.#hosts.get(host)
    if (known) known.free = 0
  }
}

const START_ONE = `start one with ${commandOf({ name: 'host' })} --nats URL --secret FILE`

const noHosts = new BourseError(
  'BOURSE_HOSTS',
  `no host of the same code and secret for ${ALONE_MAX} calls: ${START_ONE}`,
)
