/** What a command gives to the scenario that it runs, and what it gets back. */
import type { Plain } from '../core/data.ts'
import type { ResultTable } from '../core/table.ts'
import type { System } from '../system/system.ts'
import type { Check } from './checks.ts'
import type { Fault } from './faults.ts'
import type { NamedPromise, Violation } from './oracle.ts'
import type { PageReader, Sentence } from './page.ts'

/** Notes and a progress bar for people. */
export interface Progress {
  /** Writes a line for people. */
  note(text: string): void
  /** Shows the progress of the run; cheap enough to be called at every step. A total that nobody knows is null. */
  progress(done: number, total: number | null, what?: string): void
  /** Erases the bar. */
  clear(): void
}

/** How a page shows a run. */
export interface ShownAs {
  /** The name that distinguishes it from other runs of the command. */
  readonly name?: string
  readonly page?: () => PageReader
  /** The promises of the run, and what has broken them so far; undefined before it begins. */
  readonly promises?: () => PromisesSoFar | undefined
}

/** How the promises of a run stand while it goes on. Those that are asked at the end only are named as `eventually`. */
export interface PromisesSoFar {
  readonly named: readonly NamedPromise[]
  readonly broken: readonly Violation[]
}

/** The argument of a command's `main`. */
export interface Invocation<O> extends Progress {
  readonly options: O
  /** The words that were typed in addition to flags; only for a command with `args`. */
  readonly words: readonly string[]
  readonly isDemonstration: boolean
  /**
   * Marks the start of the work: from then on notes are shown at once. Earlier notes are held back, so that a refused
   * command prints only its error. Progress and a registered system that runs mark the start as well.
   */
  begin(): void
  /** Registers a function that ends threads if the user interrupts; the last registered is called first. */
  onInterrupt(stop: () => void | Promise<void>): void
  /** Registers a system: an interrupt stops it, and its record appears in the report and on the live page, as `shown` says. */
  onSystem(system: System, shown?: ShownAs): void
  /** The faults that were injected by hand so far: see `--live`. */
  byHand(): readonly Fault[]
}

/** The outcome of a command. */
export interface CommandOutcome {
  readonly results: { readonly [key: string]: Plain | undefined }
  readonly checks: readonly Check[]
  /** The number of messages that were sent. */
  readonly messages: number
  /** The results for people: tables, which a page shows as well. */
  readonly tables?: readonly ResultTable[]
  /** Further lines for people, printed after the tables. */
  readonly text?: string
  /** What a comparison of several runs shows, in one to three sentences at the top of the page. */
  readonly comparison?: readonly Sentence[]
  /** Drawings of characters, printed last. A page has pictures of its own. */
  readonly drawn?: string
}

/** A chart as SVG, with a description for readers who cannot see it. */
export interface DrawnChart {
  readonly title: string
  readonly says: string
  readonly svg: string
}
