/** The demonstration of `scenarios/mesh/run.ts` without flags: five jobs arrive and one departs, under EQUI and folding. */
import type { CommandOutcome } from '../../lib/scenario/command.ts'
import type { Stage } from '../../lib/scenario/definition.ts'
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

export async function demonstrate(stage: Stage<Options, MeshModel, MeshOracle>): Promise<CommandOutcome> {
  const { options, note } = stage
  note('mesh/run: five jobs on 8x8 under EQUI and under folding, a thread for each job')
  const script = scriptParser(SCRIPT, '--script')
  const shown = []
  for (const policy of SHOWN) {
    const { run, checks } = await stage.show(policy, { ...options, policy, mesh: MESH, script })
    shown.push({ policy, steps: stepsOf(run.model, run.oracle), checks, messages: run.messages })
  }
  const [equi, fold] = shown.map(({ steps }) => steps)
  const drawn = (fold ?? []).map(
    ({ op }, i) =>
      `${op}\n\n${beside([
        ['equi', equi?.[i]],
        ['fold', fold?.[i]],
      ])}\n`,
  )
  return {
    results: Object.fromEntries(shown.map(({ policy, steps }) => [policy, { steps }])),
    checks: shown.flatMap(({ checks }) => checks),
    messages: shown.reduce((sum, { messages }) => sum + messages, 0),
    text: [
      'Five jobs arrive. equi divides the whole mesh again each time; fold halves one partition.',
      'In rotations small and large partitions of fold change places. Then a job departs.',
      '',
      ...drawn,
    ].join('\n'),
  }
}
