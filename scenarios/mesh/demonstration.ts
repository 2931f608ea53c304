/** The demonstration of `scenarios/mesh/run.ts` without flags: five jobs arrive and one departs, under EQUI and folding. */
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Stage } from '../../lib/scenario/definition.ts'
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

export function demonstrate(stage: Stage<Options, MeshModel, MeshOracle>): Promise<CommandOutcome> {
  stage.note('mesh/run: five jobs on 8x8 under EQUI and under folding, a thread for each job')
  const script = scriptParser(SCRIPT, '--script')
  return sideBySide(
    stage,
    SHOWN.map((policy) => [policy, { policy, mesh: MESH, script }]),
    ({ model, oracle }) => ({ steps: stepsOf(model, oracle) }),
    ([equi, fold]) => ({
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
