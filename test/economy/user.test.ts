/** What a user tells the scheduler and the bank in the life of a job; test actors play these two. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EQUAL } from '../../actors/economy/coefficients.ts'
import type { ToUser } from '../../actors/economy/messages.ts'
import type { UserInput } from '../../actors/economy/user.ts'
import { toUnits, units } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import { BANK, SCHEDULER } from '../../scenarios/economy/model.ts'
import { amongPuppets, does, factsOf, linesOf, mailOf, spawnPuppets, tellTo } from '../system/harness.ts'

const MODULE = new URL('../../actors/economy/user.ts', import.meta.url)
const USER = 'user@u1'

const REQUEST = { class: 2, processors: 3, service: units(5), work: units(6), deposit: 7 } as const
const jobOf = (job: number, arrival: number) => ({ ...REQUEST, job, arrival: units(arrival) })

const opened = (job: number): ToUser => ({ type: 'opened', job, deposit: 0 })
const ended = (job: number): ToUser => ({ type: 'ended', job, why: 'finished' })
const statistics: ToUser = { type: 'statistics', slowdowns: [1, 1, 2] }

/** A user with one job at 0 and one at 2, and all that it says. Messages to it come one unit apart. */
async function submitting(system: System, given: Partial<UserInput> = {}) {
  await spawnPuppets(system, SCHEDULER, BANK)
  const mail = mailOf(system, USER)
  const persists = linesOf(system, 'persist')
  const facts = factsOf(system)
  await system.spawn(USER, MODULE, {
    jobs: [jobOf(0, 0), jobOf(1, 2)],
    scheduler: SCHEDULER,
    bank: BANK,
    coefficients: EQUAL,
    targets: [1, 1, 1],
    patience: null,
    durable: true,
    ...given,
  } satisfies UserInput)
  const until = (minute: number) => system.run({ until: units(minute) })
  await until(1)
  const messages = (to: string) =>
    mail.flatMap((sent) => (sent.to === to ? [{ at: toUnits(sent.at), message: sent.message }] : []))
  return {
    until,
    hears: async (from: string, ...told: readonly ToUser[]) => {
      for (const message of told) {
        await system.tell(from, does(tellTo(USER, message)))
        await system.run({ until: system.now + units(1) })
      }
    },
    messages,
    /** The instants and jobs of the submissions to an actor. */
    submissions: (to: string) =>
      messages(to).flatMap(({ at, message: { type, job } }) => (type === 'submit' ? [`${at}: ${job}`] : [])),
    /** The weights that the bank was told. */
    steers: () =>
      messages(BANK).flatMap(({ message: { type, coefficients } }) => (type === 'steer' ? [coefficients] : [])),
    facts: () => facts.flatMap(({ who, type, job, why }) => (who === USER ? [[type, job, ...(why ? [why] : [])]] : [])),
    records: () => persists.map(({ record }) => record),
  }
}

amongPuppets(
  'a job is submitted at its arrival, once to each, without a pause if there is no patience',
  async (system) => {
    const user = await submitting(system)
    await system.run()
    for (const to of [SCHEDULER, BANK]) {
      assert.equal(user.messages(to), [
        { at: 0, message: { ...REQUEST, type: 'submit', job: 0 } },
        { at: 2, message: { ...REQUEST, type: 'submit', job: 1 } },
      ])
    }
    assert.equal(user.facts(), [
      ['submitted', 0],
      ['submitted', 1],
    ])
    assert.is(system.now, units(2))
  },
)

amongPuppets('an end is recorded and told once, and stops the submissions of its job alone', async (system) => {
  const user = await submitting(system, { patience: units(4) })
  await user.hears(SCHEDULER, ended(0), ended(0), { type: 'refused', job: 9, reason: 'unknown' })
  await user.until(7)
  assert.equal(user.submissions(SCHEDULER), ['0: 0', '2: 1', '6: 1'])
  await user.hears(SCHEDULER, { type: 'refused', job: 1, reason: 'too large' })
  assert.is((await system.run()).ended, 'idle')
  assert.is(system.now, units(8))
  assert.equal(user.records(), [
    { type: 'ended', job: 0 },
    { type: 'ended', job: 1 },
  ])
  assert.equal(user.facts(), [
    ['submitted', 0],
    ['heard', 0, 'finished'],
    ['submitted', 1],
    ['heard', 1, 'refused'],
  ])
})

