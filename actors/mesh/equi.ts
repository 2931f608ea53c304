/** EQUI: one rectangle for each job, as even as the mesh allows (section 4). Only the number of jobs matters. */
import { type Dimension, floorLog2, isPowerOfTwo, longOf, type Mesh, meshText, other, processorsOf } from './mesh.ts'
import { type Rectangle, transposed } from './rectangle.ts'

/** The choices that the thesis leaves open. */
export interface EquiRules {
  /** Whether the remainder may double its columns if its number of jobs is not a power of two. */
  readonly doubles: boolean
  /** Which side takes the next column if the smallest partitions of both are equal. */
  readonly ties: 'remainder' | 'regular'
}

export const EQUI_RULES = {
  standard: { doubles: true, ties: 'remainder' },
  R: { doubles: false, ties: 'remainder' },
  H: { doubles: true, ties: 'regular' },
} as const satisfies Readonly<Record<string, EquiRules>>

/**
 * How EQUI divides a mesh. It is cut into 2^x bands across one dimension, and each band into columns along the other.
 * `y` columns are regular, with one job in each band. The other `w` < 2^x jobs share the remainder: columns without
 * bands.
 */
export interface Shares {
  /** The dimension that bands cut. Bands of rows lie one above the other; the fields below are named for that case. */
  readonly bands: Dimension
  readonly x: number
  readonly y: number
  readonly w: number
  /** The processor columns of each regular column before the `leftover` is distributed; `zm` is the remainder's. */
  readonly zg: number
  readonly zm: number
  readonly leftover: number
  /** The processor columns of each regular column in the end; `remainder` is the remainder's. */
  readonly columns: readonly number[]
  readonly remainder: number
}

/**
 * Calculates how EQUI divides a mesh among a number of jobs.
 *
 * @throws RangeError unless 1 <= jobs <= processors
 */
export function sharesOf(mesh: Mesh, jobs: number, rules: EquiRules = EQUI_RULES.standard): Shares {
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > processorsOf(mesh))
    throw new RangeError(`${meshText(mesh)} holds 1 to ${processorsOf(mesh)} jobs, not ${jobs}`)
  const k = floorLog2(jobs)
  const bands = k === 0 || k % 2 === 1 ? longOf(mesh) : other(longOf(mesh))
  const [b, o] = bands === 'rows' ? [mesh.m, mesh.n] : [mesh.n, mesh.m]
  // an elongated mesh may need more bands, because it has only 2^o columns
  const needed = (isPowerOfTwo(jobs) ? k : k + 1) - o
  const x = Math.min(b, Math.max(Math.ceil(k / 2), needed))
  const y = Math.floor(jobs / (1 << x))
  const w = jobs - y * (1 << x)
  const across = 1 << o
  const zg = Math.floor((across << x) / jobs)
  const zm = certain(Math.floor((across * w) / jobs), w)
  const leftover = across - zg * y - zm
  return { bands, x, y, w, zg, zm, leftover, ...spread({ x, y, w, zg, zm, leftover }, across, jobs, rules) }
}

/** The processor columns that the remainder of `w` jobs gets before the leftover is distributed; at least 1. */
function certain(due: number, w: number): number {
  if (w === 0) return 0
  if (due === 0) return 1
  return isPowerOfTwo(w) ? due : 1 << floorLog2(due)
}

/** Distributes the leftover columns one decision at a time, each to the smallest partition. */
function spread(
  { x, y, w, zg, zm, leftover }: Pick<Shares, 'x' | 'y' | 'w' | 'zg' | 'zm' | 'leftover'>,
  across: number,
  jobs: number,
  { doubles, ties }: EquiRules,
): Pick<Shares, 'columns' | 'remainder'> {
  const columns = new Array<number>(y).fill(zg)
  let [remainder, left] = [zm, leftover]
  /** The columns that the remainder would take next: one, or as many as it has if doubling brings it nearer to its share. */
  const step = () => {
    if (isPowerOfTwo(w)) return 1
    return doubles && 3 * remainder * jobs <= 2 * across * w ? remainder : 0
  }
  while (left > 0) {
    const least = Math.min(...columns)
    // sizes of partitions, over their common factor
    const lead = least * w - (remainder << x)
    const wanted = w > 0 && (lead > 0 || (lead === 0 && ties === 'remainder')) ? step() : 0
    if (wanted > 0 && wanted <= left) {
      remainder += wanted
      left -= wanted
    } else {
      columns[columns.indexOf(least)] = least + 1
      left--
    }
  }
  return { columns, remainder }
}

/**
 * The partitions in the order of their numbers: the regular columns, each from its first band to its last, then the
 * remainder. They are disjoint and cover the mesh, and one side of each is a power of two.
 *
 * @throws RangeError unless 1 <= jobs <= processors
 */
export function equi(mesh: Mesh, jobs: number, rules: EquiRules = EQUI_RULES.standard): readonly Rectangle[] {
  const { bands, x, w, columns, remainder } = sharesOf(mesh, jobs, rules)
  const height = 1 << (bands === 'rows' ? mesh.m : mesh.n)
  const partitions: Rectangle[] = []
  let column = 0
  for (const width of columns) {
    partitions.push(...stacked(height, 1 << x, column, width))
    column += width
  }
  partitions.push(...stacked(height, w, column, remainder))
  return bands === 'rows' ? partitions : partitions.map(transposed)
}

/** Splits columns into `count` rectangles, one below the other, as even as the rows allow. */
function stacked(height: number, count: number, column: number, columns: number): Rectangle[] {
  const start = (q: number) => Math.floor((q * height) / count)
  return Array.from({ length: count }, (_, q) => ({ row: start(q), column, rows: start(q + 1) - start(q), columns }))
}

// --- assignment of partitions to jobs, which the thesis leaves open ---------------------------------------------------

/**
 * The assignments of partitions. `arrival`: the newest jobs get the last partitions, which are those of the remainder.
 * `random`: drawn again at every change.
 */
export const DEALS = ['arrival', 'random'] as const
export type Deal = (typeof DEALS)[number]

/**
 * The jobs, given in the order of arrival, in the order of the partitions that they get. `draw` returns numbers in [0,
 * 1).
 */
export function dealt<Job>(jobs: readonly Job[], deal: Deal, draw: () => number): readonly Job[] {
  if (deal === 'arrival') return jobs
  const left = [...jobs]
  return jobs.flatMap(() => left.splice(Math.floor(draw() * left.length), 1))
}
