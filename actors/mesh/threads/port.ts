/**
 * A processor sends or takes one thread at a time, whosever it is (section 2). Both ends of a transfer are reserved before it
 * begins, in the order of their addresses: who has one and waits for another waits for a later one, so nobody waits for himself.
 */
import type { Address } from '../../../lib/actor.ts'

export type Port = {
  /** The sender of the transfer that it is kept for; null: it is free. */
  readonly holder: Address | null
  /** Senders that wait, in the order of asking. */
  readonly waiting: readonly Address[]
}

export const FREE: Port = { holder: null, waiting: [] }

/** It has it if it is the holder then. */
export const reserved = ({ holder, waiting }: Port, by: Address): Port =>
  holder === null ? { holder: by, waiting } : { holder, waiting: [...waiting, by] }

/** To who has waited longest. */
export const released = ({ waiting: [next, ...waiting] }: Port): Port => ({ holder: next ?? null, waiting })

/** The ends of a transfer in the order in which they are reserved. */
export const endsOf = (from: Address, to: Address): readonly [Address, Address] => (from < to ? [from, to] : [to, from])
