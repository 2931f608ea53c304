import { enterStep, leaveStep } from '../../lib/actor/step-context.ts'

/** Runs a function as if a step of the actor x@m1 did. */
export function inStep<T>(run: () => T, now = 0): T {
  enterStep({ self: 'x@m1', now, draw: () => 0, newId: () => '' })
  try {
    return run()
  } finally {
    leaveStep()
  }
}
