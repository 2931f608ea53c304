/** The run that no search disturbs. */
import { inWords } from '../scenario/oracle.ts'
import { runScenario } from '../scenario/run-scenario.ts'
import type { Specification } from '../scenario/specification.ts'
import { UNDISTURBED_ROUNDS } from './explore.ts'

/**
 * The promises that a scenario breaks without a search, each as a text. Promises about times are asked only where no schedule is
 * chosen, so the runs of a search cannot tell that.
 */
export async function brokenUndisturbed(specification: Specification): Promise<readonly string[]> {
  const { options, faults, until, calm, open, judge } = specification
  const run = await runScenario({
    options: { rounds: UNDISTURBED_ROUNDS, ...options, runtime: 'inline' },
    faults,
    until,
    calm,
    open,
    judge,
  })
  return inWords(run.oracle.violations(run))
}
