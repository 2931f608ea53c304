/** The divergence of two runs: the first step that differs, with the states of the actor in both. */
import { counted } from '../../../lib/core/format.ts'
import { type Sentence, say, time } from '../../../lib/scenario/page.ts'
import { divergenceOf, type TraceDivergence } from '../../../lib/trace/diff.ts'
import { atName, handledName, stateName } from '../../../lib/trace/names.ts'
import { incarnationName, type Run, type Step, thingOf } from '../../../lib/trace/run.ts'
import type { Report } from './report.ts'
import { outcomeOf, stepResult } from './step.ts'

export function diffReport(one: Run, other: Run): Report {
  const divergence = divergenceOf(one, other)
  if (!divergence) {
    const size = `${counted(one.steps.length, 'step')} of ${counted(one.incarnations.length, 'incarnation')}`
    return {
      results: { divergence: null },
      text: `the same: ${size}`,
      exhibits: { story: [`The two runs are the same: ${size}.`] },
    }
  }
  const { of, who, alike, steps } = divergence
  const [a, b] = steps
  return {
    results: { divergence: { of, who, alike, steps: [a && stepResult(a), b && stepResult(b)] } },
    exhibits: { story: storyOf(divergence, one, other) },
    text: [titleOf(divergence), ...describe(one.where, a), ...describe(other.where, b)].join('\n'),
  }
}

const titleOf = ({ of, who, alike }: TraceDivergence): string =>
  of === 'handled'
    ? `the runs diverge at ${who}: after ${alike} identical steps it handles a different event`
    : `every actor handles the same events in both; the runs diverge at ${who}: after ${alike} identical steps it reacts differently`

/** Where two runs diverge, and what the actor does in each, in sentences. */
function storyOf({ of, who, alike, steps }: TraceDivergence, one: Run, other: Run): Sentence[] {
  const [a, b] = steps
  const begin = `The runs diverge at ${who}, after ${counted(alike, 'identical step')} of this actor.`
  if (of === 'outcome' && a && b) {
    const [first, second] = [a, b].map((step) => outcomeOf(step) || `goes to ${stateName(step.state)}`)
    return [
      begin,
      say`Every actor handles the same events in both runs, but at ${time(a.at)} it ${first ?? ''} in the first, and ${second ?? ''} in the second.`,
    ]
  }
  return [begin, say`In ${one.where} it ${handling(a, one, who)}; in ${other.where} it ${handling(b, other, who)}.`]
}

function handling(step: Step | null, { incarnations }: Run, who: string): Sentence {
  if (step) return say`handles ${handledName(step)} at ${time(step.at)}`
  const end = incarnations.findLast((one) => one.who === who)?.end
  return end?.type === 'died' ? say`died at ${time(end.at)} and handles nothing more` : 'handles nothing more'
}

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
