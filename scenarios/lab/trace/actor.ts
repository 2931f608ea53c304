import { UsageError } from '../../../lib/core/usage-error.ts'
import { atName } from '../../../lib/trace/names.ts'
import { type Incarnation, incarnationName, type Run } from '../../../lib/trace/run.ts'
import { listed, parts, type Report } from './report.ts'
import { STEP_HEAD, stepResult, stepRow } from './step.ts'

/** The incarnations of an address, at least one. */
export function incarnationsOf(run: Run, who: string): readonly Incarnation[] {
  const incarnations = run.incarnations.filter((incarnation) => incarnation.who === who)
  if (incarnations.length > 0) return incarnations
  const known = [...new Set(run.incarnations.map((incarnation) => incarnation.who))]
  throw UsageError.unknown('actor', who, known, { where: run.where })
}

/** @throws UsageError for an actor that is not in the run */
export function actorReport(run: Run, who: string, most: number): Report {
  const incarnations = incarnationsOf(run, who)
  return {
    results: {
      who,
      incarnations: incarnations.map(({ incarnation, at, module, input, records, news, end, steps }) => {
        const told = news.map(({ type, address, before }) => ({ type, address, before }))
        const ended = end && { type: end.type, at: end.at, cause: end.cause, message: end.message }
        return { incarnation, at, module, input, records, news: told, end: ended, steps: steps.map(stepResult) }
      }),
    },
    ...parts(
      ...incarnations.map(
        (incarnation) =>
          [titleOf(incarnation), listed(STEP_HEAD, incarnation.steps.map(stepRow), most, 'steps')] as const,
      ),
    ),
  }
}

function titleOf(incarnation: Incarnation): string {
  const { module, end, records } = incarnation
  const kept = records.length > 0 ? `, ${records.length} records of earlier incarnations` : ''
  return `${incarnationName(incarnation)} (${module}${kept}), from ${atName(incarnation)}${end ? ` until it ${endName(end)}` : ''}`
}

const endName = (end: NonNullable<Incarnation['end']>): string =>
  end.type === 'stopped' ? `stopped at ${atName(end)}` : `died at ${atName(end)} (${end.cause}: ${end.message})`
