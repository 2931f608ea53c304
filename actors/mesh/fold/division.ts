/**
 * An even number of jobs may exchange in two rings of half as many (section 5.4): their sizes repeat sooner. Before a job comes
 * or goes the rings are joined again.
 */
import { joined } from '../rectangle.ts'
import { type Cycle, ringOf } from './cells.ts'
import { ticked } from './changes.ts'
import { type Fold, numbersOf, type Ring, relinked, ringWith, type Step, sizeIn } from './fold.ts'

/** Numbers of cells, the first of which follows the last. */
type List = readonly number[]

/** Before a rotation: every ring that can be cut in two is, and its halves again; null: none can. */
export function divided(fold: Fold): Step | null {
  const cycle = ringOf(fold.area, fold.level)
  const rings = fold.rings.flatMap((ring) => parts(cycle, ring))
  if (rings.length === fold.rings.length) return null
  const after = { ...fold, rings }
  return { orders: relinked(fold, after), fold: after }
}

/** A ring whose jobs are all alike exchanges nothing: it stays whole. */
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

/** Whether no partition lies across its ends, and it has half of the jobs. */
const isHalf = (part: Ring, { stretches }: Ring): boolean =>
  part.stretches.length * 2 === stretches.length &&
  part.stretches.reduce((sum, { cells }) => sum + cells.length, 0) === part.cells.length

/** The stretches of which all cells are in a list. */
function within(list: List, stretches: Ring['stretches']): Ring['stretches'] {
  const own = new Set(list)
  return stretches.filter(({ cells }) => cells.every((cell) => own.has(cell)))
}

/** The ways to make two rings of one, of as many cells each: both must close. */
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
 * Before a job comes or goes: each ring rotates until everybody's cells follow each other in the ring it was cut from, then it
 * is one with its other half, and so on up to the whole ring. (To wait until they do so in the whole ring at once
 * may take for ever: see the tests.)
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

/** Which rings are the halves of one: that can be read off their cells. */
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

/** Whether two cells of somebody do not follow each other in the list. */
const isTorn = (list: List, { stretches }: Ring): boolean =>
  stretches.some(
    ({ cells: [first, second] }) =>
      first !== undefined && second !== undefined && list[(list.indexOf(first) + 1) % list.length] !== second,
  )

/** What takes the place of a ring when halves become one. */
function unions(ring: Ring, pairs: readonly Siblings[]): readonly Ring[] {
  const pair = pairs.find(({ halves }) => halves.includes(ring))
  if (!pair) return [ring]
  const [one, other] = pair.halves
  return ring === one ? [ringWith(pair.list, [...one.stretches, ...other.stretches])] : []
}
