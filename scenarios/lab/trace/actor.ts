/** Every step of one actor, life by life. */
import { quoted } from '../../../lib/core/format.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import { atName } from '../../../lib/trace/names.ts'
import { type Incarnation, incarnationName, type Run } from '../../../lib/trace/run.ts'
import { listed, parts, type Report } from './report.ts'
import { STEP_HEAD, stepResult, stepRow } from './step.ts'

/** The lives of an address, at least one. */
export function livesOf(run: Run, who: string): readonly Incarnation[] {
  const lives = run.lives.filter((life) => life.who === who)
  if (lives.length > 0) return lives
  const known = [...new Set(run.lives.map((life) => life.who))]
  const some = known.slice(0, 12).join(', ') + (known.length > 12 ? ', ...' : '')
  throw new UsageError('actor', `an actor of this run (${some})`, quoted(who))
}

/** @throws UsageError for an actor that is not in the run */
export function actorReport(run: Run, who: string, most: number): Report {
  const lives = livesOf(run, who)
  return {
    results: {
      who,
      lives: lives.map(({ life, at, module, input, records, news, end, steps }) => {
        const told = news.map(({ type, address, before }) => ({ type, address, before }))
        const ended = end && { type: end.type, at: end.at, cause: end.cause, message: end.message }
        return { life, at, module, input, records, news: told, end: ended, steps: steps.map(stepResult) }
      }),
    },
    text: parts(
      ...lives.map((life) => [titleOf(life), listed(STEP_HEAD, life.steps.map(stepRow), most, 'steps')] as const),
    ),
  }
}

function titleOf(life: Incarnation): string {
  const { module, end, records } = life
  const kept = records.length > 0 ? `, ${records.length} records of earlier lives` : ''
  return `${incarnationName(life)} (${module}${kept}), from ${atName(life)}${end ? ` until it ${endName(end)}` : ''}`
}

const endName = (end: NonNullable<Incarnation['end']>): string =>
  end.type === 'stopped' ? `stopped at ${atName(end)}` : `died at ${atName(end)} (${end.cause}: ${end.message})`
