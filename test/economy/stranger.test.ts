/** A user that the bank does not know. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EQUAL } from '../../actors/economy/coefficients.ts'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import type { UserInput } from '../../actors/economy/user.ts'
import { type Message, type Time, units } from '../../lib/actor.ts'
import { System } from '../../lib/system.ts'
import { BANK, type Economy, open, SCHEDULER } from '../../scenarios/economy/model.ts'
import { inOrder } from '../../scenarios/economy/workload/job.ts'

const USER = new URL('../../actors/economy/user.ts', import.meta.url)

const job = { class: 1, processors: 2, service: units(5), deposit: 0 } as const

const ECONOMY: Economy = {
  processors: 2,
  patience: null,
  durable: false,
  overrun: null,
  policy: policyOf('ECON'),
  market: { sharing: STANDARD_SHARING, statistics: null },
  users: { u1: { income: 1, savings: 0, cap: 100, coefficients: EQUAL, targets: null } },
  jobs: inOrder([
    { ...job, user: 'u1', arrival: 0 },
    { ...job, user: 'u1', arrival: units(1) },
  ]),
}

test('the job of a user that the bank does not know is refused, and no other job waits for it', async () => {
  const system = new System({ runtime: 'inline' })
  const said: { readonly who: string; readonly at: Time; readonly fact: Message }[] = []
  system.onFact((fact, { who, at }) => {
    if (['refused', 'ended', 'heard'].includes(fact.type)) said.push({ who, at, fact })
  })
  const jobs = [{ ...job, job: 7, work: job.service, arrival: units(2) }]
  const input: UserInput = {
    jobs,
    scheduler: SCHEDULER,
    bank: BANK,
    coefficients: EQUAL,
    targets: null,
    patience: null,
    durable: false,
  }
  try {
    await open(system, ECONOMY)
    await system.spawn('user@x', USER, input)
    const { ended } = await system.run()
    assert.is(ended, 'idle')
  } finally {
    await system.stop()
  }
  const ends = said.map(({ who, at, fact }) => [who, at, fact.type, fact['job'], fact['why'] ?? fact['reason']])
  assert.equal(ends, [
    [SCHEDULER, units(5), 'ended', 0, 'finished'],
    ['user@u1', units(5), 'heard', 0, 'finished'],
    [SCHEDULER, units(5), 'refused', 7, 'the bank knows no user x'],
    ['user@x', units(5), 'heard', 7, 'refused'],
    [SCHEDULER, units(10), 'ended', 1, 'finished'],
    ['user@u1', units(10), 'heard', 1, 'finished'],
  ])
})

test.run()
