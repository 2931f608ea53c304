/**
 * The causal slice of a failing run: the events that led to one of its steps, as far as they mattered. These are the chain of
 * messages and timers that ends in that step, both events of each deviation before it, the faults, the last steps of those that
 * died of them, and the chains that lead to all these.
 */
import type { Deviations } from '../actor/schedule.ts'
import { quoted } from '../core/format.ts'
import { Causality } from '../trace/causality.ts'
import { atName, handledName } from '../trace/names.ts'
import { incarnationName, type Run, type Sent, type Step, type SystemEvent, thingOf } from '../trace/run.ts'

/** An event of a slice, in words. */
export type Cause = {
  readonly text: string
  /** Whether the schedule or a fault decided that it came, or that it came now. */
  readonly isDecision: boolean
}

/** The most events that are told; earlier ones are left out. */
const CAUSES_MAX = 20

/** The longest run whose causes are told. Longer ones have filled a limit, and their clocks would fill the memory. */
const STEPS_MAX = 100_000

/** The events that led to a step, and that step, in order; none in a run of too many steps. */
export function causesOf(run: Run, { holds, lost, doubled, late = [] }: Deviations, end: Step): readonly Cause[] {
  if (run.steps.length > STEPS_MAX) return []
  const causality = new Causality(run)
  const isBefore = (step: Step): boolean => step.index === end.index || causality.happensBefore(step, end)
  const handled = new Map(run.steps.map((step) => [thingOf(step), step]))
  const held = holds.flatMap(({ thing }) => handled.get(thing) ?? []).filter(isBefore)
  const losing = lost.length > 0 ? run.steps.filter((step) => step.sends.some(isLost) && isBefore(step)) : []
  const doubling =
    doubled.length + late.length > 0 ? run.steps.filter((step) => step.sends.some(isCopy) && isBefore(step)) : []
  const faults = run.system.filter((event) => event.type === 'fault' && event.line < end.line)
  const struck = faults.flatMap((fault) => lastOfDead(run, fault)).filter(isBefore)
  const slice = new Set<Step>()
  for (const step of [
    end,
    ...struck,
    ...held.flatMap((one) => [one, ...waitedFor(run, one)]),
    ...losing,
    ...doubling,
  ]) {
    for (let link: Step | undefined = step; link && !slice.has(link); link = senderOf(run, handled, link))
      slice.add(link)
  }
  const taken = new Set([...slice].flatMap(({ on }) => (on.what === 'mail' ? [on.id] : [])))
  const events = [...slice, ...faults].sort((one, other) => one.line - other.line)
  const told = events.slice(-CAUSES_MAX).map((event): Cause => {
    if (!('on' in event)) return { text: faultText(event), isDecision: true }
    const isHeld = held.includes(event)
    return {
      text: textOf(event, isHeld, taken),
      isDecision: isHeld || losing.includes(event) || doubling.includes(event),
    }
  })
  const left = events.length - told.length
  return left > 0 ? [{ text: `... after ${left} earlier events`, isDecision: false }, ...told] : told
}

/** The last steps of the actors that died of a fault. */
const lastOfDead = ({ incarnations }: Run, { at, line }: SystemEvent): Step[] =>
  incarnations.flatMap(({ end, steps }) => {
    const last = steps.at(-1)
    return last && end?.type === 'died' && end.at === at && end.line > line ? [last] : []
  })

const isLost = ({ due }: Sent): boolean => due === null

const isCopy = ({ copyOf }: Sent): boolean => copyOf !== undefined

/** The step that a held event had to wait for. */
function waitedFor({ incarnations }: Run, { who, incarnation, n }: Step): Step[] {
  const lived = incarnations.find((one) => one.who === who && one.incarnation === incarnation)
  const before = lived?.steps[n - 1]
  return before && before.on.what !== 'start' ? [before] : []
}

/** The step that led to another: it sent its message, or handled the message that led to its timer. */
function senderOf({ sends, steps }: Run, handled: ReadonlyMap<string, Step>, { on }: Step): Step | undefined {
  if (on.what === 'mail') return steps[sends.get(on.id)?.step ?? -1]
  return on.what === 'timer' && on.cause !== null ? handled.get(on.cause) : undefined
}

const faultText = (event: SystemEvent): string =>
  `at ${atName(event)} the fault ${event.type === 'fault' ? quoted(event.fault) : ''} strikes`

/** A step with the messages that lead on, those that were lost or doubled, and its facts. */
function textOf(step: Step, isHeld: boolean, taken: ReadonlySet<string>): string {
  const { sends, facts } = step
  const copied = new Set(sends.map(({ copyOf }) => copyOf))
  const parts = [
    ...(isHeld ? ['which was held back until then'] : []),
    ...sends.flatMap(({ id, to, message: { type }, due, copyOf }) => {
      if (due === null) return [`loses ${type} to ${to}`]
      if (copyOf !== undefined) return [`sends ${type} to ${to} twice`]
      return taken.has(id) && !copied.has(id) ? [`sends ${type} to ${to}`] : []
    }),
    ...facts.map(({ type }) => `tells ${type}`),
  ]
  const what = `at ${atName(step)} ${incarnationName(step)} handles ${handledName(step)}`
  return [what, ...new Set(parts)].join(', ')
}
