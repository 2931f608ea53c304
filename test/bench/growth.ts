/** How the cost of something grows with the size of what it is done to. */
import { linearRegression } from 'simple-statistics'
import { type Cost, costOf, digits, inTurns, median, medianRatio, type Row, type Target } from './measure.ts'

interface Growing {
  readonly name: string
  /** What a size counts: `waiting`. */
  readonly of: string
  /** Each ten times the one before. */
  readonly sizes: readonly number[]
  readonly repeats: number
  /** The value at ten times the size. */
  readonly tenfold?: Target
  /** The power of the size that fits best. */
  readonly power?: Target
  /** One of the things that are counted. */
  readonly sideOf: (size: number) => () => Promise<Cost>
}

/** Each size beside the one before, and the power of the size that fits all of them best. */
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

/** The CPU of one unit at a size. */
export const each = async (times: number, work: () => void | Promise<void>): Promise<Cost> => {
  const { ms, cpuMs } = await costOf(work)
  return { ms: ms / times, cpuMs: cpuMs / times }
}
