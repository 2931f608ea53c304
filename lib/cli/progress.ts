/** Notes and progress on stderr: a bar on a terminal, and a line now and then elsewhere. */
import type { Progress } from '../scenario/command.ts'

export interface Terminal {
  write(text: string): void
  /** Whether it can overwrite lines. */
  readonly isTerminal: boolean
  /** Writes the text that it holds back; see `heldBack`. */
  open?(): void
}

/** A terminal that holds its text back until it is opened, since a refused command prints only its error. */
export function heldBack(terminal: Terminal): Required<Terminal> {
  let kept: string[] | undefined = []
  return {
    isTerminal: terminal.isTerminal,
    write(text) {
      if (kept) kept.push(text)
      else terminal.write(text)
    },
    open() {
      for (const text of kept ?? []) terminal.write(text)
      kept = undefined
    },
  }
}

/** The part of the work that is done, from 0 to 1; 0 if nobody knows how much there is. */
function partOf(done: number, total: number | null): number {
  if (total === null) return 0
  return total > 0 ? Math.min(1, Math.max(0, done / total)) : 1
}

const SILENT: Progress = { note: () => {}, progress: () => {}, clear: () => {} }
const CELLS = 30
const REDRAW_MS = 100
/** The time between two lines of progress where no bar can be drawn. */
const LINE_MS = 10_000

/**
 * Progress on a terminal, drawn at most ten times a second, or as lines, at most one in ten seconds; `now` is in
 * milliseconds.
 */
export function progressOn(terminal: Terminal, quiet: boolean, now: () => number = () => performance.now()): Progress {
  if (quiet) return SILENT
  let drawn = terminal.isTerminal ? -Infinity : now()
  let isShown = false
  const clear = (): void => {
    if (isShown) terminal.write('\r\x1b[K')
    isShown = false
  }
  return {
    clear,
    note(text) {
      clear()
      terminal.write(`${text}\n`)
    },
    progress(done, total, what = '') {
      terminal.open?.()
      const part = partOf(done, total)
      const text = total === null ? what : `${Math.floor(part * 100)} % ${what}`
      if (!terminal.isTerminal) {
        if (now() - drawn < LINE_MS) return
        drawn = now()
        terminal.write(`${text}\n`)
        return
      }
      if (part < 1 && now() - drawn < REDRAW_MS) return
      drawn = now()
      isShown = true
      const bar = total === null ? '' : `[${'#'.repeat(Math.round(part * CELLS)).padEnd(CELLS)}] `
      terminal.write(`\r${bar}${text}\x1b[K`)
    },
  }
}
