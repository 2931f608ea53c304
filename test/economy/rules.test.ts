/** The pure rules of the economy: prices, bounds, weights, the profile of free processors, accounts, sets of ids. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Account,
  advance,
  balanceOf,
  open,
  type Posting,
  post,
  rateOf,
  totalsOf,
} from '../../actors/economy/accounts.ts'
import { bankBookOf, books, type Entry } from '../../actors/economy/bank-book.ts'
import { corrected, normalised } from '../../actors/economy/coefficients.ts'
import type { Class } from '../../actors/economy/messages.ts'
import { isHigher, Profile, smoothed } from '../../actors/economy/pass.ts'
import { futureOf, type Sharing, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { has, including, MAX_ID, NO_IDS } from '../../actors/ids.ts'
import { units } from '../../lib/actor.ts'
import { boundOf } from '../../scenarios/economy/starvation/bound.ts'
import { throwsSaying } from '../throws.ts'
import { ADAPTED, BOUNDS, SMOOTHED } from './golden/scalars.ts'

const near = (one: number, other: number, what: string) =>
  assert.ok(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)), `${what}: ${one}, expected ${other}`)

test('the price of extra time lies between the best offer and the estimate (equation 2)', () => {
  for (const { pa, pe, alpha, dt, price } of SMOOTHED) near(smoothed(pa, pe, alpha, dt), price, `after ${dt}`)
})

test('offers that differ by rounding are equal', () => {
  assert.is(isHigher(10 * (1 + 1e-10), 10), false)
  assert.is(isHigher(10 * (1 + 1e-8), 10), true)
  assert.is(isHigher(0, 0), false)
})

test('a job receives income until it starts, and where running jobs are paid, until it ends', () => {
  assert.is(futureOf({ ...STANDARD_SHARING, running: false }), 'start')
  assert.is(futureOf({ ...STANDARD_SHARING, running: true }), 'end')
})

test('the bound on waiting is that of equations 6 and 7', () => {
  for (const { N, p, T, Tmax, R, rmin, M, delta, price, dt1, dt2, bound } of BOUNDS) {
    const of = { total: N, processors: p, service: T, longest: Tmax, incomes: R, rate: rmin, funds: M, margin: delta }
    const ours = boundOf(of)
    near(ours.price, price, 'price')
    near(ours.saving, dt1, 'saving')
    near(ours.spending, dt2, 'spending')
    near(ours.total, bound, 'total')
  }
})

test('a class that is slower than its target gets more', () => {
  for (const { coefficients, U, target, raw, normalised: expected } of ADAPTED) {
    const ours = corrected(coefficients, U, target)
    for (const [l, value] of ours.entries()) near(value, raw[l] ?? Number.NaN, `class ${l + 1}`)
    for (const [l, value] of normalised(ours).entries()) near(value, expected[l] ?? Number.NaN, `class ${l + 1}`)
  }
})

test('only the ratios of weights matter, however small or large they are', () => {
  for (const scale of [1e-6, 1, 1e6]) {
    const ours = normalised([scale, 2 * scale, scale])
    for (const [l, expected] of [0.25, 0.5, 0.25].entries()) near(ours[l] ?? Number.NaN, expected, `class ${l + 1}`)
  }
})

test('no class loses all its weight', () => {
  const weights = normalised([1, 0, 1])
  assert.ok(weights[1] > 0)
  near(weights[0] + weights[1] + weights[2], 1, 'sum')
})

const anyMachine = fc.record({
  now: fc.nat(50),
  idle: fc.nat(6),
  ends: fc.array(fc.nat(100), { maxLength: 6 }),
  taken: fc.array(fc.record({ processors: fc.integer({ min: 1, max: 4 }), lasts: fc.nat(40) }), { maxLength: 4 }),
})

test('the profile knows when processors are free, and the time wasted until then', () => {
  fc.assert(
    fc.property(anyMachine, ({ now, idle, ends, taken }) => {
      const profile = new Profile(now, idle, ends)
      const free = [...Array.from({ length: idle }, () => now), ...ends.map((end) => Math.max(now, end))]
      let left = idle
      for (const { processors, lasts } of taken) {
        if (processors > left) continue
        profile.take(processors, lasts)
        for (let i = 0; i < processors; i++) free[free.indexOf(now)] = now + lasts
        left -= processors
      }
      assert.is(profile.idle, left)
      free.sort((one, other) => one - other)
      const wastes = profile.wastes()
      for (const [i, start] of free.entries()) {
        assert.is(profile.earliest(i + 1), start)
        assert.is(
          wastes[i + 1],
          free.slice(0, i + 1).reduce((sum, one) => sum + start - one, 0),
        )
        assert.is(profile.freeAt(start), free.filter((one) => one <= start).length)
      }
      assert.is(profile.earliest(free.length + 1), Number.POSITIVE_INFINITY)
    }),
  )
})

/** A naive account of one user: it settles every job in every step of time. */
class Naive {
  savings: number
  paid = 0
  forfeited = 0
  received = 0
  jobs: { job: number; class: Class; work: number; balance: number; paid: number; isRunning: boolean }[] = []
  coefficients: readonly number[]
  readonly income: number
  readonly cap: number
  readonly sharing: Sharing

