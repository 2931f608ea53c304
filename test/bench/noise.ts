/** The noise of the computer: the same work is repeated between the other measurements. */
import { type Cost, costOf, digits, median } from './measure.ts'

const STEPS = 4_000_000

function work(): number {
  let x = 1
  for (let i = 0; i < STEPS; i++) x = (Math.imul(x, 1_103_515_245) + 12_345) & 0x7fff_ffff
  return x
}

export class Noise {
  readonly #costs: Cost[] = []

  constructor() {
    work()
  }

  async probe(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      this.#costs.push(
        await costOf(() => {
          if (work() < 0) throw new Error('the loop has changed')
        }),
      )
    }
  }

  /** A sentence on the possible error of a single measurement. */
  get said(): string {
    const spread = (values: readonly number[]) => {
      const least = Math.min(...values)
      return `${digits(median(values) / least)} (median) and ${digits(Math.max(...values) / least)} (maximum) times its minimum`
    }
    const wall = spread(this.#costs.map(({ ms }) => ms))
    const cpu = spread(this.#costs.map(({ cpuMs }) => cpuMs))
    return `noise: a fixed loop, run ${this.#costs.length} times meanwhile, took ${wall} by the clock, and ${cpu} in CPU time`
  }
}
