/** Changes of a fold as steps of orders: arrivals, ticks, departures, changes of level, and replacements. */
import type { Address } from '../../../lib/actor.ts'
import { areEqual } from '../rectangle.ts'
import { type Cycle, deepestOf, parentOf, ringOf } from './cells.ts'
import {
  cellsAt,
  emptyFold,
  exchange,
  type Fold,
  gained,
  given,
  hasFree,
  jobsOf,
  type Ring,
  relinked,
  ringWith,
  type Step,
  type Stretch,
  shifted,
  sizeIn,
  started,
  stretchesOf,
  toAll,
  toEach,
  whole,
} from './fold.ts'

/**
 * The steps of an arrival (section 5.2): a running job folds onto the first of its two cells, and the new job takes the
 * second.
 *
 * @throws RangeError if the ring is divided, a departure is under way, or there is no room
 */
export function arrival(fold: Fold, newcomer: Address): readonly Step[] {
  const { area, level } = fold
  const jobs = jobsOf(fold).length
  if (fold.rings.length > 1) throw new RangeError(`${newcomer} arrives while the ring is divided`)
  if (hasFree(fold)) throw new RangeError(`${newcomer} arrives while a job departs`)
  if (jobs === 0) {
    const after = whole({ area, level: 0 }, [{ owner: newcomer, cells: [0] }])
    return [{ orders: started(after, new Set([newcomer])), fold: after }]
  }
  if (jobs < cellsAt(level)) return split(fold, newcomer)
  if (level === deepestOf(area)) throw new RangeError(`no room for ${newcomer}: ${jobs} jobs on as many processors`)
  const first = raised(fold)
  return [first, ...split(first.fold, newcomer)]
}

function split(fold: Fold, newcomer: Address): readonly Step[] {
  const stretches = stretchesOf(fold)
  const old = halvedFor(stretches, 0, cellsAt(fold.level))
  const [first, second] = old?.cells ?? []
  if (!old?.owner || first === undefined || second === undefined) throw new RangeError('no job has two cells')
  const { owner: job } = old
  const others = [...stretches.filter((stretch) => stretch !== old), { owner: job, cells: [first] }]
  const between = whole(fold, [...others, { owner: null, cells: [second] }])
  const after = whole(fold, [...others, { owner: newcomer, cells: [second] }])
  const isAlone = stretches.length === 1
  return [
    { orders: [{ type: 'split', job, newcomer }], fold: between },
    {
      orders: [
        ...started(after, new Set([newcomer])),
        ...relinked(fold, after).filter((order) => isAlone || order.job !== job),
      ],
      fold: after,
    },
  ]
}

/**
 * The stretch from cell `low` to before `high` that is split for a new job. While there is a choice, it is in the half
 * with fewer jobs, or if they are equal in the lower half with a pair of cells. (A half with fewer jobs has such a
 * pair.) Undefined if no job has two cells.
 */
function halvedFor(stretches: readonly Stretch[], low: number, high: number): Stretch | undefined {
  const pairs = stretches.filter(({ cells }) => cells.length === 2)
  if (pairs.length <= 1 || high - low <= 2) return pairs[0]
  const middle = (low + high) / 2
  const isLower = ({ cells: [first = 0] }: Stretch) => first < middle
  const lower = stretches.filter(isLower)
  const upper = stretches.filter((stretch) => !isLower(stretch))
  const fromLower = lower.length <= upper.length ? halvedFor(lower, low, middle) : undefined
  return fromLower ?? halvedFor(upper, middle, high)
}

// --- ticks (section 5.3) ----------------------------------------------------------------------------------------------

/** The ring after all jobs have exchanged once. A free stretch that has given its last cell is gone. */
export function rotated({ cells, stretches }: Ring): Ring {
  const after = stretches.map((stretch, i): Stretch => {
    const [prev, next] = [stretches.at(i - 1) ?? stretch, stretches[(i + 1) % stretches.length] ?? stretch]
    const [cell] = next.cells
    const decision = exchange(sizeIn(stretch), sizeIn(prev), sizeIn(next))
    if (decision === 'give') return { ...stretch, cells: given(stretch.cells) }
    return decision === 'gain' && cell !== undefined ? { ...stretch, cells: gained(stretch.cells, cell) } : stretch
  })
  return ringWith(
    cells,
    after.filter((stretch) => stretch.cells.length > 0),
  )
}

/** The step of one tick: all jobs exchange once, or only those of some rings. */
export const ticked = (fold: Fold, some: readonly Ring[] = fold.rings): Step => ({
  orders: toAll('tick', some),
  fold: { ...fold, rings: fold.rings.map((ring) => (some.includes(ring) ? rotated(ring) : ring)) },
})

// --- departures (section 5.5) -----------------------------------------------------------------------------------------

/**
 * The steps of a departure: the cells of the job become free, stay in the ring, and are taken by the jobs before them.
 *
 * @throws RangeError if there is no such job, the ring is divided, or a departure is under way
 */
