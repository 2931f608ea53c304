/** The step after which a failing run fails on every continuation, in words and numbers. */
import type { Deviations } from '../actor/schedule.ts'
import { isCount, requireThat } from '../core/check-options.ts'
import { counted, quoted } from '../core/format.ts'
import { intervalText, wilson } from '../core/share.ts'
import type { Time } from '../core/time.ts'
import { replacedOnce } from '../runtime/step-purity.ts'
import type { Specification } from '../scenario/specification.ts'
import { atName, handledName } from '../trace/names.ts'
import { incarnationName, type Step, thingOf } from '../trace/run.ts'
import { CONTINUATIONS_MAX, Continuations, type FaultEvent, type Moment } from './continuations.ts'
import { type FailingShare, type TurningPoint, turningPointOf } from './turning-point.ts'

/** When the failure of a run became inevitable, judged by random continuations of the run. */
export type Inevitable = {
  readonly sentences: readonly string[]
  /** The number of the step in the run, from 0, after which every continuation fails; null if there is none. */
  readonly step: number | null
  /** The share of failing continuations after some steps. */
  readonly curve: readonly InevitableShare[]
  /** Whether the time was up before an earlier step was ruled out. */
  readonly isCut: boolean
}

/** The share of continuations that fail after a step, with its confidence interval of 95 %. */
export type InevitableShare = {
  /** The number of the last step, from 0; -1 before the first. */
  readonly step: number
  /** What had happened last, in words. */
  readonly after: string
  /** When it had happened. */
  readonly at: Time
  readonly failed: number
  readonly runs: number
  readonly low: number
  readonly high: number
}

export interface InevitableOptions {
  /** The number of continuations of each step that is tried. */
  readonly runs: number
  /** Aborted when the time is up. */
  readonly late?: AbortSignal | undefined
  /** Called after each continuation with their number so far. */
  readonly onRun?: (runs: number) => void
}

/** @throws OutOfRange for a number of continuations that is not a whole number from 0 on, or too great */
export const requireContinuations = (name: string, runs: number): void =>
  requireThat(name, runs, isCount(runs) && runs <= CONTINUATIONS_MAX, `an integer from 0 to ${CONTINUATIONS_MAX}`)

/**
 * Finds the step of a failing run after which every random continuation breaks a promise.
 *
 * @throws NotReproduced if the run does not break the promise
 */
export async function inevitableOf(
  specification: Specification,
  deviations: Deviations,
  property: string,
  { runs, late, onRun }: InevitableOptions,
): Promise<Inevitable> {
  const continuations = await Continuations.of(specification, deviations, property)
  const { moments } = continuations
  let done = 0
  const fails = async (moment: number, number: number): Promise<boolean | undefined> => {
    const isFailing = await continuations.fails(moment, number, late)
    onRun?.(++done)
    return isFailing
  }
  const point = await replacedOnce(() => turningPointOf({ last: moments.length - 1, runs, fails, late }))
  return toldOf(moments, point, runs)
}

/** A failure without a turning point, and why it has none. */
export const withoutTurningPoint = (why: string): Inevitable => ({
  sentences: [`when the failure became inevitable is not known: ${why}`],
  step: null,
  curve: [],
  isCut: false,
})

/** A turning point in words and numbers. */
function toldOf(moments: readonly Moment[], point: TurningPoint, runs: number): Inevitable {
  const steps = lastSteps(moments)
  const stepOf = (moment: number): number => steps[moment] ?? -1
  const curve = point.curve.map(({ moment, failed, runs }): InevitableShare => {
    const [low, high] = wilson(failed, runs)
    const at = moments[moment]?.events.at(-1)?.at ?? 0
    return { step: stepOf(moment), after: eventsText(moments[moment]), at, failed, runs, low, high }
  })
  const { moment, isCut } = point
  const shares = point.curve.map((share) => shareLabel(share, moments[share.moment], stepOf(share.moment)))
  return {
    sentences: [
      ...pointSentences(moments, point, stepOf, runs),
      ...(shares.length > 1 ? [`continuations that fail, by step: ${shares.join(', ')}`] : []),
    ],
    step: moment === null ? null : stepOf(moment),
    curve,
    isCut,
  }
}

const shareLabel = ({ failed, runs }: FailingShare, moment: Moment | undefined, step: number): string => {
  const place = step < 0 ? 'at first' : moment?.events.some(isFault) ? `fault after ${step}` : `${step}`
  return `${place}: ${Math.round((100 * failed) / runs)} %`
}

function pointSentences(
  moments: readonly Moment[],
  { moment, passing, curve, isCut }: TurningPoint,
  stepOf: (moment: number) => number,
  runs: number,
): string[] {
  if (moment === null) {
    return isCut
      ? ['the time was up before a step was found after which all continuations fail']
      : ['no step makes the failure inevitable: some random continuations pass even after the last one']
  }
  const place = moments[moment]
  const last = stepOf(moment)
  const from = place?.events.some(isFault)
    ? `after step ${last}`
    : moment === 0
      ? 'from the beginning'
      : `from step ${last} on`
  const latest = isCut ? ' at the latest; the time was up before earlier steps were ruled out' : ''
  const what = moment === 0 ? '' : `: ${eventsText(place)}`
  const before = curve.find((share) => share.moment === passing)
  const justBefore = before ? `, and just before ${before.failed} of ${runs} do` : ''
  const intervals = [intervalText(runs, runs), ...(before ? [intervalText(before.failed, runs)] : [])].join(' and ')
  return [
    `the failure is inevitable ${from}${latest}${what}`,
    `from there all ${runs} random continuations fail${justBefore} (95 % confidence: ${intervals})`,
  ]
}

/** The number of the last step up to each moment; -1 before the first. */
function lastSteps(moments: readonly Moment[]): readonly number[] {
  let last = -1
  return moments.map(({ events }) => {
    for (const event of events) if (!isFault(event)) last = Math.max(last, event.index)
    return last
  })
}

const isFault = (event: Step | FaultEvent): event is FaultEvent => 'fault' in event

/** The most events of a moment that are told. In the calm part of a run all events come in one moment. */
const EVENTS_MAX = 3

function eventsText(moment: Moment | undefined): string {
  const events = moment?.events ?? []
  const left = events.length - EVENTS_MAX
  const told = events.slice(0, EVENTS_MAX).map(eventText).join(', then ')
  return left > 0 ? `${told}, then ${counted(left, 'more event')} that no schedule decides` : told
}

const eventText = (event: Step | FaultEvent): string =>
  isFault(event)
    ? `the fault ${quoted(event.fault)} strikes`
    : `at ${atName(event)} ${incarnationName(event)} handles ${handledName(event)} (${thingOf(event)})`
