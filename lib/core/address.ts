/** Addresses: `role@machine`, or a group `role@*`. Mail between actors of one machine has no delay. */
export type Address = string

/** The slot of the system: mail to the address `system` goes there. */
export const SYSTEM = 0

/** The role in an address: `client` in `client@m1`. */
export const roleOf = (address: Address): string => address.slice(0, address.indexOf('@'))
/** The machine in an address: `m1` in `client@m1`. */
export const machineOf = (address: Address): string => address.slice(address.indexOf('@') + 1)
/** The group address of all actors of a role: `client@*`. */
export const groupOf = (address: Address): Address => `${roleOf(address)}@*`
export const isGroup = (address: Address): boolean => address.endsWith('@*')

const ACTOR = /^[A-Za-z][\w-]*@[\w.-]+$/

/** The most characters of an address. Every actor stores it, and every line of a trace contains it. */
export const ADDRESS_LENGTH = 200

/** Messages from outside come from `system`: an actor of that role would look like the runtime itself. */
const RUNTIME_ROLE = 'system'

/** Says whether a text is the address of one actor. (`*` is reserved for groups.) */
export const isAddress = (text: string): boolean => faultOfAddress(text) === undefined

/** Says why a text is not the address of one actor, and what to do; undefined if it is one. */
export function faultOfAddress(text: string): string | undefined {
  if (text.length > ADDRESS_LENGTH) {
    return `has ${text.length} characters, and the limit ADDRESS_LENGTH is ${ADDRESS_LENGTH}: shorten its role or its machine`
  }
  if (!ACTOR.test(text))
    return 'must be role@machine, such as client@m1, with letters, digits, - and _ (a machine: dots too)'
  return roleOf(text) === RUNTIME_ROLE
    ? `has the role of the runtime itself: choose another role than system`
    : undefined
}
