/** The refusal of a machine that cannot run as an actor. */

import { isObject } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { nearest } from '../core/format.ts'
import { thrownOf } from '../core/thrown.ts'

/** Thrown when the export of a module cannot run as an actor; says where, which rule it breaks, and the mend. */
export class NotAMachine extends BourseError {
  override readonly name = 'NotAMachine'

  constructor(message: string) {
    super('BOURSE_NOT_A_MACHINE', message)
  }
}

/** XState's error about the configuration of a machine, on one line and with the mend. */
export function notBuilt(error: unknown, id: string, config: unknown): NotAMachine {
  const text = thrownOf(error).message.replaceAll(/:?\s*\n\s*/g, ': ')
  return new NotAMachine(`machine '${id}' cannot be made: ${text}${mendOf(text, config)}`)
}

/** The refusal of a module in which XState's own `createMachine` throws because of a target; undefined for another error. */
export function notBuiltByXState(error: unknown, module: string): NotAMachine | undefined {
  if (error instanceof NotAMachine) return undefined
  const [, id] = /^Invalid transition definition for state node '([^'.]+)/.exec(thrownOf(error).message) ?? []
  return id === undefined ? undefined : new NotAMachine(`${module}: ${notBuilt(error, id, undefined).message}`)
}

function mendOf(message: string, config: unknown): string {
  const missing = /(?:Child state '|Initial state node ")(?<name>[^'"]+)/.exec(message)?.groups?.['name']
  if (missing !== undefined) {
    const meant = nearest(missing, namesIn(config))
    if (meant !== undefined) return `; did you mean '${meant}'?`
    return "; a target is the name of a state beside this one, '.name' for one within it, or '#id' for one with an id"
  }
  return message.includes("Child state node '#") ? '; give the state that is meant this `id`' : ''
}

/** The names of all states of a configuration. */
function namesIn(config: unknown): string[] {
  const states = isObject(config) ? config['states'] : undefined
  return isObject(states) ? Object.entries(states).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : []
}
