/**
 * Recovery after jobs, the allocator or processors have died, planned from the reports of all jobs that are left
 * (section 8). If only one partition is free, it is taken as after a departure. Otherwise all jobs are placed from
 * scratch.
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
 * The steps of a recovery.
 *
 * @param area the healthy part of the machine
 * @param reports of all live jobs, in the order of admission; a job outside of rings has no cells
 * @param failed jobs that must not stay
 */
export function recovery(area: Rectangle, reports: readonly Report[], failed: ReadonlySet<Address>): readonly Step[] {
  const staying = reports.filter(({ job }) => !failed.has(job))
  const leaving = reports.flatMap(({ job }) => (failed.has(job) ? [vacate(job, true)] : []))
  const [first, ...others] = continued(area, staying) ?? placedFromScratch(area, staying)
  return first ? [{ ...first, orders: [...leaving, ...first.orders] }, ...others] : []
}

const vacate = (job: Address, isFailed: boolean): Order => ({ type: 'vacate', job, isFailed })

/** Places jobs from scratch, as many as there is room for. */
function placedFromScratch(area: Rectangle, reports: readonly Report[]): readonly Step[] {
  const jobs = reports.map(({ job }) => job)
  const fold = jobs.slice(0, roomIn(area)).reduce(put, emptyFold(area))
  return [
    { orders: jobs.map((job) => vacate(job, false)), fold: emptyFold(area) },
    { orders: started(fold, new Set(jobs)), fold },
  ]
}

/** The steps if jobs can continue in place; null if they cannot. */
function continued(area: Rectangle, reports: readonly Report[]): readonly Step[] | null {
  if (reports.some(({ cells }) => cells.length === 0)) return null
  for (const gather of [gatheredWhole, gathered]) {
    const fold = orNull(() => gather(area, reports))
    const steps = fold && orNull(() => settled(fold))
    if (steps) return [{ orders: toEach(fold), fold }, ...steps]
  }
  return null
}

/** The result of a plan, or null if the rules of rings do not allow it. */
function orNull<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const put = (fold: Fold, job: Address): Fold => arrival(fold, job).at(-1)?.fold ?? fold

// --- from reports to a fold (section 8) -------------------------------------------------------------------------------

/** The cells that a job says it has. */
export type Report = {
  readonly job: Address
  /** One or two cells, the second behind the first. */
  readonly cells: readonly Rectangle[]
  readonly next: Owner
}

/**
 * The fold that jobs report. If no job reports one cell, or two that follow each other, these are free: a job is about
 * to come or go, and there is one ring.
 *
 * @throws RangeError if the reports contradict each other, with the place
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
 * The fold that jobs report, as one ring, whichever neighbours they report.
 *
 * @throws RangeError if the reports contradict each other, or two cells of a job do not follow each other in that ring
 */
function gatheredWhole(area: Rectangle, reports: readonly Report[]): Fold {
  const known = read(area, reports)
  if (!known) return emptyFold(area)
  const { level, cycle, stretches, free } = known
  const all = [...stretches.values(), ...(free.length > 0 ? [freeOf(cycle, free)] : [])]
  for (const { owner, cells } of all) {
    const [first = 0, second = (first + 1) % cycle.length] = cells
    if (second !== (first + 1) % cycle.length)
      throw new RangeError(`${owner ?? 'no job'} has two cells that do not follow each other`)
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
  throw new RangeError(`no job has ${some.slice(0, 3).join(' and ')}${some.length > 3 ? ' and more' : ''}`)
}

/** The jobs in the order of their links, ring by ring. */
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
        throw new RangeError(`${job} is followed by a job that is not there`)
      job = next
    }
    if (ring.length > 0) rings.push(ring)
  }
  return rings
}

/** The cells of a ring in their order, from where it was cut, or from the first cell if it is the whole ring. */
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
