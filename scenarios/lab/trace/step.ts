/** A step as a row of a table, and as results. */
import type { Plain } from '../../../lib/core/data.ts'
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

export const stepRow = (step: Step): string[] => [
  ...[atName(step), incarnationName(step), String(step.n), thingOf(step), handledName(step)],
  ...[changeOf(step), outcomeOf(step)],
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
