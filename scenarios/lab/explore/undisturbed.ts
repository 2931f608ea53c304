/** The run that nothing disturbs, which comes before each search. */

import { type Check, none } from '../../../lib/cli/index.ts'
import { counted, printUnits } from '../../../lib/core/format.ts'
import { baselineOf, requireRest } from '../../../lib/explore/explore.ts'
import { parseAllowed, requireLateCopies, requireRolesOf } from '../../../lib/explore/fault-generator.ts'
import { askedBy, type Undisturbed } from '../../../lib/explore/undisturbed.ts'
import type { Specification } from '../../../lib/scenario/specification.ts'

/** The rounds between two texts about a run that goes on. A run with fewer rounds is over within a second. */
const TOLD_ROUNDS = 1000

/** The specification whose runs tell how far they are, now and then. */
export const tellingProgress = (specification: Specification, tell: (text: string) => void): Specification => ({
  ...specification,
  open: (system) => {
    const listen = (): void =>
      system.afterRounds(system.rounds + TOLD_ROUNDS, () => {
        tell(`the undisturbed run is at ${printUnits(system.now)} units, after ${counted(system.steps, 'step')}`)
        listen()
      })
    listen()
    return specification.open(system)
  },
})

/**
 * Makes the undisturbed run, and gives the names of the promises that are asked of runs under a schedule. Children are known only
 * after a run.
 *
 * @throws UsageError for an allowed fault of a role that no actor has, which would never strike, and for a run that never ends
 */
export async function requireRun(specification: Specification, texts: readonly string[]): Promise<readonly string[]> {
  const allowed = texts.map((text) => parseAllowed(text, '--faults'))
  requireLateCopies(allowed, specification.options.order, '--faults')
  let asked: readonly string[] = []
  const open: Specification['open'] = async (system) => {
    const oracle = await specification.open(system)
    asked = askedBy(oracle)
    return oracle
  }
  const { execution, actors } = await baselineOf({ ...specification, open })
  requireRest(specification, execution)
  requireRolesOf(allowed, actors, '--faults')
  return asked
}

/** Checks that fail if the scenario breaks a promise without a search. */
export const undisturbedChecks = ({ broken }: Undisturbed): readonly Check[] =>
  broken.length > 0 ? [none('promises that the scenario breaks without a search', broken)] : []
