/**
 * Addresses: `role@machine`, or a group `role@*`. Mail between actors of one machine has no delay. The address of a child is
 * a path: `worker.3@m2` is the child `3` of `worker@m2`, and a member of the group `worker.*@*`.
 */
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

const ACTOR = /^[A-Za-z][\w-]*(\.[\w-]+)*@[\w.-]+$/

/** The name of a child in the address of its parent: `3` in `worker.3@m2`. */
const CHILD_NAME = /^[\w-]+$/

/** Says whether a text can name a child. */
export const isChildName = (text: string): boolean => CHILD_NAME.test(text)

/** The address of a child: `childOf('worker@m2', '3')` is `worker.3@m2`. */
export const childOf = (parent: Address, name: string): Address => `${roleOf(parent)}.${name}@${machineOf(parent)}`

/** The address of the parent of a child; undefined for an actor that is nobody's child. */
export function parentOf(address: Address): Address | undefined {
  const role = roleOf(address)
  const end = role.lastIndexOf('.')
  return end < 0 ? undefined : `${role.slice(0, end)}@${machineOf(address)}`
}

/** The roles under which groups know an actor: its own, and `worker.*` for a child of a worker. */
export function rolesOf(address: Address): readonly string[] {
  const role = roleOf(address)
  const end = role.lastIndexOf('.')
  return end < 0 ? [role] : [role, `${role.slice(0, end)}.*`]
}

/** The most characters of an address. Every actor stores it, and every line of a trace contains it. */
export const ADDRESS_LENGTH = 200

/** Messages from outside come from `system`: an actor of that role would look like the runtime itself. */
const RUNTIME_ROLE = 'system'

/** Says whether a text is the address of one actor. (`*` is reserved for groups.) */
export const isAddress = (text: string): boolean => faultOfAddress(text) === undefined

/** Says whether a text can name a machine. */
export const isMachine = (text: string): boolean => isAddress(`any@${text}`)

/** Says why a text is not the address of one actor, and what to do; undefined if it is one. */
export function faultOfAddress(text: string): string | undefined {
  if (text.length > ADDRESS_LENGTH) {
    return `has ${text.length} characters, and the limit ADDRESS_LENGTH is ${ADDRESS_LENGTH}: shorten its role or its machine`
  }
  if (!ACTOR.test(text))
    return 'must be role@machine, such as client@m1, or a path such as worker.3@m2, with letters, digits, - and _'
  return roleOf(text).split('.')[0] === RUNTIME_ROLE
    ? `has the role of the runtime itself: choose another role than system`
    : undefined
}

/** In place of machines on one side of a fault: all that are not on the other side, also those that come later. */
export const ALL_OTHERS = '*'
