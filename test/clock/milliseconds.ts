/** Time that passes only when a test says so: `performance.now` and the timers that it names. */
import { mock } from 'node:test'

export class Clock {
  #now = 0

  constructor(...timers: readonly ('setTimeout' | 'setInterval')[]) {
    mock.method(performance, 'now', () => this.#now)
    mock.timers.enable({ apis: [...timers] })
  }

  /** What is due then has happened, with all that waited for nothing else. */
  async pass(ms: number): Promise<void> {
    this.#now += ms
    mock.timers.tick(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Time is the machine's again. */
  release(): void {
    mock.reset()
  }
}
