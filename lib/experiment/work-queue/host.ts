/** A host: takes points that runs on the same NATS server give out, and runs them in processes of its own. */
import { setTimeout as pause } from 'node:timers/promises'
import { NOT_REGISTERED, studyNamed } from '../../core/code-registry.ts'
import { codeDigest } from '../../core/source-digest.ts'
import type { Channel } from '../../distributed/channel.ts'
import { temporaryFolder } from '../../runtime/temporary-folder.ts'
import { WorkerProcess } from '../worker-process.ts'
import { BEAT_MS, decode, encode, type Here, type Offer, PATIENCE_BEATS, type Result, SUBJECTS } from './messages.ts'

export interface HostOptions {
  /** On which runs and hosts meet; its end is named by the id of this process. */
  readonly channel: Channel
  readonly name: string
  /** Points at a time. */
  readonly lanes: number
  readonly note: (text: string) => void
  /** Ends it, with everything that it runs. */
  readonly signal: AbortSignal
  readonly beatMs?: number
  readonly digest?: string
}

/** Serves until the signal is aborted; says how many points it has run. */
export const serve = (options: HostOptions): Promise<number> => new Host(options).untilAborted(options.signal)

/** A place where one point at a time is run, and what it is at. */
interface Place {
  lane: WorkerProcess | undefined
  study: string
  /** Undefined: it has nothing to do. */
  task: Task | undefined
}

interface Task {
  readonly run: string
  readonly n: number
  /** Nobody wants to know any more what comes of it. */
  isDropped: boolean
}

const EMPTY = new Uint8Array()
/** Most digests that are told. */
const REFUSED_MAX = 100

class Host {
  readonly #options: HostOptions
  readonly #channel: Channel
  readonly #digest: string
  readonly #folder = temporaryFolder()
  readonly #places: readonly Place[]
  /** What goes on in each place that is at work. */
  readonly #working = new Set<Promise<void>>()
  #beat = 0
  /** The beat in which each run was heard of last. */
  readonly #heard = new Map<string, number>()
  /** Digests of other code, of which runs were refused: each is told once. */
  readonly #refused = new Set<string>()
  #ran = 0

  constructor(options: HostOptions) {
    const { channel, lanes, digest = codeDigest() } = options
    this.#options = options
    this.#channel = channel
    this.#digest = digest
    this.#places = Array.from({ length: lanes }, () => ({ lane: undefined, study: '', task: undefined }))
  }

  async untilAborted(signal: AbortSignal): Promise<number> {
    const { beatMs = BEAT_MS } = this.#options
    const stop = (): void => {
      for (const { lane } of this.#places) lane?.stop()
    }
    const exiting = (): void => {
      stop()
      this.#folder.remove()
    }
    const watch = setInterval(() => this.#forget(), beatMs)
    process.once('exit', exiting)
    try {
      const subscriptions = this.#listen()
      await aborted(signal)
      for (const subscription of subscriptions) subscription.unsubscribe()
      stop()
      await Promise.all(this.#working)
    } finally {
      clearInterval(watch)
      process.off('exit', exiting)
      await Promise.all(this.#places.map(({ lane }) => lane?.leave()))
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
          const place = this.#places.find(({ task }) => task === undefined)
          if (offer && place) this.#take(place, from, offer)
          answer(this.#here(from))
        },
        ignore,
      ),
      this.#channel.listen(SUBJECTS.over, ({ from }) => this.#drop(from), ignore),
    ]
  }

  #answerCall(run: string, digest: string): void {
    this.#heard.set(run, this.#beat)
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
      free: this.#places.filter(({ task }) => task === undefined).length,
      points: this.#places.flatMap(({ task }) => (task?.run === run ? [task.n] : [])),
    }
    return encode(here)
  }

  /** Who has not called for long waits for nothing any more. */
  #forget(): void {
    this.#beat++
    for (const [run, heard] of this.#heard) if (this.#beat - heard > PATIENCE_BEATS) this.#drop(run)
  }

  #drop(run: string): void {
    this.#heard.delete(run)
    for (const { task, lane } of this.#places) {
      if (task?.run !== run) continue
      task.isDropped = true
      lane?.stop()
    }
  }

  #take(place: Place, run: string, offer: Offer): void {
    this.#heard.set(run, this.#beat)
    const task = { run, n: offer.n, isDropped: false }
    place.task = task
    const working = this.#run(place, task, offer).finally(() => {
      place.task = undefined
      this.#working.delete(working)
      this.#channel.publish(SUBJECTS.free, EMPTY)
    })
    this.#working.add(working)
  }

  #isOver({ isDropped }: Task): boolean {
    return isDropped || this.#options.signal.aborted
  }

  async #run(place: Place, task: Task, { n, module, export: name, point }: Offer): Promise<void> {
    const registered = studyNamed(module, name)
    if (!registered) {
      const refused = `${this.#options.name} runs no study ${name} of ${module}: it is not ${NOT_REGISTERED}`
      return this.#tell(task, { type: 'result', n, ending: { refused } })
    }
    const study = `${module} ${name}`
    if (place.study !== study) {
      await place.lane?.leave()
      place.lane = undefined
    }
    place.study = study
    place.lane ??= new WorkerProcess(registered, this.#folder.path)
    const { lane } = place
    const ending = await lane.run(point).catch((error: unknown) => ({ refused: String(error) }))
    if (!this.#isOver(task)) {
      this.#ran++
      await this.#tell(task, { type: 'result', n, ending })
    }
    // a lane that was stopped runs nothing any more
    if (!this.#isOver(task)) return
    await lane.leave()
    place.lane = undefined
  }

  /** Says what came of a point until it is heard, or nobody wants to know. */
  async #tell(task: Task, result: Result): Promise<void> {
    const { signal, beatMs = BEAT_MS } = this.#options
    const body = encode(result)
    while (!this.#isOver(task)) {
      // it may be another server than at the last attempt
      const message = this.#channel.tooLong('the result', body)
      if (message !== undefined) return this.#tell(task, { ...result, ending: { message } })
      if (await this.#channel.ask(SUBJECTS.resultOf(task.run), body, beatMs)) return
      await pause(beatMs, undefined, { signal }).catch(() => {})
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
