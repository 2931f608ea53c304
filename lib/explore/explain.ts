/** Explains a schedule in sentences. */
import type { Deviations, Hold, TransmissionName } from '../actor/schedule.ts'
import { counted, printUnits } from '../core/format.ts'
import { atName, handledName } from '../trace/names.ts'
import { eventOf, incarnationName, type Run, type Sent, type Step, thingOf } from '../trace/run.ts'
import type { Traced } from './execution.ts'

/** A run, and where its schedule passed events over. */
export type Scheduled = Pick<Traced, 'run' | 'heldSince'>

/** One line for each deviation: transmissions first, then holds in the order of the run. */
export function sentencesOf({ holds, lost, doubled, late = [] }: Deviations, scheduled: Scheduled): string[] {
  const { run } = scheduled
  const handled = new Map(run.steps.map((step) => [thingOf(step), step]))
  const held = holds.map((hold) => {
    const step = handled.get(hold.thing)
    return {
      at: step?.index ?? Number.POSITIVE_INFINITY,
      text: step ? heldText(step, scheduled) : unhandledText(hold, scheduled),
    }
  })
  held.sort((a, b) => a.at - b.at)
  const passages = [
    ...lost.map((passage) => `${passageText(passage, run, isLost)} is lost`),
    ...doubled.map((passage) => `${passageText(passage, run, isDoubled)} arrives twice`),
    ...late.map(
      ({ passage, by }) =>
        `${passageText(passage, run, isDoubled)} arrives twice, the second time ${printUnits(by)} units later`,
    ),
  ]
  return [...passages, ...held.map(({ text }) => text)]
}

/** The step that broke a promise, or of which its actor died, in a sentence. */
export const stepText = (step: Step): string =>
  `the ${step.crash ? 'actor dies' : 'promise breaks'} at ${atName(step)}, when ${incarnationName(step)} handles ${handledName(step)} (${thingOf(step)})`

/** The steps that an actor took while the event of `step` was held back, in order. */
export function overtaking({ run, heldSince }: Scheduled, step: Step): readonly Step[] {
  const since = heldSince.get(thingOf(step))
  if (!since) return []
  return run.steps.filter(
    ({ who, incarnation, index, n, on }) =>
      who === step.who &&
      index < step.index &&
      on.what !== 'start' &&
      (incarnation > since.incarnation || (incarnation === since.incarnation && n >= since.step)),
  )
}

/**
 * `write 2.0.1 of client@c1 to register@r`, or `message 2 of client@c1 to register@r`, counted from 1 over all that this
 * incarnation sent there by the network, if the trace does not show which one it was.
 */
function passageText(
  passage: TransmissionName,
  { incarnations }: Run,
  isIt: (sent: Sent, all: readonly Sent[]) => boolean,
): string {
  const [, from, incarnation, to, n] = /^(\d+)\.(\d+)>(\d+)\.(\d+)$/.exec(passage) ?? []
  const sender = incarnations.find((one) => String(one.slot) === from && String(one.incarnation) === incarnation)
  const receiver = incarnations.find(({ slot }) => String(slot) === to)
  if (!sender || !receiver) return `message ${passage}`
  const all = sender.steps.flatMap(({ sends }) => sends)
  const sent = all.filter((one) => one.to === receiver.who && one.copyOf === undefined)[Number(n)]
  const what = sent && isIt(sent, all) ? `${sent.message.type} ${sent.id}` : `message ${Number(n) + 1}`
  return `${what} of ${incarnationName(sender)} to ${receiver.who}`
}

const isLost = ({ due }: Sent): boolean => due === null

const isDoubled = ({ id }: Sent, all: readonly Sent[]): boolean => all.some(({ copyOf }) => copyOf === id)

/** `register@r handles write 2.0.1 of client@c1 at 8 instead of 4, after read 3.0.0 of client@c2`. */
function heldText(step: Step, scheduled: Scheduled): string {
  const since = scheduled.heldSince.get(thingOf(step))?.at ?? step.at
  const late = since < step.at ? ` instead of ${printUnits(since)}` : ''
  const meanwhile = overtaking(scheduled, step)
  const last = meanwhile.at(-1)
  const others = meanwhile.length - 1
  const after = last ? `, after ${others > 0 ? `${counted(others, 'other event')} and ` : ''}${describe(last)}` : ''
  const never = !last && late === '' ? ', later in that instant' : ''
  return `${incarnationName(step)} handles ${describe(step)} at ${atName(step)}${late}${after}${never}`
}

/** A held event that no step handled: the run ended before, or a timer was cancelled. */
function unhandledText({ thing }: Hold, { run, heldSince }: Scheduled): string {
  const since = heldSince.get(thing)
  if (!since) return `the event ${thing}, which would be held back, does not come`
  const sent = run.sends.get(thing)
  const [, slot, incarnation, isTimer] = /^(\d+)\.(\d+)\.(t?)/.exec(thing) ?? []
  const owner = run.incarnations.find((one) => `${one.slot}.${one.incarnation}` === `${slot}.${incarnation}`)
  const what = sent
    ? `${sent.message.type} ${thing} of ${sent.from} to ${sent.to}`
    : `${isTimer ? 'timer' : 'message'} ${thing}${owner ? ` of ${incarnationName(owner)}` : ''}`
  return `${what} is held back from ${printUnits(since.at)} on, and never handled`
}

function describe(step: Step): string {
  const { on } = step
  if (on.what === 'start') return 'its start'
  return on.what === 'timer' ? `its timer '${on.id}'` : `${eventOf(step)} ${on.id} of ${on.from}`
}
