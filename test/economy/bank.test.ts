/** What the bank answers and books; test actors play the scheduler and two users. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { BankInput } from '../../actors/economy/bank.ts'
import type { Act, Instruct, Quote, Submit, ToBank } from '../../actors/economy/messages.ts'
import { STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { type Plain, toUnits, units } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import { BANK, SCHEDULER } from '../../scenarios/economy/model.ts'
import { amongPuppets, does, factsOf, linesOf, mailOf, spawnPuppets, tellTo } from '../system/harness.ts'

const MODULE = new URL('../../actors/economy/bank.ts', import.meta.url)
const [USER, OTHER, STRANGER] = ['user@u1', 'user@u2', 'user@x'] as const

const submit = (job: number, more: Partial<Submit> = {}): Submit => {
  const request = { class: 1, processors: 2, service: units(5), work: units(5), deposit: 0 } as const
  return { type: 'submit', job, ...request, ...more }
}
const instruct = (n: number, act: Act, since = n): Instruct => ({ type: 'instruct', n, act, since })
const charge = (...jobs: readonly number[]): Act => ({ type: 'charge', jobs: jobs.map((job) => ({ job, user: 'u1' })) })
const close = (job: number, slowdown: number | null): Act => ({ type: 'close', job, user: 'u1', slowdown })
const quote = (...jobs: readonly (readonly [job: number, user: string])[]): Quote => {
  return { type: 'quote', pass: 'p', jobs: jobs.map(([job, user]) => ({ job, user })) }
}

/** The fields of the money of a user. */
const MONEY = ['received', 'savings', 'expenses', 'paid', 'forfeited']

/** Amounts without the error of their last digits. */
const rounded = (amounts: Plain | undefined) =>
  Array.isArray(amounts) ? amounts.map((one) => Number(Number(one).toFixed(9))) : []

const BROKE = { income: 0, savings: 0, cap: 100, coefficients: [1, 1, 2] } as const
/** Receives a dollar a minute, and has 20. */
const HOLDER = { income: 1, savings: 20, cap: 100, coefficients: [1, 1, 2] } as const

/** A bank with two users, and all that it says. Messages to it come one unit apart, the first at 0. */
async function banking(system: System, given: Partial<BankInput> = {}) {
  await spawnPuppets(system, SCHEDULER, USER, OTHER, STRANGER)
  const mail = mailOf(system, BANK)
  const persists = linesOf(system, 'persist')
  const facts = factsOf(system)
  await system.spawn(BANK, MODULE, {
    users: { u1: HOLDER, u2: BROKE },
    sharing: STANDARD_SHARING,
    scheduler: SCHEDULER,
    statistics: null,
    durable: true,
    ...given,
  } satisfies BankInput)
  const hears = async (from: string, ...told: readonly ToBank[]) => {
    for (const message of told) {
      await system.tell(from, does(tellTo(BANK, message)))
      await system.run({ until: system.now + units(1) })
    }
  }
  return {
    hears,
    /** What an actor was told, and what all users were told under `user@*`. */
    told: (to: string) => mail.filter((sent) => sent.to === to).map(({ message }) => message),
    /** The instants at which an actor was told something. */
    instants: (to: string) => mail.filter((sent) => sent.to === to).map(({ at }) => toUnits(at)),
    /** These fields of the bookings, in their order. */
    booked: (...fields: readonly string[]) =>
      facts.flatMap((fact) =>
        fact.who === BANK && fact['type'] === 'booked' ? [fields.map((field) => fact[field])] : [],
      ),
    records: () => persists.map(({ record }) => record),
  }
}

amongPuppets('an account is opened once, and the deposit is cut to the savings', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1, { deposit: 30 }), submit(1, { deposit: 30 }))
  await bank.hears(STRANGER, submit(2))
  assert.equal(bank.told(USER), [
    { type: 'opened', job: 1, deposit: 20 },
    { type: 'opened', job: 1, deposit: 0 },
  ])
  assert.equal(bank.told(STRANGER), [])
  assert.equal(bank.booked('type', 'user', 'what', 'job', 'amount'), [['booked', 'u1', 'opened', 1, 20]])
  assert.equal(bank.booked(...MONEY), [[0, 0, 20, 0, 0]])
  assert.is(bank.records().length, 1)
})

