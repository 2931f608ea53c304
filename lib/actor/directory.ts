/** The addresses of actors by slot and the members of groups, as far as one actor was told of them. */
import { type Address, roleOf, rolesOf } from '../core/address.ts'

const NO_MEMBERS: ReadonlySet<number> = new Set()

/** A directory is immutable. Actors of one process that were told the same share one, which saves memory. */
export class Directory {
  readonly #slots: ReadonlyMap<Address, number>
  /** Addresses by slot; '' for an unknown slot. */
  readonly #addresses: readonly Address[]
  /** The members of each role, in the order of joining. */
  readonly #groups: ReadonlyMap<string, ReadonlySet<number>>
  /** The last change, and the directory that it led to. */
  #next: { readonly news: string; readonly directory: Directory } | undefined

  private constructor(
    slots: ReadonlyMap<Address, number>,
    addresses: readonly Address[],
    groups: ReadonlyMap<string, ReadonlySet<number>>,
  ) {
    this.#slots = slots
    this.#addresses = addresses
    this.#groups = groups
  }

  static readonly EMPTY = new Directory(new Map(), [], new Map())

  /** Makes a directory of addresses by slot; '' stands for an empty slot. */
  static of(addresses: readonly Address[]): Directory {
    if (latest?.isOf(addresses)) return latest
    const slots = new Map<Address, number>()
    const groups = new Map<string, Set<number>>()
    for (const [slot, address] of addresses.entries()) {
      if (address === '') continue
      slots.set(address, slot)
      for (const role of rolesOf(address)) {
        const members = groups.get(role)
        if (members) members.add(slot)
        else groups.set(role, new Set([slot]))
      }
    }
    latest = new Directory(slots, [...addresses], groups)
    return latest
  }

  /** Says whether this directory was made of these addresses. */
  isOf(addresses: readonly Address[]): boolean {
    return addresses.length === this.#addresses.length && addresses.every((one, slot) => one === this.#addresses[slot])
  }

  /** The directory after an actor has joined. */
  with(address: Address, slot: number): Directory {
    return this.#after(`${address} in ${slot}`, () => {
      const addresses = [...this.#addresses]
      while (addresses.length < slot) addresses.push('')
      addresses[slot] = address
      const groups = this.#withMembers(rolesOf(address), (members) => members.add(slot))
      return new Directory(new Map(this.#slots).set(address, slot), addresses, groups)
    })
  }

  /** The directory after an actor has left its group; its address stays known. */
  without(address: Address): Directory {
    const slot = this.#slots.get(address)
    if (slot === undefined) return this
    return this.#after(address, () => {
      const groups = this.#withMembers(rolesOf(address), (members) => members.delete(slot))
      return new Directory(this.#slots, this.#addresses, groups)
    })
  }

  #after(news: string, change: () => Directory): Directory {
    if (this.#next?.news !== news) this.#next = { news, directory: change() }
    return this.#next.directory
  }

  #withMembers(
    roles: readonly string[],
    change: (members: Set<number>) => void,
  ): ReadonlyMap<string, ReadonlySet<number>> {
    const groups = new Map(this.#groups)
    for (const role of roles) {
      const members = new Set(groups.get(role))
      change(members)
      groups.set(role, members)
    }
    return groups
  }

  slotOf(address: Address): number | undefined {
    return this.#slots.get(address)
  }

  /** Why no actor at an address can answer, as far as is known; undefined for a member, dead or alive. */
  faultOf(address: Address): string | undefined {
    const slot = this.#slots.get(address)
    if (slot === undefined) return 'no such actor'
    return this.membersOf(address).has(slot) ? undefined : 'the actor has stopped'
  }

  /** The address of a slot; '' for an unknown slot. */
  addressOf(slot: number): Address {
    return this.#addresses[slot] ?? ''
  }

  membersOf(group: Address): ReadonlySet<number> {
    return this.#groups.get(roleOf(group)) ?? NO_MEMBERS
  }
}

/** The directory that was made last: all actors that start together are told the same. */
let latest: Directory | undefined
