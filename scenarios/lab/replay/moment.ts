/** The step that `--until` names, and the state of an actor after one of its steps. */

import type { Plain } from '../../../lib/core/data.ts'
import { printUnits, quoted } from '../../../lib/core/format.ts'
import type { Time } from '../../../lib/core/time.ts'
import { UsageError } from '../../../lib/core/usage-error.ts'
import type { Replay, Replayed } from '../../../lib/replay/replay.ts'
import { incarnationName, type Run } from '../../../lib/trace/run.ts'

/**
 * The index in the run of the step that `--until` names. The text is such an index or, for one actor, `STEP` of its
 * first incarnation or `INCARNATION.STEP`.
 *
 * @throws UsageError if the run has no such step
 */
export function stepAt({ steps, incarnations }: Run, text: string, actor: string | undefined): number {
  const [, first, second] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (actor === undefined) {
    if (first === undefined || second !== undefined || Number(first) >= steps.length) {
      throw UsageError.invalid('--until', `a step of this run (0 to ${steps.length - 1})`, quoted(text))
    }
    return Number(first)
  }
  const [incarnation, n] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)]
  const own = incarnations.filter(({ who }) => who === actor)
  const step = own.find((one) => one.incarnation === incarnation)?.steps[n]
  if (step) return step.index
  const there = own.map(
    ({ incarnation, steps }) => `${incarnation === 0 ? '' : `${incarnation}.`}0 to ${steps.length - 1}`,
  )
  throw UsageError.invalid('--until', `a step of ${actor} (${there.join(', ')})`, quoted(text))
}

export type Moment = {
  readonly who: string
  readonly incarnation: number
  readonly n: number
  readonly step: number
  readonly at: Time
  /** The configuration of the statechart; null if the step failed before there was any. */
  readonly configuration: Plain
  readonly context: Plain
  readonly timers: readonly { readonly id: string; readonly n: number; readonly due: Time; readonly event: Plain }[]
  /** The messages to the actor that it has not handled; `due` is null for one that was lost and will be sent again. */
  readonly mailbox: readonly { readonly id: string; readonly due: Time | null; readonly message: Plain }[]
}

export function momentOf(replay: Replay, { step, replica, after, timers }: Replayed): Moment {
  const view = after && replica.engine.view(after)
  return {
    who: step.who,
    incarnation: step.incarnation,
    n: step.n,
    step: step.index,
    at: step.at,
    configuration: view?.value ?? null,
    context: JSON.parse(JSON.stringify(view?.context ?? null)),
    timers: timers.map(({ id, n, due, event }) => ({ id, n, due, event })),
    mailbox: replay.mailboxOf(step.who).map(({ id, due, message }) => ({ id, due, message })),
  }
}

export function momentText({ configuration, context, timers, mailbox, ...moment }: Moment): string {
  const { who, incarnation, n, step, at } = moment
  return [
    `${incarnationName({ who, incarnation })} after its step ${n} (step ${step} of the run), at ${printUnits(at)}`,
    `configuration: ${JSON.stringify(configuration)}`,
    `context: ${JSON.stringify(context, null, 2)}`,
    ...section(
      'timers',
      timers.map((timer) => `${timer.id} at ${printUnits(timer.due)}: ${JSON.stringify(timer.event)}`),
    ),
    ...section(
      'mailbox',
      mailbox.map(
        ({ id, due, message }) =>
          `${id} ${due === null ? 'to come' : `at ${printUnits(due)}`}: ${JSON.stringify(message)}`,
      ),
    ),
  ].join('\n')
}

const section = (name: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`${name}: none`] : [`${name}:`, ...lines.map((line) => `  ${line}`)]
