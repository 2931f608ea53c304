/** Notes and a progress bar on stderr; the bar only on a terminal. */
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

const SILENT: Progress = { note: () => {}, progress: () => {}, clear: () => {} }
const CELLS = 30
const REDRAW_MS = 100

/** Progress on a terminal, drawn at most ten times a second; `now` is in milliseconds. */
export function progressOn(terminal: Terminal, quiet: boolean, now: () => number = () => performance.now()): Progress {
  if (quiet) return SILENT
  let drawn = -Infinity
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
      if (!terminal.isTerminal || (done < total && now() - drawn < REDRAW_MS)) return
      drawn = now()
      isShown = true
      const part = total > 0 ? Math.min(1, Math.max(0, done / total)) : 1
      const bar = '#'.repeat(Math.round(part * CELLS)).padEnd(CELLS)
      terminal.write(`\r[${bar}] ${Math.floor(part * 100)} % ${what}\x1b[K`)
    },
  }
}
