/** The states of a machine, as XState keeps them. */
import type { AnyStateMachine } from 'xstate'

export type XNode = AnyStateMachine['root']

/** The name of a state for people: its path, or the key of the machine for the root. */
export const nameOf = (node: XNode): string => node.path.join('.') || node.key

/** The paths of all states, the outer before the inner. */
export const statesBelow = (node: XNode): string[] =>
  Object.values(node.states).flatMap((child) => [nameOf(child), ...statesBelow(child)])
