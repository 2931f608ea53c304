/** A host of the work queue: it takes points that runs on the same NATS server offer, and runs them in worker processes. */

import { setTimeout as pause } from 'node:timers/promises'
import { NOT_REGISTERED, studyNamed } from '../../core/code-registry.ts'
import { codeDigest } from '../../core/source-digest.ts'
import { aborted } from '../../core/waiting.ts'
import type { Channel } from '../../distributed/channel.ts'
import { temporaryFolder } from '../../runtime/temporary-folder.ts'
import { WorkerProcess } from '../worker-process.ts'
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

/** The options of a host that runs points of sweeps. */
export interface HostOptions {
  /** The channel between runs and hosts; this host's name on it is the id of its process. */
  readonly channel: Channel
  readonly name: string
  /** The number of points that run at the same time. */
  readonly lanes: number
  readonly note: (text: string) => void
  /** Aborts the host and everything that it runs. */
  readonly signal: AbortSignal
  readonly heartbeatMs?: number
  readonly digest?: string
}

/** Serves until the signal is aborted. Resolves to the number of points that were run. */
export const serve = (options: HostOptions): Promise<number> => new Host(options).untilAborted(options.signal)

/** A lane runs one point at a time. */
interface Lane {
  worker: WorkerProcess | undefined
  study: string
  /** The point that the lane runs; undefined while it is idle. */
  task: Task | undefined
}

interface Task {
  readonly run: string
  readonly n: number
  /** The run no longer wants the result. */
  isDropped: boolean
}

const EMPTY = new Uint8Array()
/** The most digests of other code that are reported. */
const REFUSED_MAX = 100
/** A host with more unacknowledged results takes no points. */
const UNACKNOWLEDGED_MAX = 100

class Host {
  readonly #options: HostOptions
  readonly #channel: Channel
  readonly #digest: string
  readonly #folder = temporaryFolder()
  readonly #lanes: readonly Lane[]
  /** Tasks whose results the run has not acknowledged. */
  readonly #unacknowledged = new Set<Task>()
  /** Work in progress: points that run, and results that are sent. */
  readonly #working = new Set<Promise<void>>()
  #heartbeat = 0
  /** The number of the heartbeat when each run was last heard. */
  readonly #heard = new Map<string, number>()
  /** Digests of other code whose runs were refused: each is reported once. */
  readonly #refused = new Set<string>()
  #ran = 0

  constructor(options: HostOptions) {
    const { channel, lanes, digest = codeDigest() } = options
    this.#options = options
    this.#channel = channel
    this.#digest = digest
    this.#lanes = Array.from({ length: lanes }, () => ({ worker: undefined, study: '', task: undefined }))
  }

