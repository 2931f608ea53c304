/** Turns the cells of a study into runs, and their results into verdicts. */
import type { Invocation } from '../../../lib/cli/index.ts'
import { sweep } from '../../../lib/experiment/sweep.ts'
import { sweeping } from '../../sweeping.ts'
import { timeLeft } from '../../time-left.ts'
import { isLongEnough, verdictOf } from './agreement.ts'
import { type CellPoint, type Measured, measuredOf } from './cell.ts'
import type { StudyOptions } from './flags.ts'
import type { Cell, Found } from './found.ts'
import type { Efforts, Study } from './study.ts'

/**
 * The tasks per cell: `quick` takes seconds inline, `standard` minutes with threads, `full` gives correct intervals.
 */
const SIZES: Efforts = {
  quick: { light: 350, moderate: 1000, heavy: 500 },
  standard: { light: 500, moderate: 1500, heavy: 2500 },
  full: { light: 4000, moderate: 10_000, heavy: 100_000 },
}

function tasksOf(load: number, sizes: Study<StudyOptions>['sizes'], { quick, full }: StudyOptions): number {
  const effort = full ? 'full' : quick ? 'quick' : 'standard'
  const { light, moderate, heavy } = { ...SIZES[effort], ...sizes?.[effort] }
  if (load < 0.3) return light
  return load < 0.7 ? moderate : heavy
}

export const pointOf = (
  { at, tasks }: Cell,
  sizes: Study<StudyOptions>['sizes'],
  options: StudyOptions,
): CellPoint => ({
  protocol: 'dsp',
  errors: 'perfect',
  delay: 0,
  i0: null,
  abort: 'yes',
  ...at,
  seed: options.seed,
  runtime: options.runtime ?? (options.quick ? 'inline' : 'threads'),
  tasks: options.tasks ?? tasks ?? tasksOf(at.load, sizes, options),
})

/** A rough estimate of a cell's cost, which grows with its messages. Eager with wrong estimates moves tasks often. */
const costOf = ({ tasks, speeds, protocol, errors }: CellPoint): number =>
  tasks * (2 + speeds.length) * (protocol === 'eager' && errors !== 'perfect' ? 4 : 1)

/** Runs all cells, as many at a time as there are cores, and returns them in their order. */
export async function measureAll(
  points: readonly { readonly cell: Cell; readonly point: CellPoint }[],
  invocation: Invocation<StudyOptions>,
): Promise<Found[]> {
  // the longest cells start first, so that all cores finish at about the same time
  const inOrder = points.toSorted((one, other) => costOf(other.point) - costOf(one.point))
  const left = timeLeft(inOrder.map(({ point }) => costOf(point)))
  const results = await sweep({
    module: new URL('./cell.ts', import.meta.url),
    export: 'measure',
    points: inOrder.map(({ point }) => point),
    ...sweeping(invocation, (done, total) => [`${done} of ${total} cells`, ...left(done)].join(', ')),
  })
  const ours = new Map(inOrder.map(({ cell }, i) => [cell, measuredOf(results[i] ?? null)]))
  return points.flatMap(({ cell, point }) => {
    const measured = ours.get(cell)
    return measured ? [foundOf(cell, point, measured)] : []
  })
}

const foundOf = (cell: Cell, point: CellPoint, ours: Measured): Found => ({
  ...cell,
  point,
  ours,
  isLong: isLongEnough(point.tasks, point.load),
  asConverged: cell.converged && verdictOf(ours, cell.converged),
  asPaper: cell.paper && verdictOf(ours, cell.paper),
})
