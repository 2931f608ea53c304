/** The growth of a cost with a size. */
import { linearRegression } from 'simple-statistics'
import { type Cost, costOf, digits, inTurns, median, medianRatio, type Row, type Target } from './measure.ts'

interface Growing {
  readonly name: string
  /** The unit of the sizes, such as `waiting`. */
  readonly of: string
  /** The sizes, each ten times the previous one. */
  readonly sizes: readonly number[]
  readonly repeats: number
  /** The bound of the ratio for ten times the size. */
  readonly tenfold?: Target
  /** The power of the size that fits best. */
  readonly power?: Target
  /** Makes the sampler of the cost of one event at a size. */
  readonly sideOf: (size: number) => () => Promise<Cost>
}

/** Rows that compare each size with the previous one, and the power that fits all sizes best. */
export async function growth({ name, of, sizes, repeats, tenfold, power, sideOf }: Growing): Promise<Row[]> {
  const costs = await inTurns(repeats, ...sizes.map(sideOf))
  const cpu = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
  const rows = sizes.slice(1).map((size, i) => {
    const [less = [], more = []] = [cpu[i], cpu[i + 1]]
    return {
      name: `${name}, ${size} ${of} (other: ${sizes[i]})`,
      ours: `${digits(median(more) * 1000)} us CPU`,
      other: `${digits(median(less) * 1000)} us CPU`,
      ratio: medianRatio(more, less),
      ...(tenfold && { target: tenfold }),
    }
  })
  const { m } = linearRegression(sizes.map((size, i) => [Math.log(size), Math.log(median(cpu[i] ?? []))]))
  return [
    ...rows,
    { name: `  as a power of the number ${of}`, ours: '', other: '', ratio: m, ...(power && { target: power }) },
  ]
}

/** Measures work that repeats something `times` times, and returns the cost of one. */
export const each = async (times: number, work: () => void | Promise<void>): Promise<Cost> => {
  const { ms, cpuMs } = await costOf(work)
  return { ms: ms / times, cpuMs: cpuMs / times }
}
