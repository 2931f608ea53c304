/** How even the machine was meanwhile: the same work again and again, between whatever else is measured. */
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

  /** What a figure of one run alone may be off by. */
  get said(): string {
    const spread = (values: readonly number[]) => {
      const least = Math.min(...values)
      return `${digits(median(values) / least)} times its least in the middle and ${digits(Math.max(...values) / least)} at most`
    }
    const wall = spread(this.#costs.map(({ ms }) => ms))
    const cpu = spread(this.#costs.map(({ cpuMs }) => cpuMs))
    return `noise: the same loop, ${this.#costs.length} times meanwhile, took ${wall} by the clock, ${cpu} of CPU`
  }
}
