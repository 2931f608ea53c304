/** Common parts of the benchmarks: samples of several sides in turn, ratios of neighbouring samples, and their display. */

export type Target = { readonly most: number } | { readonly least: number }

export interface Row {
  readonly name: string
  readonly ours: string
  readonly other: string
  readonly ratio?: number
  readonly target?: Target
}

export interface Settings {
  /** The number of samples of each side, after a first one that does not count. */
  readonly repeats: number
  /** Divides the amounts of work, for a quick run. */
  readonly quick: boolean
}

/** One measure; `--only` selects it by its name. */
export interface Measure {
  readonly name: string
  run(settings: Settings): Promise<readonly Row[]>
}

/** The time that some work took. */
export interface Cost {
  readonly ms: number
  /** CPU time of all threads of the process. */
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

/** Takes the samples of each side. The sides take turns, each turn begins with another side, and the first turn does not count. */
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

/** The median of the ratios of neighbouring samples; a common load cancels out. */
export const medianRatio = (ours: readonly number[], other: readonly number[]): number =>
  median(ours.map((value, i) => value / (other[i] ?? Number.NaN)))

export const isMet = (ratio: number, target: Target): boolean =>
  'most' in target ? ratio <= target.most : ratio >= target.least

/** Formats a number with three digits and no exponent. */
export function digits(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

/** Formats a rate from a count and its milliseconds. */
export function rate(count: number, ms: number): string {
  const perSecond = (count / ms) * 1000
  if (perSecond >= 1e6) return `${digits(perSecond / 1e6)} M/s`
  return perSecond >= 1e3 ? `${digits(perSecond / 1e3)} k/s` : `${digits(perSecond)} /s`
}
