/**
 * Shows one bug, found and shrunk, as the author of the mistake would see it.
 *
 * ```
 * npx tsx test/bugs/show.ts NAME
 * ```
 */

import { DeviationScheduler } from '../../lib/actor/schedule.ts'
import { counted } from '../../lib/core/format.ts'
import { traced } from '../../lib/explore/execution.ts'
import { sentencesOf } from '../../lib/explore/explain.ts'
import { shrink } from '../../lib/explore/shrink.ts'
import { DEFAULT_STRATEGY } from '../../lib/explore/strategies/strategies.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import { brokenActors } from './broken.ts'
import { BUGS } from './bugs.ts'
import { hunt, stageOf } from './hunt.ts'

const [name] = process.argv.slice(2)
const bug = BUGS.find((one) => one.name === name)
if (!bug) {
  process.stderr.write(`bourse: expected one of ${BUGS.map((one) => one.name).join('; ')}, got ${name ?? 'nothing'}\n`)
  process.exit(2)
}

const lines = (code: string, sign: string): string[] =>
  code.split('\n').flatMap((line) => (line.trim() === '' ? [] : [`  ${sign} ${line.trim()}`]))

const specification = stageOf(bug, brokenActors(bug))
const { failure, schedules } = await hunt(specification, bug, DEFAULT_STRATEGY, bug.within)
if (!failure) throw new Error(`${bug.name} was not found in ${schedules} schedules`)
const violations = failure.violations.filter(({ property }) => property === bug.property)
const { deviations, faults, tasks, violation, runs } = await shrink(specification, { ...failure, violations })
const failing = await traced(specification.only(tasks), new DeviationScheduler(deviations), faults)
process.stdout.write(
  [
    `${bug.what} (actors/${bug.file}):`,
    ...lines(bug.find, '-'),
    ...lines(bug.replace, '+'),
    `found by ${DEFAULT_STRATEGY} in schedule ${schedules}, shrunk to ${counted(tasks.length, 'task')} in ${counted(runs, 'run')}:`,
    ...[...faults.map(printFault), ...sentencesOf(deviations, failing)].map((sentence) => `  - ${sentence}`),
    `breaks "${violation.property}": ${violation.text}`,
    '',
  ].join('\n'),
)
