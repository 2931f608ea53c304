/**
 * What is done after jobs have died, or the allocator, or processors: planned from what all say that are left (section 8).
 * Where one partition is free it is taken as after a departure; otherwise all jobs are put anew, one after the other.
 */
import type { Address } from '../../../lib/actor.ts'
import type { Rectangle } from '../rectangle.ts'
import { arrival } from './arrival.ts'
import { roomIn } from './cells.ts'
import { settled } from './departure.ts'
import { emptyFold, type Fold } from './fold.ts'
import { gathered, gatheredWhole, type Report } from './gather.ts'
import { type Order, type Step, started, toEach } from './orders.ts'

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
