/** The demonstration of `scenarios/mesh/run.ts` without flags: five jobs arrive and one departs, under EQUI and folding. */
import { textOf } from '../../actors/mesh/rectangle.ts'
import { sum } from '../../lib/core/tally.ts'
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Stage } from '../../lib/scenario/definition.ts'
import { listOf, ofRun, type Sentence, say } from '../../lib/scenario/page.ts'
import { sideBySide } from '../demonstration.ts'
import { gridOf } from './drawing.ts'
import type { MeshModel } from './model.ts'
import type { MeshOracle } from './oracle.ts'
import { type StepResult, stepsOf } from './results.ts'
import type { Options } from './setup.ts'
import { scriptParser } from './workload/script.ts'

const SCRIPT = 'arrive 1; arrive 2; arrive 3; arrive 4; arrive 5; rotate 1; rotate 2; depart 2'
const MESH = { m: 3, n: 3 }
const SHOWN = ['equi', 'fold'] as const

/** Grids side by side, each under its name. */
function beside(panels: readonly (readonly [name: string, step: StepResult | undefined])[]): string {
  const grids = panels.map(([name, step]) => [name, ...(gridOf(MESH, step?.partitions ?? []) ?? [])])
  const widths = grids.map((lines) => Math.max(...lines.map(({ length }) => length)))
  const height = Math.max(...grids.map(({ length }) => length))
  return Array.from({ length: height }, (_, i) =>
    grids
      .map((lines, panel) => (lines[i] ?? '').padEnd(widths[panel] ?? 0))
      .join('      ')
      .trimEnd(),
  ).join('\n')
}

/** The partitions of running jobs that the arrivals changed, and the sizes that jobs have after the last of them. */
function arrivalsIn(steps: readonly StepResult[]) {
  const last = steps.findLastIndex(({ op }) => op.startsWith('arrive'))
  let moved = 0
  for (const [i, { partitions }] of steps.slice(0, last + 1).entries()) {
    const before = new Map(steps[i - 1]?.partitions.map((one) => [one.job, textOf(one)]))
    moved += partitions.filter((one) => (before.get(one.job) ?? textOf(one)) !== textOf(one)).length
  }
  const sizes = (steps[last]?.partitions ?? []).map(({ rows, columns }) => rows * columns)
  return { jobs: sizes.length, moved, least: Math.min(...sizes), most: Math.max(...sizes) }
}

type Runs = readonly (readonly [
  name: string,
  results: { readonly steps: readonly StepResult[]; readonly moves: number },
])[]

/** What an arrival costs the jobs that run, and how even the partitions are. */
function comparisonOf(runs: Runs): Sentence[] {
  const all = runs
    .map(([name, { steps, moves }]) => ({ name, moves, ...arrivalsIn(steps) }))
    .toSorted((one, other) => one.moved - other.moved)
  const moved = all.map(({ name, moved }) => say`${moved} times under ${ofRun(name, name)}`)
  const moves = all.map(({ name, moves }) => say`${moves} times under ${ofRun(name, name)}`)
  const sizes = all.map(({ name, least, most }) => say`${least} to ${most} processors under ${ofRun(name, name)}`)
  return [
    say`The arrivals of ${all[0]?.jobs ?? 0} jobs moved running jobs to other partitions ${listOf(moved)}.`,
    say`After them a job has ${listOf(sizes)}.`,
    say`With the rotations and the departure that follow jobs move ${listOf(moves)}: only folding rotates.`,
    'Both runs follow one script, in which nothing is random.',
  ]
}

export function demonstrate(stage: Stage<Options, MeshModel, MeshOracle>): Promise<CommandOutcome> {
  stage.note('mesh/run: five jobs on 8x8 under EQUI and under folding, a thread for each job')
  const script = scriptParser(SCRIPT, '--script')
  return sideBySide(
    stage,
    SHOWN.map((policy) => [policy, { policy, mesh: MESH, script }]),
    ({ model, oracle }) => ({
      steps: stepsOf(model, oracle),
      // without the first partition of each job
      moves: sum(oracle.jobs.values(), ({ moves }) => moves) - oracle.jobs.size,
    }),
    ([equi, fold]) => ({
      comparison: comparisonOf([equi, fold].flatMap((run) => (run ? [run] : []))),
      text: [
        'Five jobs arrive. equi divides the whole mesh again each time; fold halves one partition.',
        'In rotations small and large partitions of fold change places. Then a job departs.',
        '',
      ].join('\n'),
      drawn: [
        ...(fold?.[1].steps ?? []).map(
          ({ op }, i) =>
            `${op}\n\n${beside([
              ['equi', equi?.[1].steps[i]],
              ['fold', fold?.[1].steps[i]],
            ])}\n`,
        ),
      ].join('\n'),
    }),
  )
}
