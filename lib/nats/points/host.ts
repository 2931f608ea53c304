/** A host: takes points that runs on the same NATS server give out, and runs them in processes of its own. */
import { setTimeout as pause } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import { codeDigest, moduleAt } from '../../code.ts'
import { Lane } from '../../experiment/lane.ts'
import { temporaryFolder } from '../../experiment/pool.ts'
import { UsageError } from '../../usage.ts'
import type { NatsConnection } from '../connect.ts'
import {
  BEAT_MS,
  decode,
  encode,
  type Here,
  type Offer,
  PATIENCE_BEATS,
  QUEUE,
  type Result,
  SUBJECTS,
  tooLong,
} from './messages.ts'

export interface HostOptions {
  readonly connection: NatsConnection
  readonly name: string
  /** Points at a time. */
  readonly lanes: number
  readonly note: (text: string) => void
  /** Ends it, with everything that it runs. */
  readonly signal: AbortSignal
  readonly beatMs?: number
  readonly digest?: string
}

/** @throws UsageError if there is a host of that name already */
export async function requireFree(connection: NatsConnection, name: string): Promise<void> {
  const other = await connection.request(SUBJECTS.hostOf(name), '', { timeout: BEAT_MS }).catch(() => undefined)
  if (other) throw new UsageError('--name', 'a name that no other host has', JSON.stringify(name))
}

/** Serves until the signal is aborted; says how many points it has run. */
export const serve = (options: HostOptions): Promise<number> => new Host(options).untilAborted(options.signal)

/** A lane, and what it is at. */
interface Place {
  lane: Lane | undefined
  study: string
  run: string | undefined
  n: number
}

class Host {
  readonly #options: HostOptions
  readonly #here: Omit<Here, 'points'>
  readonly #folder = temporaryFolder()
  readonly #places: readonly Place[]
  #beat = 0
  /** The beat in which each run was heard of last. */
  readonly #heard = new Map<string, number>()
  readonly #refused = new Set<string>()
  #ran = 0

  constructor(options: HostOptions) {
    const { name, lanes, digest = codeDigest() } = options
    this.#options = options
    this.#here = { type: 'here', host: nanoid(), name, digest, lanes }
    this.#places = Array.from({ length: lanes }, () => ({ lane: undefined, study: '', run: undefined, n: 0 }))
  }

  async untilAborted(signal: AbortSignal): Promise<number> {
    const { connection, beatMs = BEAT_MS } = this.#options
    const stop = (): void => {
      for (const { lane } of this.#places) lane?.stop()
    }
    const exiting = (): void => {
      stop()
      this.#folder.remove()
    }
    const watch = setInterval(() => this.#forget(), beatMs)
    signal.addEventListener('abort', stop)
    process.once('exit', exiting)
    try {
      this.#listen(connection)
      await Promise.all(this.#places.map((place) => this.#work(place)))
    } finally {
      clearInterval(watch)
      signal.removeEventListener('abort', stop)
      process.off('exit', exiting)
      await Promise.all(this.#places.map(({ lane }) => lane?.leave()))
      this.#folder.remove()
    }
    return this.#ran
  }

  #listen(connection: NatsConnection): void {
    connection.subscribe(SUBJECTS.hostOf(this.#here.name), {
      callback: (_, data) => {
        data.respond()
      },
    })
    connection.subscribe(SUBJECTS.call, {
      callback: (error, data) => {
        const call = error ? undefined : decode('call', data)
        if (!call) return
        this.#heard.set(call.run, this.#beat)
        data.respond(encode({ ...this.#here, points: this.#pointsOf(call.run) }))
        if (call.digest === this.#here.digest || this.#refused.has(call.run)) return
        this.#refused.add(call.run)
        this.#options.note(`a run is refused: it is of other code (${call.digest}, not ${this.#here.digest})`)
      },
    })
    connection.subscribe(SUBJECTS.over, {
      callback: (error, data) => {
        const over = error ? undefined : decode('over', data)
        if (over) this.#drop(over.run)
      },
    })
  }

  #pointsOf(run: string): number[] {
    return this.#places.flatMap((place) => (place.run === run ? [place.n] : []))
  }

  /** Who has not called for long waits for nothing any more. */
  #forget(): void {
    this.#beat++
    for (const [run, heard] of this.#heard) if (this.#beat - heard > PATIENCE_BEATS) this.#drop(run)
  }

  #drop(run: string): void {
    this.#heard.delete(run)
    this.#refused.delete(run)
    for (const place of this.#places) {
      if (place.run !== run) continue
      place.run = undefined
      place.lane?.stop()
    }
  }

  /** One lane: free, at work, free again. */
  async #work(place: Place): Promise<void> {
    const { connection, signal } = this.#options
    while (!signal.aborted) {
      const subscription = connection.subscribe(SUBJECTS.workOf(this.#here.digest), { queue: QUEUE, max: 1 })
      const stop = (): void => subscription.unsubscribe()
      signal.addEventListener('abort', stop)
      connection.publish(SUBJECTS.free)
      for await (const data of subscription) {
        const offer = decode('offer', data)
        if (!offer) continue
        data.respond(encode({ ...this.#here, points: [offer.n] }))
        await this.#run(place, offer)
      }
      signal.removeEventListener('abort', stop)
      if (connection.isClosed()) return
    }
  }

  async #run(place: Place, { run, n, path, export: name, point }: Offer): Promise<void> {
    const { signal } = this.#options
    this.#heard.set(run, this.#beat)
    const module = moduleAt(path)
    const said: Omit<Result, 'ending'> = { type: 'result', run, n, host: this.#here.host }
    if (!module) return this.#tell({ ...said, ending: { refused: `${path} is no module of this project` } })
    place.run = run
    place.n = n
    const study = `${path} ${name}`
    if (place.study !== study) {
      await place.lane?.leave()
      place.lane = undefined
    }
    place.study = study
    place.lane ??= new Lane({ module, export: name }, this.#folder.path)
    const { lane } = place
    const ending = await lane.run(point).catch((error: unknown) => ({ refused: String(error) }))
    // of what was dropped meanwhile nobody wants to know what came of it
    if (place.run === run && !signal.aborted) {
      this.#ran++
      await this.#tell({ ...said, ending })
    }
    if (place.run !== run || signal.aborted) {
      await lane.leave()
      place.lane = undefined
    }
    place.run = undefined
  }

  /** Says what came of a point until it is heard, or its run is heard of no more. */
  async #tell(result: Result): Promise<void> {
    const { connection, signal, beatMs = BEAT_MS } = this.#options
    const text = encode(result)
    const bytes = Buffer.byteLength(text)
    while (!signal.aborted && this.#heard.has(result.run)) {
      // it may be another server than at the last attempt
      const limit = connection.info?.max_payload ?? Number.POSITIVE_INFINITY
      if (bytes > limit) return this.#tell({ ...result, ending: { message: tooLong('the result', bytes, limit) } })
      const heard = await connection.request(SUBJECTS.resultOf(result.run), text, { timeout: beatMs }).then(
        () => true,
        () => false,
      )
      if (heard) return
      await pause(beatMs, undefined, { signal }).catch(() => {})
    }
  }
}
