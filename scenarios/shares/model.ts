/** A cluster of workstations whose users share it: what of it is fixed before a run. */
import type { Sharing } from '../../actors/processor/sharing.ts'
import type { Order } from '../../actors/shares/user.ts'
import type { Address, Plain } from '../../lib/actor.ts'

export interface Cluster {
  /** m1, m2, ... of speed 1. */
  readonly machines: number
  /** Of all processors alike. With ticks there are ticket servers too. */
  readonly sharing: Sharing
  /** What users say, in any order. */
  readonly orders: readonly Said[]
  /** Whoever else takes part; spawned after the machines and before the users. */
  readonly others?: readonly Other[]
  /** A copy of `actors/`, to be run in its place. */
  readonly actors?: URL | undefined
}

/** An order and who gives it, `user@...`. */
export type Said = Order & { readonly user: Address }

export interface Other {
  readonly address: Address
  /** Below `actors/`. */
  readonly module: string
  readonly input: Plain
}
