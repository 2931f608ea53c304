/** What the benches have in common: samples of several sides in turn, ratios of neighbours, and how they are shown. */

export type Target = { readonly most: number } | { readonly least: number }

export interface Row {
  readonly name: string
  readonly ours: string
  readonly other: string
  readonly ratio?: number
  readonly target?: Target
}

export interface Settings {
  /** How often each side is measured, after one time that does not count. */
  readonly repeats: number
  /** Divides the amounts of work. */
  readonly quick: boolean
}

/** One thing to run; its rows come from the same run. `--only` looks at the name. */
export interface Measure {
  readonly name: string
  run(settings: Settings): Promise<readonly Row[]>
}

/** What some work took. */
export interface Cost {
  readonly ms: number
  /** CPU of all threads of the process. */
  readonly cpuMs: number
}

export async function costOf(work: () => void | Promise<void>): Promise<Cost> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000 }
}

/** The samples of each side. The sides take turns, the first of a turn changes, and the first turn is not counted. */
export async function inTurns<T>(repeats: number, ...sides: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const samples = sides.map((): T[] => [])
  for (let turn = 0; turn <= repeats; turn++) {
    for (let k = 0; k < sides.length; k++) {
      const side = (turn + k) % sides.length
      const sample = await sides[side]?.()
      if (turn > 0 && sample !== undefined) samples[side]?.push(sample)
    }
  }
  return samples
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** The median of the ratios of samples taken one after the other: load that both met cancels out. */
export const medianRatio = (ours: readonly number[], other: readonly number[]): number =>
  median(ours.map((value, i) => value / (other[i] ?? Number.NaN)))

export const isMet = (ratio: number, target: Target): boolean =>
  'most' in target ? ratio <= target.most : ratio >= target.least

/** Three digits, and no exponent. */
export function digits(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

/** A rate from a count and the milliseconds it took. */
export function rate(count: number, ms: number): string {
  const perSecond = (count / ms) * 1000
  if (perSecond >= 1e6) return `${digits(perSecond / 1e6)} M/s`
  return perSecond >= 1e3 ? `${digits(perSecond / 1e3)} k/s` : `${digits(perSecond)} /s`
}
