/** Ends this process if it does nothing new for too long: a mutant that loops within one step cannot be stopped otherwise. */
import { Worker } from 'node:worker_threads'

/** The CPU seconds without a sign of life. */
const LIMIT = 30

const CODE = `
const { writeFileSync } = require('node:fs')
const { workerData: { beats, limit, mark } } = require('node:worker_threads')
let last = -1
let since = 0
setInterval(() => {
  const { user, system } = process.cpuUsage()
  const now = (user + system) / 1e6
  const beat = Atomics.load(beats, 0)
  if (beat !== last) [last, since] = [beat, now]
  else if (beat % 2 === 1 && now - since > limit) {
    writeFileSync(mark, '')
    process.kill(process.pid, 'SIGKILL')
  }
}, 500)
`

export class Watchdog {
  /** Odd while something is watched; it changes with each sign of life. */
  readonly #beats = new Int32Array(new SharedArrayBuffer(4))

  /** The file `mark` is there afterwards if the process was ended. */
  constructor(mark: string) {
    new Worker(CODE, { eval: true, workerData: { beats: this.#beats, limit: LIMIT, mark } }).unref()
  }

  /** Begins to watch, or gives a sign of life. */
  alive(): void {
    Atomics.add(this.#beats, 0, this.#beats[0] === undefined || this.#beats[0] % 2 === 0 ? 1 : 2)
  }

  rest(): void {
    Atomics.store(this.#beats, 0, 0)
  }
}
