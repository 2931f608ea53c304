/** The run that no search disturbs. */
import { inWords, type Oracle } from '../scenario/oracle.ts'
import { runScenario } from '../scenario/run-scenario.ts'
import type { Specification } from '../scenario/specification.ts'
import { UNDISTURBED_ROUNDS } from './explore.ts'

/** A run without a search. */
export interface Undisturbed {
  /** The promises that it breaks, each as a text. */
  readonly broken: readonly string[]
  /** The names of the promises that are asked of it. */
  readonly asked: readonly string[]
}

/**
 * Runs a scenario without a search. Promises about times are asked only where no schedule is chosen, so the runs of a search cannot
 * tell whether it keeps them.
 */
export async function runUndisturbed(specification: Specification): Promise<Undisturbed> {
  const { options, faults, until, calm, open, judge } = specification
  const run = await runScenario({
    options: { rounds: UNDISTURBED_ROUNDS, ...options, runtime: 'inline' },
    faults,
    until,
    calm,
    open,
    judge,
  })
  return { broken: inWords(run.oracle.violations(run)), asked: askedBy(run.oracle) }
}

/** The names of the promises that an oracle asks, each once. */
export const askedBy = (oracle: Oracle): readonly string[] => [...new Set(oracle.promises?.().map(({ name }) => name))]
