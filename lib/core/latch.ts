/** One sleeper, and whoever wakes him. */
export class Bell {
  #isRung = false
  #wake = (): void => {}

  ring(): void {
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