  async untilAborted(signal: AbortSignal): Promise<number> {
    const { heartbeatMs = WORKER_HEARTBEAT_MS } = this.#options
    const stop = (): void => {
      for (const { worker } of this.#lanes) worker?.stop()
    }
    const exiting = (): void => {
      stop()
      this.#folder.remove()
    }
    const watch = setInterval(() => this.#checkRuns(), heartbeatMs)
    process.once('exit', exiting)
    try {
      const subscriptions = this.#listen()
      await aborted(signal)
      for (const subscription of subscriptions) subscription.unsubscribe()
      stop()
      while (this.#working.size > 0) await Promise.all(this.#working)
    } finally {
      clearInterval(watch)
      process.off('exit', exiting)
      await Promise.all(this.#lanes.map(({ worker }) => worker?.leave()))
      this.#folder.remove()
    }
    return this.#ran
  }

  #listen() {
    const ignore = (): void => {}
    return [
      this.#channel.listen(
        SUBJECTS.call,
        ({ from, body }) => {
          const call = decode('call', body)
          if (call) this.#answerCall(from, call.digest)
        },
        ignore,
      ),
      this.#channel.listen(
        SUBJECTS.workOf(this.#channel.self),
        ({ from, body, answer }) => {
          const offer = decode('offer', body)
          if (offer) this.#consider(from, offer)
          answer(this.#here(from))
        },
        ignore,
      ),
      this.#channel.listen(SUBJECTS.over, ({ from }) => this.#drop(from), ignore),
    ]
  }

  #answerCall(run: string, digest: string): void {
    this.#heard.set(run, this.#heartbeat)
    this.#channel.publish(SUBJECTS.hereOf(run), this.#here(run))
    if (digest === this.#digest || this.#refused.has(digest) || this.#refused.size === REFUSED_MAX) return
    this.#refused.add(digest)
    this.#options.note(`a run is refused: it is of other code (${digest}, not ${this.#digest})`)
  }

  #here(run: string): Uint8Array {
    const { name, lanes } = this.#options
    const here: Here = {
      type: 'here',
      name,
      digest: this.#digest,
      lanes,
      free: this.#idle().length,
      points: [...new Set(this.#tasksOf(run).map(({ n }) => n))],
    }
    return encode(here)
  }

  /** The lanes that may take a point. */
  #idle(): readonly Lane[] {
    return this.#unacknowledged.size > UNACKNOWLEDGED_MAX ? [] : this.#lanes.filter(({ task }) => task === undefined)
  }

  /** The points of a run that this host runs, or has run without an acknowledgement. */
  #tasksOf(run: string): readonly Task[] {
    const running = this.#lanes.flatMap(({ task }) => task ?? [])
    return [...running, ...this.#unacknowledged].filter((task) => task.run === run)
  }

  /** The failure detector of runs: drops the points of a run that has not called for `PATIENCE` heartbeats. */
  #checkRuns(): void {
    this.#heartbeat++
    for (const [run, heard] of this.#heard) if (this.#heartbeat - heard > PATIENCE) this.#drop(run)
  }

  #drop(run: string): void {
    this.#heard.delete(run)
    for (const task of this.#tasksOf(run)) task.isDropped = true
    for (const { task, worker } of this.#lanes) if (task?.run === run) worker?.stop()
  }

  /** Takes an offered point, if a lane is idle and the host does not have the point already. */
  #consider(run: string, offer: Offer): void {
    const [lane] = this.#idle()
    if (!lane || this.#tasksOf(run).some(({ n }) => n === offer.n)) return
    this.#heard.set(run, this.#heartbeat)
    const task = { run, n: offer.n, isDropped: false }
    lane.task = task
    this.#keep(
      this.#run(lane, task, offer).then((ending) => {
        lane.task = undefined
        if (ending) this.#keep(this.#deliver(task, { type: 'result', n: task.n, ending }))
        this.#channel.publish(SUBJECTS.free, EMPTY)
      }),
    )
  }

  /** Keeps work in progress, which is awaited before the host ends. */
  #keep(work: Promise<void>): void {
    const kept = work.finally(() => this.#working.delete(kept))
    this.#working.add(kept)
  }

  #isOver({ isDropped }: Task): boolean {
    return isDropped || this.#options.signal.aborted
  }

  /** Runs a point; undefined if its run no longer wants the result. */
  async #run(lane: Lane, task: Task, { module, export: name, point }: Offer): Promise<Result['ending'] | undefined> {
    const registered = studyNamed(module, name)
    if (!registered)
      return { refused: `${this.#options.name} runs no study ${name} of ${module}: it is not ${NOT_REGISTERED}` }
    const study = `${module} ${name}`
    if (lane.study !== study) {
      await lane.worker?.leave()
      lane.worker = undefined
    }
    lane.study = study
    lane.worker ??= new WorkerProcess(registered, this.#folder.path)
    const { worker } = lane
    const ending = await worker.run(point).catch((error: unknown) => ({ refused: String(error) }))
    if (!this.#isOver(task)) {
      this.#ran++
      return ending
    }
    // a worker that was stopped runs no further point
    await worker.leave()
    lane.worker = undefined
    return undefined
  }

  /** Sends a result until the run acknowledges it or no longer wants it. Meanwhile its lane runs other points. */
  async #deliver(task: Task, result: Result): Promise<void> {
    this.#unacknowledged.add(task)
    try {
      await this.#send(task, result)
    } finally {
      this.#unacknowledged.delete(task)
      if (this.#unacknowledged.size === UNACKNOWLEDGED_MAX) this.#channel.publish(SUBJECTS.free, EMPTY)
    }
  }

  async #send(task: Task, result: Result): Promise<void> {
    const { signal, heartbeatMs = WORKER_HEARTBEAT_MS } = this.#options
    const body = encode(result)
    while (!this.#isOver(task)) {
      // the server may be another one than at the last attempt
      const message = this.#channel.tooLong('the result', body)
      if (message !== undefined) return this.#send(task, { ...result, ending: { message } })
      if (await this.#channel.ask(SUBJECTS.resultOf(task.run), body, heartbeatMs)) return
      await pause(heartbeatMs, undefined, { signal }).catch(() => {})
    }
  }
}
