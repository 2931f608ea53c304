/** Ways to wait: for a signal, for a time, and for promises that are settled already. */

/** A wake-up latch for one waiter: it stays open from a call of `open` until the next `wait` is over. */
export class Latch {
  #isOpen = false
  #wake = (): void => {}

  open(): void {
    this.#isOpen = true
    this.#wake()
  }

  /** Resolves when the latch is open, or after `ms` milliseconds, and closes it. */
  async wait(ms: number): Promise<void> {
    if (!this.#isOpen) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(late)
          resolve()
        }
      })
    }
    this.#isOpen = false
  }
}

/** Resolves after all pending microtasks have run. */
export const flushMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** Resolves when a signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Calls `act` once after `ms` milliseconds, unless the process ends before; returns a function that cancels it. */
export function later(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms).unref()
  return () => clearTimeout(timer)
}
