/** From a command line to an exit code: the entry point of every scenario. */
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { commandOf, shellQuoted } from '../core/command-name.ts'
import { BourseError } from '../core/error.ts'
import { isMisuse, misuseText } from '../core/misuse.ts'
import { isPart } from '../core/part-file.ts'
import { finishResult, writeResult } from '../core/result-file.ts'
import { textOf } from '../core/table.ts'
import { VERSION } from '../core/version.ts'
import type { Live } from '../live/live.ts'
import type { ShownSystem } from '../report/command.ts'
import type { Exhibits } from '../report/exhibits.ts'
import { checkLine } from '../scenario/checks.ts'
import type { CommandOutcome, Invocation, Progress, ShownAs } from '../scenario/command.ts'
import { type Fault, printFault } from '../scenario/faults.ts'
import { collect, type Flags, type Given, optionTexts, readOptions } from '../scenario/flags.ts'
import type { PageReader } from '../scenario/page.ts'
import { isDemonstration, type SeedOptions } from '../scenario/run-flags.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { printSchedule } from '../scenario/schedule-string.ts'
import type { System } from '../system/system.ts'
import { runAlike } from './determinism.ts'
import { filesOf, readPipes, requireSafe } from './files.ts'
import { helpText, type Subject } from './help.ts'
import { headOf, liveOf, pageMaker } from './pages.ts'
import { heldBack, progressOn, type Terminal } from './progress.ts'

/** The outcome of a command, with what it adds to its report. */
export interface Outcome extends CommandOutcome {
  /** More for `--report`, in addition to its tables and the records of systems. */
  readonly exhibits?: Exhibits
}

/** A signal that is aborted if the user interrupts, for functions that take one, such as sweeps. */
export function signalOf({ onInterrupt }: Pick<Invocation<unknown>, 'onInterrupt'>): AbortSignal {
  const interrupt = new AbortController()
  onInterrupt(() => interrupt.abort(new Error('interrupted')))
  return interrupt.signal
}

/** A command: a scenario, a figure or a tool. */
export interface Command<O extends SeedOptions> extends Subject {
  /**
   * The flags of the command, such as `{ ...runFlags, speeds: value(...) }`. It has `seedFlags` instead if many runs make
   * one result, and `outputFlags` without runs.
   */
  readonly flags: Flags<O>
  /** A reader of the facts of its runs, for their pages. */
  readonly page?: () => PageReader
  main(invocation: Invocation<O>): Promise<Outcome>
}

/** The process around a command; tests pass their own. */
export interface Shell {
  readonly args: readonly string[]
  readonly stdout: { write(text: string): void }
  readonly stderr: Terminal
  /** Registers a function to call at an interrupt. */
  onInterrupt(stop: () => void | Promise<void>): void
}

export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const

const numeric = (text: string): string | number => (String(Number(text)) === text ? Number(text) : text)

