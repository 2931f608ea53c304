/** A job comes (section 5.2): one that runs folds onto the first of its two cells, and the newcomer takes the second. */
import type { Address } from '../../../lib/actor.ts'
import { deepestOf } from './cells.ts'
import { cellsAt, type Fold, hasFree, jobsOf, type Stretch, stretchesOf, whole } from './fold.ts'
import { raised } from './levels.ts'
import { relinked, type Step, started } from './orders.ts'

/** What is done, in this order. RangeError: the ring is divided, a departure is under way, or there is no room. */
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
  if (!old?.owner || first === undefined || second === undefined) throw new RangeError('nobody has two cells')
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
 * Whose cells, of those from `low` to `high`, are halved: while there is a choice those of the half with fewer jobs, if equal of
 * the lower in which somebody has two. undefined: nobody has. (A half with fewer jobs than the other has one with two.)
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
