/** The runs beside a search that no schedule disturbs: one before it, and with `--faults` some after it, under faults alone. */

import { type Check, none } from '../../../lib/cli/index.ts'
import { counted, printUnits } from '../../../lib/core/format.ts'
import { type Baseline, baselineOf, requireRest } from '../../../lib/explore/explore.ts'
import { parseAllowed, requireLateCopies, requireRolesOf } from '../../../lib/explore/fault-generator.ts'
import { askedBy, type FaultsAlone, type Undisturbed } from '../../../lib/explore/undisturbed.ts'
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
 * Makes the undisturbed run, and gives it with the names of the promises that are asked of runs under a schedule. Children are known
 * only after a run.
 *
 * @throws UsageError for an allowed fault of a role that no actor has, which would never strike; BrokenUndisturbed for a run that never ends
 */
export async function requireRun(
  specification: Specification,
  texts: readonly string[],
): Promise<{ readonly asked: readonly string[]; readonly baseline: Baseline }> {
  const allowed = texts.map((text) => parseAllowed(text, '--faults'))
  requireLateCopies(allowed, specification.options.order, '--faults')
  let asked: readonly string[] = []
  const open: Specification['open'] = async (system) => {
    const oracle = await specification.open(system)
    asked = askedBy(oracle)
    return oracle
  }
  const baseline = await baselineOf({ ...specification, open })
  requireRest(specification, baseline.execution)
  requireRolesOf(allowed, baseline.actors, '--faults')
  return { asked, baseline }
}

/** Checks that fail if the scenario breaks a promise without a search, or under faults alone. */
export const undisturbedChecks = ({ broken }: Undisturbed, { failure }: FaultsAlone): readonly Check[] => [
  ...(broken.length > 0 ? [none('promises that the scenario breaks without a search', broken)] : []),
  ...(failure ? [none('promises that it breaks under faults alone', failure.broken)] : []),
]