/** Runs a scenario and returns its exit code, one of `EXIT`. Throws only errors of `main` that are no wrong use. */
export async function execute<O extends SeedOptions>(scenario: Command<O>, shell: Shell): Promise<number> {
  const { args, stdout, stderr } = shell
  const started = performance.now()
  const held = heldBack(stderr)
  let progress: Progress | undefined
  let live: Live | undefined
  const trace = new TracePart()
  try {
    if (args.includes('--help') || args.includes('-h')) {
      stdout.write(helpText(scenario, scenario.flags))
      return EXIT.ok
    }
    const { given, words } = collect(scenario.flags, args, scenario.args)
    const options = readOptions(scenario.flags, given)
    const files = filesOf(scenario.flags, given, words)
    requireSafe(files)
    await readPipes(files)
    progress = progressOn(held, options.quiet)
    const begin = held.open
    if (isDemonstration(given)) begin()
    shell.onInterrupt(begin)
    const onInterrupt = (stop: () => void | Promise<void>): void => shell.onInterrupt(stop)
    const typed = (words: readonly string[]): string => [commandOf(scenario), ...words.map(shellQuoted)].join(' ')
    const byHand = (): readonly Fault[] => live?.faults ?? []
    const command = (words = args): string =>
      [typed(words), ...byHand().map((fault) => `--fault ${shellQuoted(printFault(fault))}`)].join(' ')
    const sayAgain = (): void => stderr.write(`again: ${command()}\n`)
    if (options.live) {
      live = await liveOf(headOf(scenario, given, typed(args)), options.liveEvents, (line) => {
        progress?.clear()
        held.write(`${line}\n`)
      })
      onInterrupt(() => {
        if (byHand().length > 0) sayAgain()
        return live?.close()
      })
    }
    onInterrupt(() => trace.tell(stderr))
    const pages = options.report === undefined ? undefined : await pageMaker()
    const systems: ShownSystem[] = []
    const running = new Set<System>()
    onInterrupt(async () => void (await Promise.all([...running].map((system) => system.stop()))))
    const onSystem = (system: System, { promises, ...shown }: ShownAs = {}): void => {
      const page = shown.page ?? scenario.page
      running.add(system)
      system.stopped.then(() => running.delete(system))
      trace.of(system)
      system.begun.then(begin)
      if (system.options.record) systems.push({ ...shown, ...(page && { page }), system })
      live?.watch(system, page?.(), promises)
    }
    const around = {
      ...progress,
      begin,
      words,
      isDemonstration: isDemonstration(given),
      onInterrupt,
      onSystem,
      byHand,
    }
    const runWith = async (these: Given): Promise<Outcome> => {
      systems.length = 0
      const options = readOptions(scenario.flags, these)
      const outcome = await scenario.main({ ...around, options })
      if (options.trace !== undefined) finishResult(options.trace, '--trace')
      return outcome
    }
    const alike = options.checkDeterminism ? await runAlike(given, runWith, onInterrupt) : undefined
    const outcome = alike?.outcome ?? (await runWith(given))
    begin()
    progress.clear()
    const { path } = scenario
    const [traced] = given.get('trace') ?? []
    if (traced !== undefined && path !== undefined) {
      const words = [traced, '--register', path].map(shellQuoted).join(' ')
      progress.note(`to replay this run: ${commandOf({ name: 'lab/replay' })} ${words}`)
    }
    const { results, checks, messages, tables = [], drawn = '', exhibits } = outcome
    const lines = [outcome.text ?? '', drawn].filter((part) => part !== '')
    const text = [...tables.map(textOf), ...lines].join('\n').trimEnd()
    if (options.json) {
      const texts = Object.entries(optionTexts(scenario.flags, given))
      const shown = texts.map(([key, said]) => [key, typeof said === 'string' ? numeric(said) : said] as const)
      const wallSeconds = (performance.now() - started) / 1000
      const { seed } = options
      const schedule = typeof options.schedule === 'object' ? printSchedule(options.schedule) : options.schedule
      const asked = { ...(scenario.args && { arguments: words }), options: Object.fromEntries(shown) }
      const head = { scenario: scenario.name, ...asked, seed, schedule }
      const done = live && { faultsByHand: byHand().map(printFault) }
      const document = { ...head, results, ...done, checks, messages, wallSeconds, version: VERSION }
      stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    } else stdout.write([text, ...checks.map(checkLine), ''].join('\n'))
    // the results are printed first, so that nothing that goes wrong with a page can lose them
    // two runs that differ are shown instead of the last one
    const page = systems[0]?.page ?? scenario.page
    const runs = alike?.differing.map((run) => ({ ...run, page })) ?? []
    const recorded = runs.length > 0 ? [] : systems
    const told = {
      ...headOf(scenario, given, command(withoutReport(args))),
      text: outcome.text ?? '',
      checks,
      exhibits: { tables, comparison: outcome.comparison, ...exhibits, ...(runs.length > 0 && { runs }) },
    }
    if (options.report !== undefined && pages) {
      writeResult(options.report, await pages.pageOf({ ...told, systems: recorded }), '--report')
    }
    await live?.end(told)
    const failed = checks.filter(({ ok }) => !ok)
    if (options.json) for (const check of failed) stderr.write(`${checkLine(check)}\n`)
    if (failed.length > 0 || byHand().length > 0) sayAgain()
    return failed.length === 0 ? EXIT.ok : EXIT.failed
  } catch (error) {
    progress?.clear()
    if (!isMisuse(error)) {
      held.open()
      if (error instanceof BourseError && FINDINGS.has(error.code)) {
        stderr.write(`bourse: ${error.message}\n`)
        return EXIT.failed
      }
      throw error
    }
    trace.discard()
    stderr.write(`bourse: ${misuseText(error)}\n`)
    return EXIT.usage
  } finally {
    await live?.close()
  }
}

