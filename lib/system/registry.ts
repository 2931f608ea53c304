/** The registry of a system: its actors by slot and by address, with their status. Only the system uses it. */

import type { Journal } from '../actor/journal.ts'
import type { Supervision } from '../actor/supervision.ts'
import { type Address, faultOfAddress } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { quoted } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import type { Cause, ThreadLimits } from '../runtime/runtime.ts'

export type ActorStatus =
  | { readonly type: 'alive' }
  | { readonly type: 'dead'; readonly cause: Cause }
  /** It reached a final state, or, if there is a `why`, it was ended. */
  | { readonly type: 'stopped'; readonly why?: string }

/** The end of an incarnation by itself: a crash, or a final state. */
export type OwnEnd = { readonly type: 'crash'; readonly cause: Cause } | { readonly type: 'final state' }

/** A watch on an actor. */
export interface Watch {
  /** The incarnation of the watcher. */
  readonly incarnation: number
  /** How long after the end the news comes at the earliest. */
  readonly delay: Time
}

/** The data that an entry is made of. */
export interface Newcomer {
  readonly address: Address
  readonly module: string
  readonly input: Plain
  readonly supervision: Supervision
  readonly parent: Entry | null
  readonly resourceLimits?: ThreadLimits | undefined
}

export interface Entry {
  readonly slot: number
  readonly address: Address
  readonly module: string
  readonly input: Plain
  readonly supervision: Supervision
  /** The actor that spawned it; null for an actor that the scenario spawned. */
  readonly parent: Entry | null
  /** The incarnation of its parent that last had it as a child; 0 without a parent. */
  parentIncarnation: number
  /** Its children that are not over, in the order of spawning. */
  readonly children: Entry[]
  /** The actors that watch the present incarnation, by slot. */
  readonly watchers: Map<number, Watch>
  readonly resourceLimits?: ThreadLimits
  incarnation: number
  status: ActorStatus
  /** How the present incarnation has ended by itself, from the report of it until it is settled; null otherwise. */
  ownEnd: OwnEnd | null
  /** What its incarnations persisted. */
  readonly journal: Journal
  /** The instants of its restarts within the last period. */
  restarts: readonly Time[]
  /** A restart that is planned for later, of this actor and of the siblings that were ended with it; null if there is none. */
  planned: { readonly cancel: () => void; readonly carryOut: () => Promise<void> } | null
  /** How many pieces of news of this incarnation were sent. */
  news: number
  /** Whether this incarnation has been told to start. */
  started: boolean
  /** Whether its spawn failed, so that another spawn may have its address. */
  isVacant: boolean
}

export class Registry {
  readonly #entries: Entry[] = []
  readonly #bySlot = new Map<number, Entry>()
  readonly #byAddress = new Map<Address, Entry>()

  /** Adds an actor: in a slot of its own, or as the next incarnation in the slot that its address had. Its journal may have records. */
  add(newcomer: Newcomer, journal: Journal): Entry {
    const { address, module, input, supervision, parent, resourceLimits } = newcomer
    const before = this.find(address)
    const entry: Entry = {
      slot: before?.slot ?? this.#entries.length + 1,
      address,
      module,
      input,
      supervision,
      parent,
      parentIncarnation: parent?.incarnation ?? 0,
      children: [],
      watchers: new Map(),
      ...(resourceLimits && { resourceLimits }),
      incarnation: before ? before.incarnation + 1 : 0,
      status: { type: 'alive' },
      ownEnd: null,
      journal,
      restarts: [],
      planned: null,
      news: 0,
      started: false,
      isVacant: false,
    }
    this.#entries[entry.slot - 1] = entry
    this.#bySlot.set(entry.slot, entry)
    this.#byAddress.set(address, entry)
    parent?.children.push(entry)
    return entry
  }

  /** All actors, in spawn order. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  get addresses(): Address[] {
    return this.#entries.map(({ address }) => address)
  }

  at(slot: number): Entry | undefined {
    return this.#bySlot.get(slot)
  }

  nameOf(slot: number): string {
    return this.#bySlot.get(slot)?.address ?? 'system'
  }

  find(address: Address): Entry | undefined {
    return this.#byAddress.get(address)
  }

  get(address: Address): Entry {
    const entry = this.find(address)
    if (!entry)
      throw new BourseError('BOURSE_ADDRESS', `no actor has the address '${address}'; there are: ${this.#some()}`)
    return entry
  }

  /** Checks that an actor can be given this address, and throws if not. */
  requireFree(address: Address): void {
    const fault = faultOfAddress(String(address))
    if (fault) throw new BourseError('BOURSE_ADDRESS', `the address ${quoted(String(address))} ${fault}`)
    const entry = this.find(address)
    if (entry && !entry.isVacant)
      throw new BourseError(
        'BOURSE_ADDRESS',
        `the address '${address}' is taken; restart() begins a new incarnation of it`,
      )
  }

  #some(): string {
    return this.addresses.slice(0, 8).join(', ') + (this.#entries.length > 8 ? ', ...' : '')
  }
}