export function departure(fold: Fold, job: Address): readonly Step[] {
  const first = vacated(fold, job)
  return [first, ...settled(first.fold)]
}

/** The first step of a departure: the job vacates its cells. */
function vacated(fold: Fold, job: Address): Step {
  const stretches = stretchesOf(fold)
  if (fold.rings.length > 1) throw new RangeError(`${job} departs while the ring is divided`)
  if (hasFree(fold)) throw new RangeError(`${job} departs while another departs`)
  if (!stretches.some(({ owner }) => owner === job)) throw new RangeError(`${job} departs, and is not there`)
  const vacate = { type: 'vacate', job, isFailed: false } as const
  if (stretches.length === 1) return { orders: [vacate], fold: emptyFold(fold.area) }
  const after = whole(
    fold,
    stretches.map(({ owner, cells }) => ({ owner: owner === job ? null : owner, cells })),
  )
  return { orders: [vacate, ...relinked(fold, after)], fold: after }
}

/**
 * The remaining steps of a departure: ticks, at most one for each job, until no cell is free, and then a change of
 * level if due.
 *
 * @throws RangeError if too few jobs have one cell to take the free ones
 */
export function settled(fold: Fold): readonly Step[] {
  const steps: Step[] = []
  let now = fold
  while (hasFree(now)) {
    if (steps.length === stretchesOf(fold).length)
      throw new RangeError(`cells are still free after ${steps.length} ticks`)
    const step = ticked(now)
    steps.push(step)
    now = step.fold
  }
  const orders = relinked(fold, now)
  if (orders.length > 0) steps.push({ orders, fold: now })
  return [...steps, ...lowered(now)]
}

// --- changes of level: the same partitions in smaller or larger cells (sections 5.1, 5.2, 5.5) ------------------------

/** The step to the next level: every job has one cell, and from now on its two halves. */
function raised(fold: Fold): Step {
  const { area, level } = fold
  const [own, parent] = [ringOf(area, level), parentOf(area, level)]
  const stretches = stretchesOf(fold).map(({ owner, cells: [cell = 0] }) => {
    const first = 2 * placeOf(own, cell, parent)
    return { owner, cells: [first, first + 1] }
  })
  return adopted(whole({ area, level: level + 1 }, stretches))
}

/** The steps to the level below, if there are half as many jobs as cells: the two cells of every job become one. */
function lowered(fold: Fold): readonly Step[] {
  const stretches = stretchesOf(fold)
  if (fold.level === 0 || stretches.length !== cellsAt(fold.level - 1)) return []
  if (stretches.length === 1 || stretches.every(({ cells: [first = 0] }) => first % 2 === 0)) return [merged(fold)]
  const realigned = realign(fold)
  return [realigned, merged(realigned.fold)]
}

/**
 * Realignment, if all jobs have halves of different cells: each moves back by one cell, which avoids L-shaped
 * partitions.
 */
function realign(fold: Fold): Step {
  const count = cellsAt(fold.level)
  const stretches = stretchesOf(fold).map(({ owner, cells }) => ({
    owner,
    cells: shifted(((cells[0] ?? 0) + count - 1) % count, cells),
  }))
  return { orders: toAll('shift', fold.rings), fold: whole(fold, stretches) }
}

function merged({ area, rings, level }: Fold): Step {
  const [own, parent] = [ringOf(area, level - 1), parentOf(area, level - 1)]
  const stretches = rings.flatMap((ring) =>
    ring.stretches.map(({ owner, cells }) => ({
      owner,
      cells: [placeOf(parent, Math.floor(Math.min(...cells) / 2), own)],
    })),
  )
  return adopted(whole({ area, level: level - 1 }, stretches))
}

const adopted = (fold: Fold): Step => ({ orders: toEach(fold), fold })

/** The number in another cycle of a cell of this one. */
const placeOf = (cycle: Cycle, number: number, other: Cycle): number =>
  other.findIndex((cell) => cycle[number] !== undefined && areEqual(cell, cycle[number]))

// --- replacement (section 6) ------------------------------------------------------------------------------------------

/**
 * The step of a swap: waiting jobs take over the cells and neighbours of jobs that are swapped out. `by` maps old jobs to
 * new ones. No partition changes. All jobs are told their cells, because all stand still.
 */
export function replaced(fold: Fold, by: ReadonlyMap<Address, Address>): Step {
  const rings = fold.rings.map(({ cells, stretches }) => ({
    cells,
    stretches: stretches.map((stretch) => ({
      ...stretch,
      owner: stretch.owner === null ? null : (by.get(stretch.owner) ?? stretch.owner),
    })),
  }))
  const after = { ...fold, rings }
  const newcomers = new Set(by.values())
  const staying = toEach(after).filter(({ job }) => !newcomers.has(job))
  return { orders: [...started(after, newcomers), ...staying], fold: after }
}
