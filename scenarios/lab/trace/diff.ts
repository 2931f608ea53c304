/** The divergence of two runs: the first step that differs, with the states of the actor in both. */
import { divergenceOf, type TraceDivergence } from '../../../lib/trace/diff.ts'
import { atName, handledName, stateName } from '../../../lib/trace/names.ts'
import { incarnationName, type Run, type Step, thingOf } from '../../../lib/trace/run.ts'
import type { Report } from './report.ts'
import { outcomeOf, stepResult } from './step.ts'

export function diffReport(one: Run, other: Run): Report {
  const divergence = divergenceOf(one, other)
  if (!divergence) {
    return {
      results: { divergence: null },
      text: `the same: ${one.steps.length} steps of ${one.incarnations.length} incarnations`,
    }
  }
  const { of, who, alike, steps } = divergence
  const [a, b] = steps
  return {
    results: { divergence: { of, who, alike, steps: [a && stepResult(a), b && stepResult(b)] } },
    text: [titleOf(divergence), ...describe(one.where, a), ...describe(other.where, b)].join('\n'),
  }
}

const titleOf = ({ of, who, alike }: TraceDivergence): string =>
  of === 'handled'
    ? `the runs diverge at ${who}: after ${alike} identical steps it handles a different event`
    : `every actor handles the same events in both; the runs diverge at ${who}: after ${alike} identical steps it reacts differently`

function describe(where: string, step: Step | null): string[] {
  if (!step) return [`  ${where}:`, '    no further step']
  return [
    `  ${where}:`,
    `    step ${step.n} of ${incarnationName(step)} at ${atName(step)} handles ${thingOf(step)}: ${handledName(step)}`,
    `    state before: ${stateName(step.before)}`,
    `    state after:  ${stateName(step.state)}`,
    `    then: ${outcomeOf(step) || 'nothing'}`,
  ]
}
