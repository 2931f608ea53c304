/** Finds the step that broke a promise: the one from whose fact on the promise is broken. */
import type { Address } from '../core/address.ts'
import type { Oracle } from '../scenario/oracle.ts'
import type { RunOutcome } from '../scenario/outcome.ts'
import type { Specification } from '../scenario/specification.ts'
import type { Run, Step } from '../trace/run.ts'

/** The most facts after which the promise is asked again: an oracle may look at all of its facts each time. */
const FACTS_MAX = 2000

/** A run that is not over. */
const GOING_ON: RunOutcome = { isIdle: false, isSettled: false, dead: new Set(), lost: 0 }

export interface Watched {
  /** The same specification, in which each fact is followed by a look at the promise. */
  readonly specification: Specification
  /** The step of a recorded run that broke the promise; undefined if no fact did, as for one that must come true in the end. */
  stepIn(run: Run): Step | undefined
}

/** Whether a promise of safety is broken so far. Other runs ask it at their end, so it may not understand a part of one. */
function isBroken(oracle: Oracle, property: string): boolean {
  try {
    return oracle.violations(GOING_ON).some((one) => one.property === property && !one.eventually)
  } catch {
    return false
  }
}

/** Watches for the fact from which on a promise is broken. Use it for one run. */
export function watching(specification: Specification, property: string): Watched {
  const facts = new Map<Address, number>()
  let heard = 0
  let breaking: { readonly who: Address; readonly fact: number } | undefined
  return {
    specification: {
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
    },
    stepIn({ steps }) {
      if (!breaking) return undefined
      const { who, fact } = breaking
      const telling = steps.filter((step) => step.who === who).flatMap((step) => step.facts.map(() => step))
      return telling[fact - 1]
    },
  }
}