  constructor(income: number, savings: number, cap: number, sharing: Sharing) {
    this.income = income
    this.savings = Math.min(savings, cap)
    this.cap = cap
    this.sharing = sharing
    this.coefficients = [1 / 3, 1 / 3, 1 / 3]
  }

  pass(minutes: number): void {
    const weight = (job: { class: Class; work: number }) => (this.coefficients[job.class - 1] ?? 0) * job.work
    const paid = this.jobs.filter(({ isRunning }) => !isRunning || this.sharing.running)
    const all = paid.reduce((sum, job) => sum + (this.sharing.rates === 'weighted' ? weight(job) : job.work), 0)
    let spent = 0
    for (const job of paid) {
      const share = (this.income * minutes * weight(job)) / all
      job.balance += share
      spent += share
    }
    const saved = Math.min(this.cap - this.savings, Math.max(0, this.income * minutes - spent))
    this.savings += saved
    this.received += spent + saved
  }

  post(posting: Posting): void {
    if (posting.type === 'opened') {
      const { job, class: l, work } = posting
      const deposit = Math.min(posting.deposit, this.savings)
      this.savings -= deposit
      this.jobs.push({ job, class: l, work, balance: deposit, paid: 0, isRunning: false })
      return
    }
    if (posting.type === 'steered') {
      this.coefficients = normalised(posting.coefficients)
      return
    }
    const job = this.jobs.find((one) => one.job === posting.job)
    if (!job) return
    const spend = () => {
      this.paid += job.balance
      job.paid += job.balance
      job.balance = 0
    }
    switch (posting.type) {
      case 'charge':
        if (job.isRunning) return
        spend()
        job.isRunning = true
        return
      case 'refund':
        this.paid -= job.paid
        job.balance += job.paid
        job.paid = 0
        job.isRunning = false
        return
      case 'forfeit':
        this.forfeited += job.balance
        this.jobs = this.jobs.filter((one) => one !== job)
        return
      case 'close':
        spend()
        this.jobs = this.jobs.filter((one) => one !== job)
        return
      case 'extend':
        if (posting.cost > this.savings) return
        this.savings -= posting.cost
        this.paid += posting.cost
        job.paid += posting.cost
    }
  }
}

const anyClass = fc.constantFrom<Class>(1, 2, 3)
const anyJob = fc.nat(5)
const anyPosting: fc.Arbitrary<Posting> = fc.oneof(
  fc.record({
    type: fc.constant('opened' as const),
    job: anyJob,
    class: anyClass,
    work: fc.integer({ min: 1, max: 500 }),
    deposit: fc.nat(50),
  }),
  fc.record({
    type: fc.constant('steered' as const),
    coefficients: fc.tuple(fc.nat(5), fc.nat(5), fc.integer({ min: 1, max: 5 })),
  }),
  fc.record({
    type: fc.constantFrom('charge' as const, 'refund' as const, 'forfeit' as const, 'close' as const),
    job: anyJob,
  }),
  fc.record({ type: fc.constant('extend' as const), job: anyJob, cost: fc.nat(60) }),
)

const anyHistory = fc.record({
  income: fc.nat(20),
  savings: fc.nat(100),
  cap: fc.nat(200),
  rates: fc.constantFrom('weighted' as const, 'unweighted' as const),
  running: fc.boolean(),
  events: fc.array(fc.record({ minutes: fc.nat(30), posting: anyPosting }), { maxLength: 30 }),
})

