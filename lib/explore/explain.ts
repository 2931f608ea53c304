/** Explains a schedule in sentences. */
import type { Deviations, TransmissionName } from '../actor/schedule.ts'
import { printUnits } from '../core/format.ts'
import { atName, handledName } from '../trace/names.ts'
import { eventOf, incarnationName, type Run, type Step, thingOf } from '../trace/run.ts'

/** One line for each deviation: transmissions first, then holds in the order of the run. */
export function sentencesOf({ holds, lost, doubled, late = [] }: Deviations, run: Run): string[] {
  const handled = new Map(run.steps.map((step) => [thingOf(step), step]))
  const held = holds.map(({ thing, until }) => {
    const step = handled.get(thing)
    return {
      at: step?.index ?? Number.POSITIVE_INFINITY,
      text: step ? heldText(step, run) : `${thing} waits for step ${until}`,
    }
  })
  held.sort((a, b) => a.at - b.at)
  const passages = [
    ...lost.map((passage) => `${passageText(passage, run)} is lost`),
    ...doubled.map((passage) => `${passageText(passage, run)} arrives twice`),
    ...late.map(
      ({ passage, by }) => `${passageText(passage, run)} arrives twice, the second time ${printUnits(by)} units later`,
    ),
  ]
  return [...passages, ...held.map(({ text }) => text)]
}

/** The step that broke a promise, in a sentence. */
export const stepText = (step: Step): string =>
  `the promise breaks at ${atName(step)}, when ${incarnationName(step)} handles ${handledName(step)} (${thingOf(step)})`

/** `message 2 of client@c1 to contractor@m1`, counted from 1 over all that this incarnation sent there by the network. */
function passageText(passage: TransmissionName, { incarnations }: Run): string {
  const [, from, incarnation, to, n] = /^(\d+)\.(\d+)>(\d+)\.(\d+)$/.exec(passage) ?? []
  const sender = incarnations.find((one) => String(one.slot) === from && String(one.incarnation) === incarnation)
  const receiver = incarnations.find(({ slot }) => String(slot) === to)
  if (!sender || !receiver) return `message ${passage}`
  return `message ${Number(n) + 1} of ${incarnationName(sender)} to ${receiver.who}`
}

function heldText(step: Step, run: Run): string {
  const incarnation = run.incarnations.find(
    ({ who, incarnation }) => who === step.who && incarnation === step.incarnation,
  )
  const before = incarnation?.steps[step.n - 1]
  const what =
    step.on.what === 'mail' ? `${eventOf(step)} ${step.on.id} of ${step.on.from}` : `the timer '${idOf(step)}'`
  return `${incarnationName(step)} handles ${what} only after ${before ? describe(before) : 'its start'}`
}

const idOf = ({ on }: Step): string => (on.what === 'timer' ? on.id : '')

function describe(step: Step): string {
  const { on } = step
  if (on.what === 'start') return 'its start'
  return on.what === 'timer' ? `its timer '${on.id}'` : `${eventOf(step)} ${on.id} of ${on.from}`
}
