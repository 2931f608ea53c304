/**
 * What is done after jobs have died, or the allocator, or processors: planned from what all say that are left (section 8).
 * Where one partition is free it is taken as after a departure; otherwise all jobs are put anew, one after the other.
 */
import type { Address } from '../../../lib/actor.ts'
import { floorLog2 } from '../mesh.ts'
import { areaOf, joined, type Rectangle, textOf } from '../rectangle.ts'
import { type Cycle, ringOf, roomIn } from './cells.ts'
import { arrival, settled } from './changes.ts'
import {
  emptyFold,
  type Fold,
  numbersOf,
  type Order,
  type Owner,
  ringWith,
  type Step,
  type Stretch,
  started,
  toEach,
  whole,
} from './fold.ts'

/**
 * @param area what is left of the machine
 * @param reports of all that live, in the order in which they came; who is not in a ring has no cells
 * @param failed who must not stay
 */
export function recovery(area: Rectangle, reports: readonly Report[], failed: ReadonlySet<Address>): readonly Step[] {
  const staying = reports.filter(({ job }) => !failed.has(job))
  const leaving = reports.flatMap(({ job }) => (failed.has(job) ? [vacate(job, true)] : []))
  const [first, ...others] = goingOn(area, staying) ?? putAnew(area, staying)
  return first ? [{ ...first, orders: [...leaving, ...first.orders] }, ...others] : []
}

const vacate = (job: Address, isFailed: boolean): Order => ({ type: 'vacate', job, isFailed })

/** As many as there is room for. */
function putAnew(area: Rectangle, reports: readonly Report[]): readonly Step[] {
  const jobs = reports.map(({ job }) => job)
  const fold = jobs.slice(0, roomIn(area)).reduce(put, emptyFold(area))
  return [
    { orders: jobs.map((job) => vacate(job, false)), fold: emptyFold(area) },
    { orders: started(fold, new Set(jobs)), fold },
  ]
}

/** From where they are; null: that is not possible. */
function goingOn(area: Rectangle, reports: readonly Report[]): readonly Step[] | null {
  if (reports.some(({ cells }) => cells.length === 0)) return null
  for (const gather of [gatheredWhole, gathered]) {
    const fold = ifAny(() => gather(area, reports))
    const steps = fold && ifAny(() => settled(fold))
    if (steps) return [{ orders: toEach(fold), fold }, ...steps]
  }
  return null
}

/** What does not go by the rules of rings is none. */
function ifAny<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const put = (fold: Fold, job: Address): Fold => arrival(fold, job).at(-1)?.fold ?? fold

// --- gather ---
/* What the allocator knows once every job has said what it has: after exchanges, and after it was away itself (section 8). */

export type Report = {
  readonly job: Address
  /** One or two, the second behind the first. */
  readonly cells: readonly Rectangle[]
  readonly next: Owner
}

/**
 * The fold that jobs report. One cell, or two that follow each other, of which nobody speaks are free: a job is about to come
 * or to go, and there is one ring. RangeError: what they say does not fit together, and where.
 */
export function gathered(area: Rectangle, reports: readonly Report[]): Fold {
  const known = read(area, reports)
  if (!known) return emptyFold(area)
  const { level, cycle, stretches, free } = known
  if (free.length > 0) return gatheredWhole(area, reports)
  const rings = followed(reports).map((jobs) => {
    const own = jobs.flatMap((job) => stretches.get(job) ?? [])
    return ringWith(ringIn(cycle, own), own)
  })
  return { area, level, rings }
}

/**
 * The same as one ring, whoever they say follows them. RangeError: also if two cells of somebody do not follow each other in
 * that.
 */
