/** The states of a machine, as XState keeps them. */
import type { AnyStateMachine } from 'xstate'
import { isReserved } from '../core/data.ts'

export type XNode = AnyStateMachine['root']

/** The name of a state for people: its path, or the key of the machine for the root. */
export const nameOf = (node: XNode): string => node.path.join('.') || node.key

/** The paths of all states, the outer before the inner. */
export const statesBelow = (node: XNode): string[] =>
  Object.values(node.states).flatMap((child) => [nameOf(child), ...statesBelow(child)])

/** The types of events that a state or one within it handles, as they are written: `*` and `bid.*` are patterns. */
export const typesBelow = (node: XNode): string[] => {
  const own = [...node.transitions.keys()].filter((type) => !isReserved(type))
  return [...new Set([...own, ...Object.values(node.states).flatMap(typesBelow)])]
}

/** Says whether one of these types or patterns stands for `type`. XState's own events, such as those of `after`, are no mistakes. */
export const takes = (types: readonly string[], type: string): boolean =>
  isReserved(type) || types.some((pattern) => pattern === type || isMatch(type, pattern))

/** `*` matches everything; `bid.*` matches `bid`, `bid.late` and `bid.late.local`; no other asterisk means anything. */
export function isMatch(type: string, pattern: string): boolean {
  if (pattern === '*') return true
  if (!pattern.endsWith('.*')) return false
  const head = pattern.slice(0, -2)
  return !head.split('.').includes('*') && (type === head || type.startsWith(pattern.slice(0, -1)))
}
