/**
 * Division of rings: an even number of jobs may exchange in two rings of half as many (section 5.4), so that sizes
 * repeat sooner. Before a job comes or goes, the rings are joined again.
 */
import { sum } from '../../../lib/core/tally.ts'
import { joined } from '../rectangle.ts'
import { type Cycle, ringOf } from './cells.ts'
import { ticked } from './changes.ts'
import { type Fold, numbersOf, type Ring, relinked, ringWith, type Step, sizeIn } from './fold.ts'

/** Numbers of cells in a cycle: the first follows the last. */
type List = readonly number[]

/**
 * The step before a rotation that cuts every ring in two where possible, and its halves again; null if none can be cut.
 */
export function divided(fold: Fold): Step | null {
  const cycle = ringOf(fold.area, fold.level)
  const rings = fold.rings.flatMap((ring) => parts(cycle, ring))
  if (rings.length === fold.rings.length) return null
  const after = { ...fold, rings }
  return { orders: relinked(fold, after), fold: after }
}

/** The parts of a ring. A ring whose jobs are all of one size exchanges nothing and stays whole. */
function parts(cycle: Cycle, ring: Ring): readonly Ring[] {
  const { cells, stretches } = ring
  const isMixed =
    stretches.some((stretch) => sizeIn(stretch) === 's') && stretches.some((stretch) => sizeIn(stretch) === 'b')
  if (!isMixed || stretches.length % 2 === 1 || stretches.some(({ owner }) => owner === null)) return [ring]
  for (const halves of cuts(cycle, cells)) {
    const [one, other] = halves.map((half) => ringWith(half, within(half, stretches)))
    if (one && other && isHalf(one, ring) && isHalf(other, ring)) return [...parts(cycle, one), ...parts(cycle, other)]
  }
  return [ring]
}

/** Whether a part has half of the jobs and no partition lies across its ends. */
const isHalf = (part: Ring, { stretches }: Ring): boolean =>
  part.stretches.length * 2 === stretches.length &&
  sum(part.stretches, ({ cells }) => cells.length) === part.cells.length

/** The stretches whose cells are all in a list. */
function within(list: List, stretches: Ring['stretches']): Ring['stretches'] {
  const own = new Set(list)
  return stretches.filter(({ cells }) => cells.every((cell) => own.has(cell)))
}

/** The ways to cut a ring into two rings of equal length that both close. */
function* cuts(cycle: Cycle, list: List): Generator<readonly [List, List]> {
  const half = list.length / 2
  for (let cut = 0; cut < half; cut++) {
    const [one, other] = [list.slice(cut, cut + half), [...list.slice(cut + half), ...list.slice(0, cut)]]
    if (closes(cycle, one) && closes(cycle, other)) yield [one, other]
  }
}

function closes(cycle: Cycle, list: List): boolean {
  const [first, last] = [cycle[list[0] ?? -1], cycle[list.at(-1) ?? -1]]
  return first !== undefined && last !== undefined && joined(first, last) !== null
}

/**
 * The steps that join all rings before a job comes or goes. Each ring rotates until the cells of every job follow each
 * other in the ring that it was cut from. Then it is joined with its other half, and so on up to the whole ring.
 * (To wait until they follow each other in the whole ring at once may take forever: see the tests.)
 */
export function undivided(fold: Fold): readonly Step[] {
  const cycle = ringOf(fold.area, fold.level)
  const steps: Step[] = []
  let [now, linked] = [fold, fold]
  const link = () => {
    const orders = relinked(linked, now)
    if (orders.length > 0) steps.push({ orders, fold: now })
    linked = now
  }
  while (now.rings.length > 1) {
    const pairs = siblings(cycle, numbersOf(fold.level), now.rings)
    const turning = pairs.flatMap(({ list, halves }) => halves.filter((ring) => isTorn(list, ring)))
    if (turning.length > 0) {
      link()
      const step = ticked(now, turning)
      steps.push(step)
      now = linked = step.fold
    } else now = { ...now, rings: now.rings.flatMap((ring) => unions(ring, pairs)) }
  }
  link()
  return steps
}

type Siblings = { readonly list: List; readonly halves: readonly [Ring, Ring] }

/** The pairs of rings that are halves of one ring, as their cells show. */
function siblings(cycle: Cycle, list: List, rings: readonly Ring[]): readonly Siblings[] {
  if (rings.length <= 1) return []
  for (const [one, other] of cuts(cycle, list)) {
    const [first, second] = [ringsWithin(one, rings), ringsWithin(other, rings)]
    if (first.length + second.length < rings.length) continue
    const [half, otherHalf] = [...first, ...second]
    if (half && otherHalf && rings.length === 2) return [{ list, halves: [half, otherHalf] }]
    return [...siblings(cycle, one, first), ...siblings(cycle, other, second)]
  }
  throw new RangeError(`${rings.length} rings that are no halves of one`)
}

function ringsWithin(list: List, rings: readonly Ring[]): readonly Ring[] {
  const own = new Set(list)
  return rings.filter(({ cells }) => cells.every((cell) => own.has(cell)))
}

/** Whether the two cells of some job do not follow each other in the list. */
const isTorn = (list: List, { stretches }: Ring): boolean =>
  stretches.some(
    ({ cells: [first, second] }) =>
      first !== undefined && second !== undefined && list[(list.indexOf(first) + 1) % list.length] !== second,
  )

/** The ring that replaces a ring when halves are joined; none for the second half. */
function unions(ring: Ring, pairs: readonly Siblings[]): readonly Ring[] {
  const pair = pairs.find(({ halves }) => halves.includes(ring))
  if (!pair) return [ring]
  const [one, other] = pair.halves
  return ring === one ? [ringWith(pair.list, [...one.stretches, ...other.stretches])] : []
}
