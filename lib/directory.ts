/** Who is where, as one actor was told: addresses by slot, and the members of groups. */
import { type Address, roleOf } from './address.ts'

const NOBODY: ReadonlySet<number> = new Set()

export class Directory {
  readonly #slots = new Map<Address, number>()
  readonly #addresses: Address[] = []
  /** Members of a role, in the order in which they joined. */
  readonly #groups = new Map<string, Set<number>>()

  join(address: Address, slot: number): void {
    this.#slots.set(address, slot)
    this.#addresses[slot] = address
    const role = roleOf(address)
    const members = this.#groups.get(role)
    if (members) members.add(slot)
    else this.#groups.set(role, new Set([slot]))
  }

  /** It is no member of its group any more; its address stays known. */
  leave(address: Address): void {
    const slot = this.#slots.get(address)
    if (slot !== undefined) this.#groups.get(roleOf(address))?.delete(slot)
  }

  slotOf(address: Address): number | undefined {
    return this.#slots.get(address)
  }

  /** '' for a slot nobody was heard of in. */
  addressOf(slot: number): Address {
    return this.#addresses[slot] ?? ''
  }

  membersOf(group: Address): ReadonlySet<number> {
    return this.#groups.get(roleOf(group)) ?? NOBODY
  }
}
