/**
 * What the bank knows, as a fold of entries. The same entries are what it writes down: since what an account holds is a
 * function of time, a later incarnation has every balance, and pays at once what came due meanwhile.
 */
import { type Time, toUnits } from '../../lib/actor.ts'
import { type Account, type Holder, open, type Posting, post, until } from './accounts.ts'
import { has } from './ids.ts'
import type { Act, Carried, Class, Instruct, PerClass, Request } from './messages.ts'
import type { Sharing } from './terms.ts'

/** Sum of response / service, and how many. */
interface Sample {
  readonly sum: number
  readonly count: number
}

export interface Vault {
  readonly sharing: Sharing
  readonly accounts: ReadonlyMap<string, Account>
  /** The last instruction that was carried out. */
  readonly done: number
  /** What was answered to those that the scheduler may repeat. */
  readonly answers: readonly Answer[]
  readonly samples: readonly [Sample, Sample, Sample]
  /** Jobs that the scheduler has asked after before they had an account. */
  readonly missed: readonly number[]
}

type Answer = Pick<Carried, 'n' | 'amounts'>

/** With when it happened. */
export type Entry = { readonly at: Time } & (
  | { readonly type: 'opened'; readonly user: string; readonly request: Request }
  | { readonly type: 'missed'; readonly jobs: readonly number[] }
  | { readonly type: 'steered'; readonly user: string; readonly coefficients: PerClass }
  | { readonly type: 'instructed'; readonly instruct: Omit<Instruct, 'type'> }
)

/** What an entry did to one user's accounts. */
export interface Effect {
  readonly user: string
  readonly job: number
  /** Null: declined. */
  readonly amount: number | null
  /** As it was right after; null: the bank knows no such user. */
  readonly account: Account | null
}

const NONE: Sample = { sum: 0, count: 0 }

export const vaultOf = (holders: Readonly<Record<string, Holder>>, sharing: Sharing): Vault => ({
  sharing,
  accounts: new Map(Object.entries(holders).map(([user, holder]) => [user, open(holder)])),
  done: 0,
  answers: [],
  samples: [NONE, NONE, NONE],
  missed: [],
})

/** The vault with one entry more, and what came of it. */
export function enter(vault: Vault, entry: Entry): readonly [Vault, readonly Effect[]] {
  const { at } = entry
  switch (entry.type) {
    case 'opened': {
      const { job, class: l, processors, service, deposit } = entry.request
      const work = toUnits(processors * service)
      const missed = vault.missed.filter((other) => other !== job)
      return one({ ...vault, missed }, at, entry.user, job, { type: 'opened', job, class: l, work, deposit })
    }
    case 'missed':
      return [{ ...vault, missed: [...vault.missed, ...entry.jobs] }, []]
    case 'steered':
      return one(vault, at, entry.user, 0, { type: 'steered', coefficients: entry.coefficients })
    case 'instructed': {
      const { n, since, act } = entry.instruct
      const [after, effects] = carryOut(vault, at, act)
      const amounts = effects.map(({ amount }) => amount)
      const answers = [...vault.answers.filter((answer) => answer.n >= since), { n, amounts }]
      return [{ ...after, done: n, answers }, effects]
    }
  }
}

function one(vault: Vault, at: Time, user: string, job: number, posting: Posting): readonly [Vault, readonly Effect[]] {
  const account = vault.accounts.get(user)
  if (!account) return [vault, [{ user, job, amount: 0, account: null }]]
  const [after, amount] = post(until(at, account, vault.sharing), posting, vault.sharing)
  return [{ ...vault, accounts: new Map(vault.accounts).set(user, after) }, [{ user, job, amount, account: after }]]
}

function carryOut(vault: Vault, at: Time, act: Act): readonly [Vault, readonly Effect[]] {
  if (act.type === 'charge') {
    let after = vault
    const effects = act.jobs.flatMap(({ job, user }) => {
      const [next, moved] = one(after, at, user, job, { type: 'charge', job })
      after = next
      return moved
    })
    return [after, effects]
  }
  const { job, user } = act
  const sampled = act.type === 'close' && act.slowdown !== null ? sample(vault, user, job, act.slowdown) : vault
  const posting: Posting = act.type === 'extend' ? { type: 'extend', job, cost: act.cost } : { type: act.type, job }
  return one(sampled, at, user, job, posting)
}

function sample(vault: Vault, user: string, job: number, slowdown: number): Vault {
  const of = vault.accounts.get(user)?.jobs.find((expense) => expense.job === job)?.class
  const [first, second, third] = vault.samples
  const add = (l: Class, { sum, count }: Sample) =>
    l === of ? { sum: sum + slowdown, count: count + 1 } : { sum, count }
  return { ...vault, samples: [add(1, first), add(2, second), add(3, third)] }
}

/** Mean response / service of each class; null until each has been seen. */
export function slowdownsOf({ samples: [first, second, third] }: Vault): PerClass | null {
  if (first.count === 0 || second.count === 0 || third.count === 0) return null
  return [first.sum / first.count, second.sum / second.count, third.sum / third.count]
}

export const knows = ({ accounts }: Vault, user: string, job: number): boolean => {
  const account = accounts.get(user)
  return account !== undefined && has(account.known, job)
}
