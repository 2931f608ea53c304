/**
 * Runs points of a study one after another, in a process of its own: a point may start threads, use up its memory or end
 * its process, and no other point notices.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { isMessage, type Plain } from '../core/data.ts'
import { BourseError, type ErrorCode } from '../core/error.ts'
import { pathOfFile, urlOfFile } from '../core/module-file.ts'
import { loaderArguments } from '../core/typescript.ts'

/** A function `(point: Plain) => Promise<Plain>` that a module exports. Some hand over parts of their result to a second argument. */
export interface Study {
  /** The module's `file:` URL. */
  readonly module: string
  readonly export: string
}

export interface Task {
  readonly type: 'task'
  readonly point: Plain
  /** Whether the study gets a second argument, a function that hands over what it has found so far. */
  readonly hasParts: boolean
}

export const isTask = (value: unknown): value is Task => isMessage(value) && value.type === 'task' && 'point' in value

/** An answer of a process: first whether it could load the study, then the ending of each point. */
export type Answer =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly message: string }
  /** What a point has found so far; more will follow. */
  | { readonly type: 'part'; readonly part: Plain }
  | { readonly type: 'done'; readonly result: Plain }
  /** `code` is that of an error of the library. */
  | { readonly type: 'failed'; readonly message: string; readonly code?: ErrorCode }
  /** Stands for the end of the process, which gives no more answers. */
  | { readonly type: 'ended'; readonly message: string }

/** Hears what a point has found so far. Each part stands for all earlier ones. */
export type OnPart = (part: Plain) => void

const isAnswer = (value: unknown): value is Answer =>
  isMessage(value) && /^(ready|refused|part|done|failed)$/.test(value.type)

const PROGRAM = pathOfFile(new URL('./worker-main.ts', import.meta.url))

/** A process that runs one point at a time. */
class StudyProcess {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  #end: Answer | undefined
  #hear: (answer: Answer) => void = () => {}
  #onPart: OnPart | undefined
  /** Whether it has run a point, whose remains may end it. */
  hasRun = false

  constructor(study: Study, folder: string) {
    this.#child = fork(PROGRAM, [urlOfFile(study.module), study.export], {
      // a point allocates many short-lived objects: with a large young generation a long point takes four fifths of the time
      execArgv: ['--max-semi-space-size=64', ...loaderArguments()],
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
      // The output of a point is not its result.
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    this.#child.on('message', (said) => {
      if (!isAnswer(said)) return
      if (said.type === 'part') this.#onPart?.(said.part)
      else this.#hear(said)
    })
    this.#gone = new Promise((resolve) => {
      const end = (message: string): void => {
        this.#end = { type: 'ended', message }
        this.#hear(this.#end)
        resolve()
      }
      this.#child.once('exit', (code, signal) => end(`its process ended (${signal ?? `exit code ${code}`})`))
      this.#child.on('error', ({ message }) => {
        // a process that did not start has no exit event
        if (this.#child.pid === undefined) end(`its process did not start: ${message}`)
        else this.kill()
      })
    })
  }

  /** Awaits the next answer. */
  answer(): Promise<Answer> {
    if (this.#end !== undefined) return Promise.resolve(this.#end)
    return new Promise((resolve) => {
      this.#hear = resolve
    })
  }

  run(point: Plain, onPart: OnPart | undefined): Promise<Answer> {
    const answer = this.answer()
    this.#onPart = onPart
    this.hasRun = true
    const task: Task = { type: 'task', point, hasParts: onPart !== undefined }
    if (this.#child.connected) this.#child.send(task)
    return answer
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Lets the process end by itself, if it still runs. */
  async leave(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#gone
  }
}

/** The ending of a point: the result of the study, or the reason why there is none. */
export type Ending = { readonly result: Plain } | { readonly message: string; readonly code?: ErrorCode }

/** Throws the error of an ending where the option `strict` of a system found a mistake, which the other points have too. */
export function requireForgiven(ending: Ending): void {
  if (!('message' in ending)) return
  const { message, code } = ending
  if (code === 'BOURSE_STRICT' || code === 'BOURSE_MUTATION') throw new BourseError('BOURSE_STRICT', message)
}

export class WorkerProcess {
  readonly #study: Study
  readonly #folder: string
  #current: StudyProcess | undefined
  #isStopped = false

  /** `folder` is the folder for temporary files of its processes. */
  constructor(study: Study, folder: string) {
    this.#study = study
    this.#folder = folder
  }

  /** Starts the process. @throws Error if the study cannot be loaded, or the lane was stopped */
  async ready(): Promise<void> {
    await this.#process()
  }

  /**
   * Runs a point. Only one point may run at a time.
   *
   * @throws Error if the study cannot be loaded, or the lane was stopped
   */
  async run(point: Plain, onPart?: OnPart): Promise<Ending> {
    const isFresh = !this.#current?.hasRun
    let said = await (await this.#process()).run(point, onPart)
    if (said.type === 'ended' && !isFresh && !this.#isStopped) {
      // Remains of an earlier point may have ended the process, so this point is tried in a fresh one.
      this.#current = undefined
      said = await (await this.#process()).run(point, onPart)
    }
    if (said.type === 'ended') this.#current = undefined
    if (said.type === 'done') return { result: said.result }
    if (said.type === 'failed') return { message: said.message, ...(said.code && { code: said.code }) }
    return { message: 'message' in said ? said.message : said.type }
  }

  async #process(): Promise<StudyProcess> {
    if (this.#current) return this.#current
    if (this.#isStopped) throw new Error('the lane was stopped')
    const fresh = new StudyProcess(this.#study, this.#folder)
    this.#current = fresh
    const said = await fresh.answer()
    if (said.type === 'ready') return fresh
    const why = 'message' in said ? said.message : said.type
    throw new BourseError('BOURSE_LOADING', `cannot run the study ${this.#study.module}: ${why}`)
  }

  /** Ends the process at once, even within a point. */
  stop(): void {
    this.#isStopped = true
    this.#current?.kill()
  }

  /** Lets the idle or stopped process end. */
  async leave(): Promise<void> {
    this.#isStopped = true
    await this.#current?.leave()
  }
}