amongPuppets('new weights are booked as they were sent, and divide the income from then on', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1), submit(2, { class: 2 }), { type: 'steer', coefficients: [3, 1, 4] })
  await bank.hears(SCHEDULER, quote([1, 'u1'], [2, 'u1']))
  // job 1 has received the first dollar, half of the second and three quarters of the third
  assert.equal(
    bank.told(SCHEDULER).map(({ balances, rates }) => [rounded(balances), rates]),
    [
      [
        [2.25, 0.75],
        [0.75, 0.25],
      ],
    ],
  )
  assert.equal(bank.booked('what', 'job', 'amount', 'coefficients').slice(2), [['steered', 0, 0, [3, 1, 4]]])
})

amongPuppets('a quote has waiting jobs alone, and changes nothing', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1, { deposit: 4 }), submit(2))
  await bank.hears(SCHEDULER, instruct(1, charge(1)), quote([1, 'u1'], [2, 'u1']))
  // job 2 has received half a dollar before the start of job 1, and a dollar after it
  assert.equal(bank.told(SCHEDULER).at(-1), { type: 'quoted', pass: 'p', balances: [null, 1.5], rates: [0, 1] })
  assert.is(bank.records().length, 3)
})

amongPuppets('the scheduler hears of the accounts that a quote did not find, each once', async (system) => {
  const bank = await banking(system)
  const asked = quote([1, 'u1'], [2, 'u1'], [3, 'x'])
  await bank.hears(SCHEDULER, asked, asked)
  const unknown = { type: 'quoted', pass: 'p', balances: [null, null, null], rates: [0, 0, 0], strangers: [3] }
  assert.equal(bank.told(SCHEDULER), [unknown, unknown])
  assert.equal(bank.records(), [{ type: 'missed', at: 0, jobs: [1, 2, 3] }])
  await bank.hears(USER, submit(1), submit(4), submit(2), submit(1))
  const funded = (job: number) => ({ type: 'funded', job })
  assert.equal(bank.told(SCHEDULER).slice(2), [funded(1), funded(2)])
  assert.is(bank.told(USER).length, 4)
})

amongPuppets('a job without an account whose user is known is not the job of a stranger', async (system) => {
  const bank = await banking(system)
  await bank.hears(SCHEDULER, quote([1, 'u1']))
  assert.equal(bank.told(SCHEDULER), [{ type: 'quoted', pass: 'p', balances: [null], rates: [0] }])
})

amongPuppets('each instruction is carried out once and in order, and its answer is repeated', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1, { deposit: 8 }))
  const refund: Act = { type: 'refund', job: 1, user: 'u1' }
  const forfeit: Act = { type: 'forfeit', job: 1, user: 'u1' }
  await bank.hears(SCHEDULER, instruct(2, refund), instruct(1, charge(1)), instruct(2, refund, 1))
  await bank.hears(SCHEDULER, instruct(1, charge(1)), instruct(2, refund, 1), instruct(3, forfeit, 3))
  await bank.hears(SCHEDULER, instruct(1, charge(1)), instruct(3, forfeit, 3))
  const carried = (n: number, ...amounts: readonly number[]) => ({ type: 'carried', n, amounts })
  // nothing is received while the job runs, a dollar a minute before and after
  const answers = [carried(1, 10), carried(2, 10)]
  assert.equal(bank.told(SCHEDULER), [...answers, ...answers, carried(3, 13), carried(3, 13)])
  assert.equal(bank.booked('what', 'amount', ...MONEY), [
    ['opened', 8, 0, 12, 8, 0, 0],
    ['charge', 10, 2, 12, 0, 10, 0],
    ['refund', 10, 3, 13, 10, 0, 0],
    ['forfeit', 13, 6, 13, 0, 0, 13],
  ])
  assert.is(bank.records().length, 4)
})

