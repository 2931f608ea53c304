/** The promises of a mesh that its facts can break: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Address, type Message, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import { promisesOf } from '../../scenarios/mesh/oracle/promises.ts'
import { brokenBy, type Told } from '../histories.ts'

const test = suite('the promises of a mesh')

interface Setting {
  readonly hasUser?: boolean
  readonly options?: SystemInit
  readonly faults?: readonly string[]
}

/** The names of the promises that a history breaks. */
function broken(history: readonly Told[], { hasUser = true, options, faults = [] }: Setting = {}): string[] {
  const circumstances = {
    options: complete({ network: { latency: units(1) }, ...options }),
    faults: faults.map((fault) => parseFault(fault)),
  }
  const texts = brokenBy(promisesOf(hasUser, circumstances), history)
  return texts.map((text) => text.slice(0, text.indexOf(':')))
}

const say = (at: number, who: Address, type: string, attempt = 1): Told => [
  at,
  who,
  { type, job: 1, attempt } as Message,
]
const user = (at: number, type: string, attempt = 1) => say(at, 'user@u', type, attempt)
const leader = (at: number, type: string, attempt = 1, n = 1) => say(at, `job@j${n}`, type, attempt)

const FIRST = [user(0, 'handed'), leader(1, 'began'), leader(5, 'failed'), user(6, 'failed')]
const WHOLE = [...FIRST, user(6, 'handed', 2), leader(7, 'began', 2, 2), leader(9, 'ended', 2, 2), user(10, 'over', 2)]

test('are kept by a job that fails and is handed over again', () => {
  assert.equal(broken(WHOLE), [])
})

test('a job that is handed over again has the next attempt, until the user is restarted', () => {
  const name = 'a job that is handed over again has the next attempt'
  assert.equal(broken([...FIRST, user(6, 'handed', 3)]), [name])
  assert.equal(broken([...FIRST, user(6, 'handed', 1)]), [name])
  assert.equal(broken([...FIRST, [6, 'user@u', 'dies'], user(6, 'handed', 1)]), [])
})

test('a user hears of the end of an attempt once', () => {
  assert.equal(broken([...WHOLE, user(11, 'over', 2)]), ['a user hears of the end of an attempt once'])
  assert.equal(broken([...WHOLE, user(11, 'over', 1)]), ['a user hears of the end of an attempt once'])
})

test('an attempt at a job has one leader, and no leader begins what was not handed over', () => {
  assert.equal(broken([user(0, 'handed'), leader(1, 'began'), leader(1, 'began', 1, 2)]), [
    'an attempt at a job has one leader',
  ])
  assert.equal(broken([user(0, 'handed'), leader(1, 'began'), [2, 'job@j1', 'dies'], leader(3, 'began', 1, 2)]), [])
  assert.equal(broken([leader(1, 'began')]), ['a leader begins only what was handed over'])
  assert.equal(broken([leader(1, 'began')], { hasUser: false }), [], 'a script makes the jobs')
})

test('no living leader is taken for dead, unless a fault strikes it or mail is lost', () => {
  const gaveUp: Told = [9, 'allocator@a', { type: 'gave-up', leader: 'job@j1' }]
  assert.equal(broken([gaveUp]), ['no living leader is taken for dead'])
  assert.equal(broken([[8, 'job@j1', 'dies'], gaveUp], { faults: ['kill job@j1 at 8'] }), [])
  assert.equal(broken([gaveUp], { faults: ['kill job@j2 at 8'] }).length, 1)
  assert.equal(broken([gaveUp], { options: { network: { loss: 0.1 } } }), [])
  for (const fault of ['kill job@j1 at 3', 'restart allocator@a at 3', 'pause user@u for 9 at 3'])
    assert.equal(broken([gaveUp], { faults: [fault] }), [], fault)
})

test('in a run without faults an attempt fails only if its leader says so', () => {
  const silent = [user(0, 'handed'), leader(1, 'began'), user(6, 'failed')]
  assert.equal(broken(silent), ['an attempt fails only if its leader says so'])
  assert.equal(broken(silent, { faults: ['kill job@j1 at 3'] }), [])
  assert.equal(broken(silent, { options: { network: { loss: 0.1 } } }), [])
})

test.run()
