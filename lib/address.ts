/** `role@machine`, or a group `role@*`. Actors of one machine share a fate and a local, undelayed link. */
export type Address = string

export const roleOf = (address: Address): string => address.slice(0, address.indexOf('@'))
export const machineOf = (address: Address): string => address.slice(address.indexOf('@') + 1)
export const groupOf = (address: Address): Address => `${roleOf(address)}@*`
export const isGroup = (address: Address): boolean => address.endsWith('@*')

const ACTOR = /^[A-Za-z][\w-]*@[\w.-]+$/

/** Is this the address of one actor? (`*` is kept for groups.) */
export const isAddress = (text: string): boolean => ACTOR.test(text)