amongPuppets('extra time is paid from the savings, or declined', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1, { deposit: 8 }))
  const extend = (cost: number, user = 'u1'): Act => ({ type: 'extend', job: 1, user, cost })
  await bank.hears(SCHEDULER, instruct(1, charge(1)), instruct(2, extend(5)), instruct(3, extend(50)))
  await bank.hears(SCHEDULER, instruct(4, { type: 'refund', job: 1, user: 'u1' }), instruct(5, extend(1, 'x')))
  assert.equal(
    bank.told(SCHEDULER).map(({ amounts }) => amounts),
    [[9], [5], [null], [14], [null]],
  )
  assert.equal(bank.booked('what', 'amount', 'savings'), [
    ['opened', 8, 12],
    ['charge', 9, 12],
    ['extend', 5, 8],
    ['declined', 0, 9],
    ['refund', 14, 10],
  ])
})

amongPuppets('jobs of one user that start together pay their balances', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1, { deposit: 8 }), submit(2, { deposit: 4 }))
  await bank.hears(SCHEDULER, instruct(1, charge(1, 2)))
  assert.equal(bank.told(SCHEDULER), [{ type: 'carried', n: 1, amounts: [9.5, 4.5] }])
  assert.equal(bank.booked('what', 'paid').slice(2), [
    ['charge', 9.5],
    ['charge', 14],
  ])
})

amongPuppets('a later incarnation knows what was booked, and repeats the answers', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1, { deposit: 8 }))
  await bank.hears(SCHEDULER, instruct(1, charge(1)))
  await system.restart(BANK)
  await bank.hears(SCHEDULER, instruct(1, charge(1)))
  await bank.hears(USER, submit(1))
  assert.equal(
    bank.told(SCHEDULER),
    [1, 2].map(() => ({ type: 'carried', n: 1, amounts: [9] })),
  )
  assert.equal(bank.told(USER).at(-1), { type: 'opened', job: 1, deposit: 0 })
})

/** Statistics every ten minutes. Jobs 1 to 3, of different classes, are over at 6, and more may be open. */
async function reporting(system: System, until: number, more: readonly Submit[] = [], ...acts: readonly Act[]) {
  const bank = await banking(system, { statistics: { every: units(10), until: units(until) } })
  for (const l of [1, 2, 3] as const) {
    await bank.hears(USER, submit(l, { class: l }))
    await bank.hears(SCHEDULER, instruct(l, close(l, 2 * l)))
  }
  await bank.hears(USER, ...more)
  for (const [i, act] of acts.entries()) await bank.hears(SCHEDULER, instruct(4 + i, act))
  await system.run()
  return bank
}

amongPuppets('statistics go to all users until the given time, if no job is open then', async (system) => {
  const bank = await reporting(system, 20)
  assert.equal(bank.told(OTHER)[0], { type: 'statistics', slowdowns: [2, 4, 6] })
  assert.equal(bank.instants(OTHER), [10, 20])
})

amongPuppets('there are no statistics before each class has a job that was not stopped', async (system) => {
  const bank = await banking(system, { statistics: { every: units(10), until: units(10) } })
  for (const l of [1, 2, 3] as const) {
    await bank.hears(USER, submit(l, { class: l }))
    await bank.hears(SCHEDULER, instruct(l, close(l, l === 2 ? null : 1)))
  }
  await system.run()
  assert.equal(bank.told(OTHER), [])
})

amongPuppets(
  'a job that was stopped does not count in the statistics, and the others by their mean',
  async (system) => {
    const classes = [submit(4, { class: 2 }), submit(5, { class: 2 })]
    const bank = await reporting(system, 10, classes, close(4, null), close(5, 10))
    assert.equal(bank.told(OTHER).at(-1), { type: 'statistics', slowdowns: [2, 7, 6] })
  },
)

amongPuppets('statistics end with the first report that tells nothing new of waiting jobs', async (system) => {
  const bank = await reporting(system, 10, [submit(4)])
  assert.equal(bank.instants(OTHER), [10, 20])
})

amongPuppets('statistics go on for as long as a running job may need', async (system) => {
  // it starts at 7, and its declared work is ten processor-minutes: it may end until 20
  const bank = await reporting(system, 10, [submit(4)], charge(4))
  assert.equal(bank.instants(OTHER), [10, 20, 30])
})

amongPuppets('a bank without statistics reports nothing', async (system) => {
  const bank = await banking(system)
  await bank.hears(USER, submit(1))
  await system.run()
  assert.equal(bank.told(OTHER), [])
})

test.run()
