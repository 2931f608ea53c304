/**
 * Runs the points of a study side by side, in processes of their own: a point may start threads, use up its memory or
 * end its process, and no other point notices.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMessage, type Plain } from '../plain.ts'

/** A function `(point: Plain) => Promise<Plain>` that a module exports. */
export interface Study {
  /** A `file:` URL. */
  readonly module: string
  readonly export: string
}

export interface Task {
  readonly type: 'task'
  readonly point: Plain
}

export const isTask = (value: unknown): value is Task => isMessage(value) && value.type === 'task' && 'point' in value

/** What a process says: once whether it could load the study, then how each point ended. */
export type Answer =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'done'; readonly result: Plain }
  | { readonly type: 'failed'; readonly message: string }
  /** Said of a process that will say nothing more. */
  | { readonly type: 'ended'; readonly message: string }

const isAnswer = (value: unknown): value is Answer =>
  isMessage(value) && /^(ready|refused|done|failed)$/.test(value.type)

const PROGRAM = fileURLToPath(new URL('./study-process.ts', import.meta.url))
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** A process that runs one point at a time. */
class StudyProcess {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  #end: Answer | undefined
  #hear: (answer: Answer) => void = () => {}

  constructor(study: Study, folder: string) {
    this.#child = fork(PROGRAM, [study.module, study.export], {
      // a point allocates and drops much: with room for the young a long one takes four fifths of the time
      execArgv: ['--max-semi-space-size=64', '--import', tsx],
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
      // What a point prints is no result.
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    this.#child.on('message', (said) => {
      if (isAnswer(said)) this.#hear(said)
    })
    this.#gone = new Promise((resolve) => {
      const end = (message: string): void => {
        this.#end = { type: 'ended', message }
        this.#hear(this.#end)
        resolve()
      }
      this.#child.once('exit', (code, signal) => end(`its process ended (${signal ?? `exit code ${code}`})`))
      this.#child.on('error', ({ message }) => {
        // of a process that never was there is no exit
        if (this.#child.pid === undefined) end(`its process did not start: ${message}`)
        else this.kill()
      })
    })
  }

  /** The next thing it says. */
  answer(): Promise<Answer> {
    if (this.#end !== undefined) return Promise.resolve(this.#end)
    return new Promise((resolve) => {
      this.#hear = resolve
    })
  }

  run(point: Plain): Promise<Answer> {
    const answer = this.answer()
    const task: Task = { type: 'task', point }
    if (this.#child.connected) this.#child.send(task)
    return answer
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Lets it go in its own way, if it still runs. */
  async leave(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#gone
  }
}

export type Ending = { readonly result: Plain } | { readonly message: string }

export interface Pooled {
  readonly study: Study
  readonly points: readonly Plain[]
  /** How many processes, >= 1. */
  readonly parallel: number
  readonly signal?: AbortSignal | undefined
  /** Called when a point has ended, in the order of endings. */
  readonly onEnding: (index: number, ending: Ending) => void
}

/**
 * Runs every point once. When it returns or throws, no process is left.
 *
 * @throws Error if the study cannot be loaded, and the signal's reason if it was aborted
 */
export async function runPoints({ study, points, parallel, signal, onEnding }: Pooled): Promise<void> {
  signal?.throwIfAborted()
  // The processes' temporary files in one place: a process that is killed cannot remove its own.
  const folder = mkdtempSync(join(tmpdir(), 'bourse-sweep-'))
  const processes = new Set<StudyProcess>()
  const stopped = new AbortController()
  const stop = (reason: unknown): void => {
    stopped.abort(reason)
    for (const one of processes) one.kill()
  }
  const interrupted = (): void => stop(signal?.reason)
  const exiting = (): void => {
    stop('exit')
    // who is killed inside a system call ends that one first, and may make a file where one is just being removed
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 10 })
  }

  const start = async (): Promise<StudyProcess> => {
    const fresh = new StudyProcess(study, folder)
    processes.add(fresh)
    const said = await fresh.answer()
    stopped.signal.throwIfAborted()
    if (said.type === 'ready') return fresh
    const why = 'message' in said ? said.message : said.type
    throw new Error(`cannot run the study ${study.module}: ${why}`)
  }

  let next = 0
  const lane = async (): Promise<void> => {
    let current: StudyProcess | undefined
    while (next < points.length) {
      const index = next++
      const point = points[index] ?? null
      const isFresh = current === undefined
      current ??= await start()
      let said = await current.run(point)
      stopped.signal.throwIfAborted()
      if (said.type === 'ended' && !isFresh) {
        // What an earlier point left behind may have ended the process: a fresh one says whose fault it is.
        current = await start()
        said = await current.run(point)
        stopped.signal.throwIfAborted()
      }
      if (said.type === 'ended') current = undefined
      onEnding(index, said.type === 'done' ? said : { message: 'message' in said ? said.message : said.type })
    }
  }

  signal?.addEventListener('abort', interrupted)
  process.once('exit', exiting)
  try {
    const lanes = Array.from({ length: Math.min(parallel, points.length) }, lane)
    for (const one of lanes) one.catch(stop)
    await Promise.allSettled(lanes)
    stopped.signal.throwIfAborted()
  } finally {
    await Promise.all(Array.from(processes, (one) => one.leave()))
    signal?.removeEventListener('abort', interrupted)
    process.off('exit', exiting)
    rmSync(folder, { recursive: true, force: true })
  }
}