/** The codes of errors that tell what a run did wrong: their message alone is printed. */
const FINDINGS: ReadonlySet<string> = new Set(['BOURSE_STRICT', 'BOURSE_PROMISE_BROKEN'])

/** The words of a command line without the file of its page, which a page need not name. */
const withoutReport = (args: readonly string[]): readonly string[] =>
  args.filter((word, i) => word !== '--report' && args[i - 1] !== '--report' && !word.startsWith('--report='))

/** The part file of a trace, used until its run is over. */
class TracePart {
  #path: string | undefined

  of({ options: { trace } }: System): void {
    if (typeof trace === 'string' && isPart(trace)) this.#path = trace
  }

  /** Prints its path when the run is interrupted. */
  tell(stderr: Terminal): void {
    if (this.#path !== undefined && existsSync(this.#path)) stderr.write(`the trace so far: ${this.#path}\n`)
  }

  /** Removes the part of a refused run. */
  discard(): void {
    if (this.#path !== undefined) rmSync(this.#path, { force: true })
  }
}

/** The stack of an error, or its message: an error that ended a thread from outside has an empty stack. */
const told = (error: unknown): string => (error instanceof Error && error.stack) || String(error)

/** The process ends within a second of an interrupt, even if a stop never settles. */
const PATIENCE_MS = 800

/** What listens to signals: whether one came, and how to listen no more. */
interface Listener {
  readonly isStopping: boolean
  close(): void
}

/** Runs the registered stops, last first, and ends the process; a second signal ends it at once. */
function listen(stops: readonly (() => void | Promise<void>)[]): Listener {
  let isStopping = false
  const exit = (): never => process.exit(EXIT.interrupted)
  const interrupted = (): void => {
    if (isStopping) exit()
    isStopping = true
    process.stderr.write('\ninterrupted\n')
    setTimeout(exit, PATIENCE_MS)
    const all = [...stops].reverse().map(async (stop) => stop())
    Promise.allSettled(all).then(exit)
  }
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', interrupted)
  return {
    get isStopping() {
      return isStopping
    },
    close: () => {
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', interrupted)
    },
  }
}

/**
 * The entry point of a command: `await runMain({ name, summary, flags, main })`. Sets `process.exitCode`. A command that has
 * to be loaded first is given as a function.
 *
 * A signal is handled only when the event loop turns, so a long computation in `main` must yield to it.
 */
export async function runMain<O extends SeedOptions>(given: Command<O> | (() => Promise<Command<O>>)): Promise<void> {
  const stops: (() => void | Promise<void>)[] = []
  const signals = listen(stops)
  // a reader that left (`| head`) is no error of ours
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    const command = typeof given === 'function' ? await given() : given
    process.exitCode = await execute(command, {
      args: process.argv.slice(2),
      stdout: { write: (text) => process.stdout.write(text) },
      stderr: { write: (text) => process.stderr.write(text), isTerminal: process.stderr.isTTY === true },
      onInterrupt: (stop) => stops.push(stop),
    })
  } catch (error) {
    // the run that an interrupt stopped has nothing more to say; the process is about to end
    if (signals.isStopping) return
    const isRefused = isMisuse(error)
    process.exitCode = isRefused ? EXIT.usage : EXIT.failed
    process.stderr.write(`bourse: ${isRefused ? misuseText(error) : told(error)}\n`)
    await Promise.allSettled([...stops].reverse().map(async (stop) => stop()))
  } finally {
    signals.close()
  }
}

/** Runs a scenario if its file, `import.meta.url`, is the program that was started; an import of the file runs nothing. */
export async function runProgram(scenario: Scenario, url: string): Promise<void> {
  const [, program] = process.argv
  if (!isMainThread || program === undefined || !existsSync(program)) return
  if (pathToFileURL(realpathSync(program)).href !== url) return
  const isOurs = url === new URL(`../../scenarios/${scenario.name}.ts`, import.meta.url).href
  await runMain(isOurs ? scenario : { ...scenario, path: relative('', program) })
}
