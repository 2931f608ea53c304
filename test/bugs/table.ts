/**
 * A table of bugs and strategies: the number of schedules and the time until a bug is found, and the size of the shrunk run.
 *
 * ```
 * npx tsx test/bugs/table.ts [MOST [STRATEGY,...]]     schedules of each hunt (default 300)
 * ```
 */

import { textOf } from '../../lib/core/table.ts'
import { listOf, type Shrunk, shrink } from '../../lib/explore/shrink.ts'
import { brokenActors } from './broken.ts'
import type { Bug } from './bug.ts'
import { BUGS } from './bugs.ts'
import { type Hunt, hunt, stageOf } from './hunt.ts'

const [most = '300', strategies = 'random,pct:3,delay:2'] = process.argv.slice(2)

const sizeOf = ({ deviations, faults }: Shrunk): number => listOf(deviations).length + faults.length

/** A cell of the table: the schedules until the bug was found, or the number of vain ones. */
const cell = ({ failure, schedules, seconds }: Hunt): string =>
  failure ? `${schedules} (${seconds.toFixed(1)} s)` : `not in ${schedules}`

const sizes: number[] = []
const rows: string[][] = []

async function rowOf(bug: Bug): Promise<string[]> {
  const specification = stageOf(bug, brokenActors(bug))
  const hunts: Hunt[] = []
  for (const strategy of strategies.split(',')) hunts.push(await hunt(specification, bug, strategy, Number(most)))
  const found = hunts.flatMap(({ failure }) => failure ?? [])
  const shrunk = await Promise.all(found.map((failure) => smallest(specification, failure, bug)))
  const size = Math.min(...shrunk)
  if (Number.isFinite(size)) sizes.push(size)
  return [bug.name, ...hunts.map(cell), Number.isFinite(size) ? String(size) : '-', bug.property]
}

/** The number of deviations and faults in the shrunk run. */
async function smallest(
  specification: Parameters<typeof shrink>[0],
  failure: Parameters<typeof shrink>[1],
  { property }: Bug,
) {
  const violations = failure.violations.filter((violation) => violation.property === property)
  return sizeOf(await shrink(specification, { ...failure, violations }))
}

for (const bug of BUGS) {
  rows.push(await rowOf(bug))
  process.stderr.write(`${rows.at(-1)?.join('  ')}\n`)
}

const median = sizes.sort((one, other) => one - other)[Math.floor(sizes.length / 2)]
const columns = ['bug', ...strategies.split(','), 'steps left', 'promise that it breaks'].map((name) => ({ name }))
process.stdout.write(`${textOf({ columns, rows })}\n`)
process.stdout.write(`${rows.length} bugs, ${sizes.length} found; deviations and faults left, median: ${median}\n`)
