/** The model of a cluster of workstations that users share: all that is fixed before a run. */
import type { Sharing } from '../../actors/processor/sharing.ts'
import type { Order } from '../../actors/shares/user.ts'
import type { Address, Plain } from '../../lib/actor.ts'

export interface Cluster {
  /** The number of machines m1, m2, ..., all of speed 1. */
  readonly machines: number
  /** How every processor shares its time. With ticks, each machine has a ticket server too. */
  readonly sharing: Sharing
  /** The orders of the users, in any order. */
  readonly orders: readonly Said[]
  /** Further actors; spawned after the machines and before the users. */
  readonly others?: readonly Other[]
  /** A copy of the folder `actors/` whose modules run instead of the project's. */
  readonly actors?: URL | undefined
}

/** An order, and the user (`user@...`) who gives it. */
export type Said = Order & { readonly user: Address }

export interface Other {
  readonly address: Address
  /** The path of its module below `actors/`. */
  readonly module: string
  readonly input: Plain
}
