/** Conservation: nothing is made or lost, be it money, tickets or processors. */
import type { Property } from '../oracle.ts'
import { instant, type Key, type Reads, safety } from './safety.ts'

/** What a transfer does to each account: positive amounts come in, negative ones go out. */
export type Transfer = ReadonlyMap<Key, number>

/** What the accounts have at the start, what they may not go below, and the rounding error that is allowed. */
export interface Accounts {
  /** The balances at the start. An account that is not listed begins at 0. */
  readonly start?: Transfer
  /** The least balance (default 0). */
  readonly least?: number
  /** Accounts that may go below it, such as the world outside. */
  readonly unlimited?: readonly Key[]
  /** The error allowed in sums of fractions (default 0). */
  readonly tolerance?: number
}

/**
 * Conservation: the amounts of each transfer add up to zero, and no account goes below its least balance. The sum over all
 * accounts is then the same at every moment (double-entry bookkeeping; the bank of Gray and Reuter 1993, and of Jepsen).
 * Errors within the tolerance add up, so money that leaks away little by little is noticed too.
 */
export const conservation = (
  name: string,
  transferOf: Reads<Transfer>,
  { start = new Map(), least = 0, unlimited = [], tolerance = 0 }: Accounts = {},
): Property =>
  safety(name, () => {
    const balances = new Map(start)
    /** By how much the sum over all accounts has changed since the last violation. */
    let sum = 0
    return {
      fold: (observed) => {
        const transfer = transferOf(observed)
        if (transfer === undefined) return undefined
        const low: string[] = []
        for (const [account, amount] of transfer) {
          const balance = (balances.get(account) ?? 0) + amount
          balances.set(account, balance)
          sum += amount
          if (!(amount >= 0 || balance >= least - tolerance) && !unlimited.includes(account))
            low.push(`${account} has ${balance}`)
        }
        const made = Math.abs(sum) <= tolerance ? [] : [`${Math.abs(sum)} ${sum > 0 ? 'made' : 'lost'}`]
        if (made.length > 0) sum = 0
        const faults = [...made, ...low]
        return faults.length > 0
          ? `${faults.join(', ')} at ${instant(observed.at)}, by ${observed.fact.type}`
          : undefined
      },
    }
  })
