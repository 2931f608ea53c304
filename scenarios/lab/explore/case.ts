/** A counterexample: a failing run, shrunk, with the command that repeats it. */

import { DeviationScheduler } from '../../../lib/actor/schedule.ts'
import { commandOf } from '../../../lib/cli/help.ts'
import { traced } from '../../../lib/explore/execution.ts'
import { sentencesOf } from '../../../lib/explore/explain.ts'
import type { Failure } from '../../../lib/explore/explore.ts'
import { NotReproduced, shrink } from '../../../lib/explore/shrink.ts'
import { parseFault, printFault } from '../../../lib/scenario/faults.ts'
import type { Given } from '../../../lib/scenario/flags.ts'
import { printSchedule, settingsDigest } from '../../../lib/scenario/schedule-string.ts'
import { type Found, wordsOf } from '../subject.ts'
import { type PlainFailure, type Quest, specificationOf } from './block.ts'

export interface Case {
  readonly property: string
  readonly text: string
  /** A sentence for each fault and each deviation that is left. */
  readonly sentences: readonly string[]
  readonly deviations: number
  readonly faults: number
  readonly tasks: number
  /** The number of runs that shrinking took. */
  readonly runs: number
  readonly schedule: string
  /** The command that repeats the run, without flags that choose a runtime. */
  readonly command: string
}

/** Shrinks a failing run. @throws NotReproduced if the run that the command describes does not break the promise */
export async function caseOf(
  { scenario, ...program }: Found,
  quest: Pick<Quest, 'given' | 'livelock'>,
  found: PlainFailure,
): Promise<Case> {
  const { given } = quest
  const { flags, onlyFlag } = scenario
  const whole = specificationOf(scenario, quest)
  // tasks are left out only if the scenario's command can leave them out, too
  const specification = onlyFlag !== undefined ? whole : { ...whole, tasks: 0 }
  const failure: Failure = { ...found, faults: found.faults.map((fault) => parseFault(fault)) }
  const small = await shrink(specification, failure)
  const again: Given = new Map([...given.filter(([key]) => key !== 'kill'), ...faultTexts(small.faults)])
  const isWhole = onlyFlag === undefined || small.tasks.length === specification.tasks
  const kept: Given = isWhole ? again : new Map([...again, [onlyFlag, [small.tasks.join()]]])
  const final = specificationOf(scenario, { ...quest, given: [...kept] })
  const { run, violations } = await traced(final, new DeviationScheduler(small.deviations), final.faults)
  const broken = violations.find(({ property }) => property === small.violation.property)
  if (!broken)
    throw new NotReproduced(
      `${small.violation.property}: the shrunk run does not break it when its flags are read again`,
    )
  const { holds, lost, doubled } = small.deviations
  const { seed = 1 } = final.options
  const schedule = printSchedule({ deviations: small.deviations, seed, digest: settingsDigest(final.options) })
  return {
    property: broken.property,
    text: broken.text,
    runs: small.runs,
    schedule,
    sentences: [...small.faults.map(printFault), ...sentencesOf(small.deviations, run)],

    deviations: holds.length + lost.length + doubled.length,
    faults: small.faults.length,
    tasks: final.tasks,
    command: [commandOf(program), ...wordsOf(flags, kept), '--schedule', schedule].join(' '),
  }
}

const faultTexts = (faults: Failure['faults']): [string, readonly string[]][] => [['fault', faults.map(printFault)]]
