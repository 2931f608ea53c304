/**
 * Compares strategies: the number of schedules until each bug is found, over several seeds.
 *
 * ```
 * npx tsx test/bugs/compare.ts [SEEDS [MOST [STRATEGY,...]]]     default 10 seeds, 200 schedules of each hunt
 * ```
 *
 * A cell has the mean over the seeds and its 95 % interval, or `>` where hunts ended without the bug: then the mean counts them
 * with all their schedules. The last lines say for how many bugs a strategy needs at most 1.2 times the schedules of the best,
 * and the sum over all bugs.
 */
import { textOf } from '../../lib/core/table.ts'
import { brokenActors, forget } from './broken.ts'
import type { Bug } from './bug.ts'
import { BUGS } from './bugs.ts'
import { hunt, stageOf } from './hunt.ts'

const [seeds = '10', most = '200', named = 'random,pct:3,delay:2'] = process.argv.slice(2)
const strategies = named.split(',')
/** The quantile of the normal distribution for 95 %. */
const Z = 1.96
/** How many times the schedules of the best strategy are as good as the best. */
const NEAR = 1.2

interface Cell {
  readonly mean: number
  /** Half of the interval. */
  readonly half: number
  readonly missed: number
}

async function cellOf(bug: Bug, strategy: string): Promise<Cell> {
  const actors = brokenActors(bug)
  const counts: number[] = []
  let missed = 0
  for (let seed = 1; seed <= Number(seeds); seed++) {
    const { schedules, failure } = await hunt(stageOf(bug, actors), bug, strategy, Number(most), seed)
    counts.push(schedules)
    if (!failure) missed++
  }
  forget(actors)
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / Math.max(1, counts.length - 1)
  return { mean, half: Z * Math.sqrt(variance / counts.length), missed }
}

const shown = ({ mean, half, missed }: Cell): string =>
  `${missed > 0 ? '> ' : ''}${mean.toFixed(1)} ± ${half.toFixed(1)}${missed > 0 ? ` (${missed} missed)` : ''}`

const rows: { readonly bug: string; readonly cells: readonly Cell[] }[] = []
for (const bug of BUGS) {
  const cells: Cell[] = []
  for (const strategy of strategies) cells.push(await cellOf(bug, strategy))
  rows.push({ bug: bug.name, cells })
  process.stderr.write(`${bug.name}: ${cells.map(shown).join('  ')}\n`)
}

const columns = ['bug', ...strategies].map((name) => ({ name }))
process.stdout.write(`${textOf({ columns, rows: rows.map(({ bug, cells }) => [bug, ...cells.map(shown)]) })}\n`)
for (const [i, strategy] of strategies.entries()) {
  const near = rows.filter(({ cells }) => {
    const best = Math.min(...cells.map(({ mean }) => mean))
    return (cells[i]?.mean ?? Number.POSITIVE_INFINITY) <= NEAR * best
  })
  const sum = rows.reduce((total, { cells }) => total + (cells[i]?.mean ?? 0), 0)
  const missed = rows.reduce((total, { cells }) => total + (cells[i]?.missed ?? 0), 0)
  process.stdout.write(
    `${strategy}: at most ${NEAR} of the best for ${near.length} of ${rows.length} bugs; schedules in all ${sum.toFixed(0)}; missed ${missed}\n`,
  )
}
