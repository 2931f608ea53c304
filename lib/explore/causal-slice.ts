/**
 * The causal slice of a failing run: the events that led to the violation, as far as they mattered. These are the chain of
 * messages and timers that ends in the last of them, the decisions of the schedule and the faults before it, the last steps of
 * those that died of a fault, and the chains that lead to all these.
 *
 * A promise of safety breaks at one step, and the slice ends there. A promise about the end of a run breaks when something does
 * not come. Then the slice ends in the last fact that the violation names, or else in the last fact of the run. Other facts that
 * the violation names belong to the slice as well, with their chains: of `abort at p1, commit at p2` both are told.
 */
import type { Deviations } from '../actor/schedule.ts'
import { counted, printUnits, quoted } from '../core/format.ts'
import { crashed, crashText, type Violation } from '../scenario/oracle.ts'
import { Causality } from '../trace/causality.ts'
import { atName, handledName, stateName } from '../trace/names.ts'
import { incarnationName, type Run, type Sent, type Step, type SystemEvent, thingOf } from '../trace/run.ts'
import { overtaking, type Scheduled } from './explain.ts'

/** An event of a slice, in words. */
export type Cause = {
  readonly text: string
  /** Whether the schedule or a fault decided that it came, or that it came now. */
  readonly isDecision: boolean
}

/** The most events that are told; of the others only the number is. */
export const CAUSES_MAX = 16

/** The most steps times actors of a run whose causes are told. In a larger one the clocks would fill the memory. */
const CLOCKS_MAX = 10_000_000

/** The step whose fact breaks a promise of safety, or of which its actor died; undefined if no single step does it. */
export const breakingIn = ({ steps }: Run, violation: Pick<Violation, 'property' | 'text'>): Step | undefined =>
  steps.find(({ broken, crash, who }) => {
    if (broken.includes(violation.property)) return true
    if (!crash) return false
    const { property, text } = crashed(crashText(who, crash.error, crash.message))
    return property === violation.property && text === violation.text
  })

/** The events that led to a violation, in order; none in a run of too many steps. */
export function causesOf(scheduled: Scheduled, deviations: Deviations, violation: Violation): readonly Cause[] {
  const { run } = scheduled
  if ((run.steps.length + run.system.length) * run.incarnations.length > CLOCKS_MAX) return []
  const breaking = breakingIn(run, violation)
  const ends = endsOf(run, violation.text, breaking)
  const causality = new Causality(run)
  // what is missing at the end of a run may be missing because of anything before
  const mattered = (step: Step): boolean => !breaking || step === breaking || causality.happensBefore(step, breaking)
  const handled = new Map(run.steps.map((step) => [thingOf(step), step]))
  // a hold mattered as soon as an event that overtook the held one did, even if the held one came too late to matter
  const held = deviations.holds
    .flatMap(({ thing }) => handled.get(thing) ?? [])
    .filter((step) => mattered(step) || overtaking(scheduled, step).some(mattered))
  const faults = run.system.filter(
    (event) => event.type === 'fault' && event.line < (breaking?.line ?? Number.POSITIVE_INFINITY),
  )
  const struck = faults.flatMap((fault) => lastOfDead(run, fault)).filter(mattered)
  const transmitting = run.steps.filter((step) => step.sends.some(isDecided(deviations)) && mattered(step))
  const ignored = breaking?.crash ? deviations.holds.flatMap(({ thing }) => neverHandled(thing, breaking)) : []
  const unhandled = new Map(ignored.map((sent) => [sent.id, sent]))
  const ignoring = run.steps.filter(({ sends }) => sends.some(({ id }) => unhandled.has(id)))
  const slice = new Set<Step>()
  const waitedFor = held.flatMap((one) => overtaking(scheduled, one).slice(-1))
  for (const step of [...ends, ...struck, ...held, ...waitedFor, ...transmitting, ...ignoring]) {
    for (let link: Step | undefined = step; link && !slice.has(link); link = senderOf(run, handled, link))
      slice.add(link)
  }
  const decisions = new Set<Step | SystemEvent>([...faults, ...held, ...transmitting, ...ignoring])
  const latest = [...slice, ...faults].sort((one, other) => other.line - one.line)
  const isEnd = (event: Step | SystemEvent): boolean => 'on' in event && ends.has(event)
  const byWeight = new Set([...latest.filter((event) => decisions.has(event)), ...latest.filter(isEnd), ...latest])
  const told = new Set([...byWeight].slice(0, CAUSES_MAX))
  const taken = new Set([...slice].flatMap(({ on }) => (on.what === 'mail' ? [on.id] : [])))
  const causes: Cause[] = []
  let left = 0
  for (const event of latest.toReversed()) {
    if (!told.has(event)) {
      left++
      continue
    }
    if (left > 0) causes.push({ text: `... ${counted(left, 'event')}`, isDecision: false })
    left = 0
    const text = 'on' in event ? textOf(event, [...heldText(event), ...ignoredTexts(event)], taken) : faultText(event)
    causes.push({ text, isDecision: decisions.has(event) })
  }
  return breaking ? causes : [...causes, ...statesInTheEnd(run, ends, violation.text)]

  /** The message that a schedule held back from an actor until it died. */
  function neverHandled(thing: string, { who, index }: Step): readonly Sent[] {
    const sent = run.sends.get(thing)
    const since = scheduled.heldSince.get(thing)
    if (handled.has(thing) || !since || sent?.to !== who) return []
    return sent.step !== null && sent.step < index ? [sent] : []
  }

  function ignoredTexts({ sends }: Step): string[] {
    return sends.flatMap(({ id, to, message: { type } }) =>
      unhandled.has(id) ? [`sends ${type} to ${to}, which is held back until ${to} has died`] : [],
    )
  }

  function heldText(step: Step): string[] {
    if (!held.includes(step)) return []
    return [`which was held back from ${printUnits(scheduled.heldSince.get(thingOf(step))?.at ?? step.at)}`]
  }
}

