/** One sleeper, and whoever wakes him. */
export class Latch {
  #isRung = false
  #wake = (): void => {}

  open(): void {
    this.#isRung = true
    this.#wake()
  }

  /** Until it is rung, unless it was since the last time, or `ms` have gone by. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(late)
          resolve()
        }
      })
    }
    this.#isRung = false
  }
}
