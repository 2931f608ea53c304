/** The registry of a system: its actors by slot and by address, with their status. Only the system uses it. */

import { type Address, faultOfAddress } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { quoted } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import type { Cause, ThreadLimits } from '../runtime/runtime.ts'

/** Restart policies as in OTP: never; after a crash or a kill; also after the actor stopped by itself. */
export const RESTART_POLICIES = ['temporary', 'transient', 'permanent'] as const
export type RestartPolicy = (typeof RESTART_POLICIES)[number]

export interface Supervision {
  readonly restart: RestartPolicy
  /** An actor that would be restarted more often than this within `period` stays dead. */
  readonly intensity: number
  readonly period: Time
}

export type ActorStatus =
  | { readonly type: 'alive' }
  | { readonly type: 'dead'; readonly cause: Cause }
  | { readonly type: 'stopped' }

export interface Entry {
  readonly slot: number
  readonly address: Address
  readonly module: string
  readonly input: Plain
  readonly supervision: Supervision
  readonly resourceLimits?: ThreadLimits
  incarnation: number
  status: ActorStatus
  /** The records that its incarnations persisted. */
  readonly records: Plain[]
  /** The instants of its restarts within the last period. */
  restarts: Time[]
  /** Whether this incarnation has been told to start. */
  started: boolean
  /** Whether its spawn failed, so that another spawn may have its address. */
  isVacant: boolean
}

export class Registry {
  readonly #entries: Entry[] = []
  readonly #bySlot = new Map<number, Entry>()
  readonly #byAddress = new Map<Address, Entry>()

  /** Adds an actor, or puts it in the place of one whose spawn failed. */
  add(entry: Entry): void {
    this.#entries[entry.slot - 1] = entry
    this.#bySlot.set(entry.slot, entry)
    this.#byAddress.set(entry.address, entry)
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