function gatheredWhole(area: Rectangle, reports: readonly Report[]): Fold {
  const known = read(area, reports)
  if (!known) return emptyFold(area)
  const { level, cycle, stretches, free } = known
  const all = [...stretches.values(), ...(free.length > 0 ? [freeOf(cycle, free)] : [])]
  for (const { owner, cells } of all) {
    const [first = 0, second = (first + 1) % cycle.length] = cells
    if (second !== (first + 1) % cycle.length)
      throw new RangeError(`${owner ?? 'nobody'} has two cells that do not follow each other`)
  }
  return whole({ area, level }, all)
}

function read(area: Rectangle, reports: readonly Report[]) {
  const [some] = reports.flatMap(({ cells }) => cells)
  if (!some) return null
  const odd = reports.find(({ cells }) => cells.length !== 1 && cells.length !== 2)
  if (odd) throw new RangeError(`${odd.job} has ${odd.cells.length} cells`)
  const level = floorLog2(areaOf(area) / areaOf(some))
  const cycle = ringOf(area, level)
  const stretches = stretchesIn(cycle, reports)
  const owned = new Set([...stretches.values()].flatMap(({ cells }) => cells))
  return { level, cycle, stretches, free: numbersOf(level).filter((cell) => !owned.has(cell)) }
}

function stretchesIn(cycle: Cycle, reports: readonly Report[]): ReadonlyMap<Address, Stretch> {
  const numbers = new Map(cycle.map((cell, number) => [textOf(cell), number]))
  const owners = new Map<number, Address>()
  const numberOf = (job: Address, cell: Rectangle): number => {
    const number = numbers.get(textOf(cell))
    if (number === undefined) throw new RangeError(`${job} has ${textOf(cell)}, none of ${cycle.length} cells`)
    const other = owners.get(number)
    if (other !== undefined) throw new RangeError(`${other} and ${job} both have ${textOf(cell)}`)
    owners.set(number, job)
    return number
  }
  return new Map(
    reports.map(({ job, cells }) => [job, { owner: job, cells: cells.map((cell) => numberOf(job, cell)) }]),
  )
}

function freeOf(cycle: Cycle, free: readonly number[]): Stretch {
  const [first = 0, second] = free
  if (free.length === 1 || (free.length === 2 && second === first + 1)) return { owner: null, cells: free }
  if (free.length === 2 && second === cycle.length - 1 && first === 0) return { owner: null, cells: [second, first] }
  const some = free.flatMap((cell) => cycle[cell] ?? []).map(textOf)
  throw new RangeError(`nobody has ${some.slice(0, 3).join(' and ')}${some.length > 3 ? ' and more' : ''}`)
}

/** Who follows whom, ring by ring. */
function followed(reports: readonly Report[]): readonly (readonly Address[])[] {
  const left = new Map(reports.map(({ job, next }) => [job, next]))
  const rings: Address[][] = []
  for (const { job: start } of reports) {
    const ring: Address[] = []
    for (let job: Owner = start; job !== null && left.has(job); ) {
      ring.push(job)
      const next: Owner = left.get(job) ?? null
      left.delete(job)
      if (next !== start && !(next !== null && left.has(next)))
        throw new RangeError(`${job} is followed by nobody there`)
      job = next
    }
    if (ring.length > 0) rings.push(ring)
  }
  return rings
}

/** The cells of a ring in their order, from where it was cut; of the whole ring from the first. */
function ringIn(cycle: Cycle, stretches: readonly Stretch[]): readonly number[] {
  const cells = stretches.flatMap((stretch) => stretch.cells)
  for (const [i, number] of cells.entries()) {
    const [cell, next] = [cycle[number], cycle[cells[(i + 1) % cells.length] ?? -1]]
    if (cell && next && cells.length > 1 && !joined(cell, next))
      throw new RangeError(`${textOf(next)} does not touch ${textOf(cell)}, which it follows`)
  }
  const isCut = (number: number, i: number) => number !== ((cells.at(i - 1) ?? 0) + 1) % cycle.length
  const start = Math.max(0, cells.length === cycle.length ? cells.indexOf(0) : cells.findIndex(isCut))
  return [...cells.slice(start), ...cells.slice(0, start)]
}