/**
 * The steps in which a slice ends. The first is the breaking step. Then for the names of the violation that no such step has yet,
 * the step whose facts have most of them, and of several the last. Without any it is the last step with a fact.
 */
function endsOf({ steps }: Run, text: string, breaking: Step | undefined): ReadonlySet<Step> {
  const words = wordsOf(text)
  const before = steps.slice(0, breaking && breaking.index + 1)
  const namedBy = new Map(before.map((step) => [step, namesOf(step).filter((name) => words.includes(name))]))
  const ends = new Set<Step>()
  const covered = new Set<string>()
  const end = (step: Step): void => {
    ends.add(step)
    for (const name of namedBy.get(step) ?? []) covered.add(name)
  }
  const missing = (step: Step): number => new Set(namedBy.get(step)?.filter((name) => !covered.has(name))).size
  if (breaking) end(breaking)
  for (;;) {
    const best = before.reduceRight<Step | undefined>(
      (found, step) => (missing(step) > (found ? missing(found) : 0) ? step : found),
      undefined,
    )
    if (!best) break
    end(best)
  }
  const last = steps.findLast(({ facts }) => facts.length > 0)
  return ends.size === 0 && last ? ends.add(last) : ends
}

/** The words of a text, each between two spaces. */
const wordsOf = (text: string): string => ` ${text.replace(/[^\w@.-]+/g, ' ').trim()} `

/** What a violation may call the facts of a step: its actor, their texts, and their numbers after the names of their fields. */
const namesOf = ({ who, facts }: Step): readonly string[] =>
  facts.flatMap((fact) => [
    wordsOf(who),
    ...Object.entries(fact).flatMap(([key, value]) => {
      if (key === 'type') return []
      if (typeof value === 'number') return [wordsOf(`${key} ${value}`)]
      return typeof value === 'string' && value !== '' ? [wordsOf(value)] : []
    }),
  ])

/** The most actors whose states in the end are told. */
const STATES_MAX = 4

/** Where the living actors that a violation is about stand in the end: what is missing may have to come from one of them. */
function statesInTheEnd({ incarnations }: Run, ends: ReadonlySet<Step>, text: string): Cause[] {
  const words = wordsOf(text)
  const actors = new Set([...ends].map(({ who }) => who))
  const about = incarnations.filter(({ who, end }) => end === null && (actors.has(who) || words.includes(wordsOf(who))))
  return about.slice(0, STATES_MAX).flatMap(({ who, steps }) => {
    const last = steps.at(-1)
    const entered = steps.findLast(({ before, state }) => stateName(before) !== stateName(state))
    if (!last || !entered) return []
    const since = `since ${atName(entered)}, when it handled ${handledName(entered)}`
    return [{ text: `in the end ${who} is in state ${stateName(last.state)}, ${since}`, isDecision: false }]
  })
}

/** The last steps of the actors that died of a fault. */
const lastOfDead = ({ incarnations }: Run, { at, line }: SystemEvent): Step[] =>
  incarnations.flatMap(({ end, steps }) => {
    const last = steps.at(-1)
    return last && end?.type === 'died' && end.at === at && end.line > line ? [last] : []
  })

/** Tells the messages that the schedule lost or doubled. */
const isDecided =
  ({ lost, doubled, late = [] }: Deviations) =>
  ({ due, copyOf }: Sent): boolean =>
    (lost.length > 0 && due === null) || (doubled.length + late.length > 0 && copyOf !== undefined)

/** The step that led to another: it sent its message, or handled the message that led to its timer. */
function senderOf({ sends, steps }: Run, handled: ReadonlyMap<string, Step>, { on }: Step): Step | undefined {
  if (on.what === 'mail') return steps[sends.get(on.id)?.step ?? -1]
  return on.what === 'timer' && on.cause !== null ? handled.get(on.cause) : undefined
}

const faultText = (event: SystemEvent): string =>
  `at ${atName(event)} the fault ${event.type === 'fault' ? quoted(event.fault) : ''} strikes`

/** A step with the messages that lead on, those that were lost or doubled, and its facts. */
function textOf(step: Step, held: readonly string[], taken: ReadonlySet<string>): string {
  const { sends, facts, crash } = step
  const copied = new Set(sends.map(({ copyOf }) => copyOf))
  const parts = [
    ...held,
    ...sends.flatMap(({ id, to, message: { type }, due, copyOf }) => {
      if (due === null) return [`loses ${type} to ${to}`]
      if (copyOf !== undefined) return [`sends ${type} to ${to} twice`]
      return taken.has(id) && !copied.has(id) ? [`sends ${type} to ${to}`] : []
    }),
    ...facts.map(({ type }) => `tells ${type}`),
    ...(crash ? [`dies of ${crash.error}: ${crash.message.split('\n', 1)[0]}`] : []),
  ]
  const what = `at ${atName(step)} ${incarnationName(step)} handles ${handledName(step)}`
  return [what, ...new Set(parts)].join(', ')
}
