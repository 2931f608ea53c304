/** A step as a row of a table, and as results. */
import type { Message, Plain } from '../../../lib/core/data.ts'
import { shortened } from '../../../lib/core/format.ts'
import { groupsOf } from '../../../lib/core/tally.ts'
import { atName, handledName, remarksOf, sentNames, stateName } from '../../../lib/trace/names.ts'
import { incarnationName, type Step, thingOf } from '../../../lib/trace/run.ts'

/** The change of state, such as `free -> busy`, or the state if it stays. */
export const changeOf = ({ before, state }: Step): string => {
  const [from, to] = [stateName(before), stateName(state)]
  return from === to ? to : `${from} -> ${to}`
}

/** The effects of a step as text: sent messages, facts and remarks. */
export const outcomeOf = (step: Step): string =>
  [
    ...sentNames(step).map((sent) => `sends ${sent}`),
    ...step.facts.map((fact) => `(${fact.type})`),
    ...remarksOf(step),
  ].join(', ')

export const STEP_HEAD = ['at', 'actor', 'step', 'event', 'handles', 'state', 'then']

/** The most characters of the contents of a message in a table. */
const CONTENTS = 60

/** The contents of a message on one line, such as `{"n":1}`; '' if it has only its type. */
function contentsOf({ type: _, ...contents }: Message): string {
  const text = JSON.stringify(contents)
  return text === '{}' ? '' : ` ${shortened(text, CONTENTS)}`
}

/** The contents of the event that a step handles. */
function eventContents({ on }: Step): string {
  if (on.what === 'start') return ''
  return contentsOf(on.what === 'mail' ? on.message : on.event)
}

/** The messages that a step sends, with their contents; those of a broadcast are counted. */
function sentContents({ sends }: Step): string[] {
  return [...groupsOf(sends, ({ message }) => JSON.stringify(message)).values()].flatMap((alike) => {
    const [first] = alike
    if (!first) return []
    const { message, to } = first
    return [`sends ${message.type} to ${alike.length === 1 ? to : alike.length}${contentsOf(message)}`]
  })
}

/** The row of a step, with the contents of messages and facts. */
export const stepRow = (step: Step): string[] => [
  ...[atName(step), incarnationName(step), String(step.n), thingOf(step), `${handledName(step)}${eventContents(step)}`],
  changeOf(step),
  [...sentContents(step), ...step.facts.map((fact) => `(${fact.type}${contentsOf(fact)})`), ...remarksOf(step)].join(
    ', ',
  ),
]

export const stepResult = (step: Step): Plain => ({
  at: step.at,
  who: step.who,
  incarnation: step.incarnation,
  n: step.n,
  thing: thingOf(step),
  on: { ...step.on },
  before: step.before,
  after: step.state,
  sends: step.sends.map(({ id, to, message }) => ({ id, to, message })),
  facts: step.facts,
  remarks: remarksOf(step),
})
