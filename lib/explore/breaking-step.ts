/** Finds the step that broke a promise: the one from whose fact on the promise is broken. */
import { DeviationScheduler, type Deviations } from '../actor/schedule.ts'
import type { Address } from '../core/address.ts'
import type { Oracle, Violation } from '../scenario/oracle.ts'
import type { RunOutcome } from '../scenario/outcome.ts'
import type { Specification } from '../scenario/specification.ts'
import type { Step } from '../trace/run.ts'
import { traced } from './execution.ts'

/** The most facts after which the promise is asked again: an oracle may look at all of its facts each time. */
const FACTS_MAX = 2000

/** A run that is not over. */
const GOING_ON: RunOutcome = { isIdle: false, isSettled: false, dead: new Set(), lost: 0 }

/** Whether a promise of safety is broken so far. Other runs ask it at their end, so it may not understand a part of one. */
function isBroken(oracle: Oracle, property: string): boolean {
  try {
    return oracle.violations(GOING_ON).some((one) => one.property === property && !one.eventually)
  } catch {
    return false
  }
}

/**
 * Runs a failing run once more, and asks for the promise after each fact: the step from whose fact on it is broken. Undefined if no
 * fact broke it, as for a promise that must come true in the end. An oracle may not stand the questions: it is asked once by
 * contract. So the step is told only if the run is judged as it was without them.
 */
export async function breakingStepOf(
  specification: Specification,
  deviations: Deviations,
  { property, text }: Violation,
): Promise<Step | undefined> {
  const facts = new Map<Address, number>()
  let heard = 0
  let breaking: { readonly who: Address; readonly fact: number } | undefined
  const watched: Specification = {
    ...specification,
    open: async (system) => {
      const oracle = await specification.open(system)
      system.onFact((_, { who }) => {
        if (++heard > FACTS_MAX) return
        const fact = (facts.get(who) ?? 0) + 1
        facts.set(who, fact)
        if (!isBroken(oracle, property)) breaking = undefined
        else breaking ??= { who, fact }
      })
      return oracle
    },
  }
  const { run, violations } = await traced(watched, new DeviationScheduler(deviations))
  const isSame = violations.find((one) => one.property === property)?.text === text
  if (!breaking || !isSame) return undefined
  const { who, fact } = breaking
  const telling = run.steps.filter((step) => step.who === who).flatMap((step) => step.facts.map(() => step))
  return telling[fact - 1]
}