amongPuppets('the pauses between submissions double, and a funded job goes to the scheduler alone', async (system) => {
  const user = await submitting(system, { jobs: [jobOf(0, 0)], patience: units(4) })
  await user.until(13)
  await user.hears(BANK, opened(0))
  await user.until(30)
  assert.equal(user.submissions(SCHEDULER), ['0: 0', '4: 0', '12: 0', '28: 0'])
  assert.equal(user.submissions(BANK), ['0: 0', '4: 0', '12: 0'])
})

amongPuppets(
  'a scheduler or a bank that is back gets the open jobs again, after which the pauses begin again',
  async (system) => {
    const user = await submitting(system, { patience: units(4) })
    await user.hears(BANK, opened(0))
    await user.hears(SCHEDULER, ended(0))
    await user.hears(BANK, opened(1))
    await user.until(7)
    await system.restart(SCHEDULER)
    await user.until(12)
    assert.equal(user.submissions(SCHEDULER), ['0: 0', '2: 1', '6: 1', '7: 1', '11: 1'])
    assert.equal(user.submissions(BANK), ['0: 0', '2: 1'])
    await system.restart(BANK)
    await user.until(17)
    assert.equal(user.submissions(SCHEDULER).slice(5), ['12: 1', '16: 1'])
    assert.equal(user.submissions(BANK).slice(2), ['12: 1', '16: 1'])
    await spawnPuppets(system, 'user@u2')
    await user.until(18)
    assert.is(user.submissions(SCHEDULER).length, 7)
  },
)

amongPuppets('a job that is not funded goes to both again when either is back', async (system) => {
  const user = await submitting(system, { jobs: [jobOf(0, 0)] })
  await system.restart(SCHEDULER)
  await user.until(2)
  assert.equal(user.submissions(SCHEDULER), ['0: 0', '1: 0'])
  assert.equal(user.submissions(BANK), ['0: 0', '1: 0'])
})

amongPuppets('statistics steer the weights from those before, with one record each', async (system) => {
  const user = await submitting(system)
  await user.hears(BANK, statistics, statistics)
  const steered = [
    [1 / 4, 1 / 4, 1 / 2],
    [1 / 6, 1 / 6, 2 / 3],
  ]
  assert.equal(user.steers(), steered)
  assert.equal(
    user.records(),
    steered.map((coefficients) => ({ type: 'steered', coefficients })),
  )
})

for (const [title, given] of [
  ['targets', { targets: null }],
  ['a bank', { bank: null }],
] as const) {
  amongPuppets(`a user without ${title} steers nothing`, async (system) => {
    const user = await submitting(system, given)
    await user.hears(BANK, statistics)
    assert.equal(user.records(), [])
    assert.equal(user.steers(), [])
    assert.equal(user.submissions(SCHEDULER), ['0: 0', '2: 1'])
  })
}

amongPuppets('a later incarnation submits the open jobs, and steers from the last weights', async (system) => {
  const user = await submitting(system, { jobs: [0, 1, 2].map((job) => jobOf(job, 0)) })
  await user.hears(SCHEDULER, ended(0), ended(2))
  await user.hears(BANK, statistics)
  await system.restart(USER)
  await user.hears(BANK, statistics)
  assert.equal(user.submissions(SCHEDULER), ['0: 0', '0: 1', '0: 2', '4: 1'])
  assert.equal(user.steers().at(-1), [1 / 6, 1 / 6, 2 / 3])
})

amongPuppets('a user that is not durable records nothing', async (system) => {
  const user = await submitting(system, { durable: false })
  await user.hears(SCHEDULER, ended(0))
  await user.hears(BANK, statistics)
  assert.equal(user.records(), [])
})

test.run()