test('an account agrees with a naive bank that settles every job at every step', () => {
  fc.assert(
    fc.property(anyHistory, ({ income, savings, cap, rates, running, events }) => {
      const sharing: Sharing = { rates, running }
      const naive = new Naive(income, savings, cap, sharing)
      let account: Account = open({ income, savings, cap, coefficients: [1, 1, 1] })
      let at = 0
      for (const { minutes, posting } of events) {
        at += minutes
        account = advance(units(at), account, sharing)
        naive.pass(minutes)
        if (posting.type === 'opened' && has(account.known, posting.job)) continue
        account = post(account, posting, sharing)[0]
        naive.post(posting)
        const totals = totalsOf(account, sharing)
        near(totals.savings, naive.savings, 'savings')
        near(totals.paid, naive.paid, 'paid')
        near(totals.forfeited, naive.forfeited, 'forfeited')
        near(totals.received, naive.received, 'received')
        for (const job of account.jobs) {
          near(
            balanceOf(account, job, sharing),
            naive.jobs.find((one) => one.job === job.job)?.balance ?? -1,
            'balance',
          )
        }
        const all = Math.min(savings, cap) + totals.received
        near(totals.savings + totals.expenses + totals.paid + totals.forfeited, all, 'all money')
      }
    }),
    { numRuns: 500 },
  )
})

test('a job pays once for its start, whatever it receives later', () => {
  const sharing: Sharing = { ...STANDARD_SHARING, running: true }
  const holder = { income: 3, savings: 10, cap: 10, coefficients: [1, 1, 1] as const }
  const [held] = post(open(holder), { type: 'opened', job: 0, class: 1, work: 4, deposit: 5 }, sharing)
  const [running, paid] = post(held, { type: 'charge', job: 0 }, sharing)
  const later = advance(units(2), running, sharing)
  assert.is(paid, 5)
  assert.equal(post(later, { type: 'charge', job: 0 }, sharing), [later, 5])
})

test('what a job receives is exact, however much an earlier small job of its user received', () => {
  const holder = { income: 1000, savings: 0, cap: 0, coefficients: [1, 1, 1] as const }
  const posted = (account: Account, posting: Posting) => post(account, posting, STANDARD_SHARING)[0]
  const opens = (job: number, work: number): Posting => ({ type: 'opened', job, class: 1, work, deposit: 0 })
  const rich = advance(units(1e6), posted(open(holder), opens(0, 1e-6)), STANDARD_SHARING)
  const fresh = posted(posted(rich, { type: 'close', job: 0 }), opens(1, 1e6))
  near(totalsOf(advance(units(1e6 + 1), fresh, STANDARD_SHARING), STANDARD_SHARING).expenses, 1000, 'the expenses')
})

test('the bank keeps an answer for as long as the scheduler may ask for it again', () => {
  const users = { u1: { income: 0, savings: 0, cap: 0, coefficients: [1, 1, 1] as const } }
  const kept = (sinces: readonly number[]) => {
    const entries = sinces.map((since, i): Entry => {
      const act = { type: 'forfeit', job: i, user: 'u1' } as const
      return { type: 'instructed', at: 0, instruct: { n: i + 1, since, act } }
    })
    return books.recover(entries, bankBookOf(users, STANDARD_SHARING)).answers.map(({ n }) => n)
  }
  assert.equal(kept([1, 1]), [1, 2])
  assert.equal(kept([1, 1, 2]), [2, 3])
  assert.equal(kept([1, 1, 2, 4]), [4])
})

test('the rates of a user with waiting jobs add up to his income (equations 4 and 5)', () => {
  const sharing: Sharing = { rates: 'weighted', running: false }
  let account: Account = open({ income: 90, savings: 0, cap: 100, coefficients: [0.5, 0.3, 0.2] })
  for (const [i, work] of [10, 20, 60].entries()) {
    const l = ([1, 2, 3] as const)[i] ?? 1
    account = post(account, { type: 'opened', job: i, class: l, work, deposit: 0 }, sharing)[0]
  }
  const rates = account.jobs.map(rateOf(account, sharing))
  for (const [i, rate] of [450 / 23, 540 / 23, 1080 / 23].entries()) near(rates[i] ?? -1, rate, `job ${i}`)
})

test('a set of ids holds the added numbers, and the earlier set does not change', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 10_000 }),
      (ids, one) => {
        const set = ids.reduce(including, NO_IDS)
        const before = has(set, one)
        assert.is(before, ids.includes(one))
        assert.is(has(including(set, one), one), true)
        assert.is(has(set, one), before)
      },
    ),
  )
})

test('an id that does not fit is refused with the limit', () => {
  throwsSaying(() => including(NO_IDS, MAX_ID + 1), `job ${MAX_ID + 1} is not from 0 to ${MAX_ID}`)
  throwsSaying(() => including(NO_IDS, 1.5), 'job 1.5')
})

test.run()
