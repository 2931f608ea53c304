/** A clock that a test moves: `performance.now`, and the timers that the test names. */
import { mock } from 'node:test'

export class Clock {
  #now = 0
  /** The time that passes while a program reads the clock. */
  #perReading = 0

  constructor(...timers: readonly ('setTimeout' | 'setInterval')[]) {
    mock.method(performance, 'now', () => {
      const now = this.#now
      this.#now += this.#perReading
      return now
    })
    mock.timers.enable({ apis: [...timers] })
  }

  /** Advances the time, fires the timers that are due, and lets pending promises settle. */
  async pass(ms: number): Promise<void> {
    this.#now += ms
    mock.timers.tick(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Lets `ms` milliseconds pass with each reading of the clock from now on. */
  slow(ms: number): void {
    this.#perReading = ms
  }

  /** Restores the real clock and its timers. */
  release(): void {
    mock.reset()
  }
}
