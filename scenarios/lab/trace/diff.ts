/** Where two runs part, with the states of the actor in both. */
import { divergenceOf, type TraceDivergence } from '../../../lib/trace/diff.ts'
import { atName, handledName, stateName } from '../../../lib/trace/names.ts'
import { incarnationName, type Run, type Step, thingOf } from '../../../lib/trace/run.ts'
import type { Report } from './report.ts'
import { outcomeOf, stepResult } from './step.ts'

export function diffReport(one: Run, other: Run): Report {
  const parting = divergenceOf(one, other)
  if (!parting) {
    return {
      results: { parting: null },
      text: `the same: ${one.steps.length} steps of ${one.incarnations.length} lives`,
    }
  }
  const { of, who, alike, steps } = parting
  const [a, b] = steps
  return {
    results: { parting: { of, who, alike, steps: [a && stepResult(a), b && stepResult(b)] } },
    text: [titleOf(parting), ...describe(one.where, a), ...describe(other.where, b)].join('\n'),
  }
}

const titleOf = ({ of, who, alike }: TraceDivergence): string =>
  of === 'handled'
    ? `the runs part at ${who}: ${alike} steps are the same, then it handles another thing`
    : `every actor handles the same in both; the runs part at ${who}: ${alike} steps are the same, then it does otherwise`

function describe(where: string, step: Step | null): string[] {
  if (!step) return [`  ${where}:`, '    nothing more']
  return [
    `  ${where}:`,
    `    step ${step.n} of ${incarnationName(step)} at ${atName(step)} handles ${thingOf(step)}: ${handledName(step)}`,
    `    state before: ${stateName(step.before)}`,
    `    state after:  ${stateName(step.state)}`,
    `    then: ${outcomeOf(step) || 'nothing'}`,
  ]
}
