import { enterStep, leaveStep } from '../../lib/actor/step-context.ts'

/** Runs a function as if a step of the actor x@m1 did, which handles a message of `from`. */
export function inStep<T>(run: () => T, now = 0, from?: string): T {
  enterStep({ self: 'x@m1', now, clock: now, draw: () => 0, newId: () => '' }, from)
  try {
    return run()
  } finally {
    leaveStep()
  }
}
