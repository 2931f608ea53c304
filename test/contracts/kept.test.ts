/** The promises of a market of contracts: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Address, type Message, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { ContractsMarket } from '../../scenarios/contracts/model.ts'
import { promisesOf } from '../../scenarios/contracts/oracle/promises.ts'
import { brokenBy, type Told } from '../histories.ts'
import { SITE_TERMS } from './tasks.ts'

const test = suite('the promises of contracts')

const site = {
  ...SITE_TERMS,
  processors: 2,
} as const
const MARKET: ContractsMarket = {
  sites: [site, site],
  broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 0 },
  tasks: [
    { task: 1, arrival: units(2), runtime: units(10), worth: { shape: 'linear', value: 50, decay: 2, bound: null } },
  ],
  patience: units(8),
  claimCap: 0,
}

interface Setting {
  readonly options?: SystemInit
  readonly faults?: readonly string[]
  readonly outcome?: Partial<RunOutcome>
}

/** Promises about times and deaths are not asked where mail is lost. */
const LOSSY: Setting = { options: { network: { loss: 0.1 } } }

/** These short histories leave out the offers of sites and what a broker decides; decisions.test.ts has histories with them. */
const OF_DECISIONS = /^a (site|broker) decides/

/** The names of the promises that a history breaks. */
function broken(history: readonly Told[], { options, faults = [], outcome }: Setting = {}): string[] {
  const circumstances = {
    options: complete({ network: { latency: units(1) }, ...options }),
    faults: faults.map((fault) => parseFault(fault)),
  }
  const properties = promisesOf(MARKET, circumstances).filter(({ name }) => !OF_DECISIONS.test(name))
  const texts = brokenBy(properties, history, outcome)
  return texts.map((text) => text.slice(0, text.indexOf(':')))
}

const say = (at: number, who: Address, type: string, about: object = {}): Told => [
  at,
  who,
  { type, task: 1, ...about } as Message,
]
const began = (at: number, processor = 'processor@s1p1') => say(at, 'site@s1', 'began', { processor })
const runs = (at: number, type: string, who: Address = 'processor@s1p1') => say(at, who, type, { attempt: 1 })
const earned = (at: number, paid: number) => say(at, 'site@s1', 'earned', { paid })
const pays = (at: number, paid: number, of = 'site@s1') => say(at, 'client@c1', 'paid', { site: of, paid })
const received = (at: number) => say(at, 'site@s1', 'received')
const voided = (at: number, who: Address = 'site@s1') => say(at, who, 'voided')

const WHOLE = [
  began(1),
  runs(2, 'started'),
  runs(12, 'finished'),
  earned(13, 46),
  pays(14, 46),
  voided(14, 'site@s2'),
  received(15),
]

test('are kept by a task that is executed and paid, and whose other contract is void', () => {
  assert.equal(broken(WHOLE), [])
})

test('no task begins before it arrives, as long as no clock has jumped', () => {
  const early = [began(1), runs(1.5, 'started')]
  assert.equal(broken(early, LOSSY), ['no task begins before it arrives'])
  assert.equal(broken(early, { ...LOSSY, outcome: { clocksJumped: true } }), [])
})

test('a contract is settled once', () => {
  const name = 'a contract is settled once'
  assert.equal(broken([...WHOLE, voided(16)], LOSSY), [name, 'what a site receives is what its client has paid'])
  assert.equal(broken([...WHOLE, voided(16, 'site@s2')], LOSSY), [name])
})

test('what a site receives is what its client has paid', () => {
  const name = 'what a site receives is what its client has paid'
  assert.equal(broken([earned(13, 46), pays(14, 45), received(15)], LOSSY), [name])
  assert.equal(broken([earned(13, 46), received(15)], LOSSY), [name])
  assert.equal(broken([earned(13, 46), pays(14, 46), voided(15)], LOSSY), [name])
  assert.equal(broken([earned(13, 46), pays(14, 46, 'site@s2'), voided(15)], LOSSY), [])
  assert.equal(broken([earned(13, -4), pays(14, -4), received(15)], LOSSY), [], 'a penalty')
})

test('a processor runs only the tasks that its site began there', () => {
  assert.equal(broken([began(1), runs(2, 'started', 'processor@s1p2')], LOSSY), [
    'a processor runs only the tasks that its site began',
  ])
})

test('a processor runs one task at a time', () => {
  const other = say(2, 'processor@s1p1', 'started', { task: 2, attempt: 1 })
  const both = [began(1), say(1, 'site@s1', 'began', { task: 2, processor: 'processor@s1p1' }), runs(2, 'started')]
  assert.equal(broken([...both, other], LOSSY), ['a processor runs one task at a time'])
  assert.equal(broken([...both, runs(2, 'aborted'), other], LOSSY), [])
  assert.equal(broken([...both, [2, 'processor@s1p1', 'dies'], other], LOSSY), [])
})

test('a task runs on one processor at a time where all mail takes equally long', () => {
  const [first, second] = [began(1), began(1, 'processor@s1p2')]
  const moved = runs(3, 'started', 'processor@s1p2')
  const failed = say(3, 'site@s1', 'failed', { attempt: 1, processor: 'processor@s1p1' })
  const faults = ['kill processor@s1p1 at 4']
  const both = [first, second, runs(2, 'started')]
  assert.equal(broken([...both, moved], { faults }), ['a task runs on one processor at a time'])
  assert.equal(broken([...both, moved], LOSSY), [])
  assert.equal(broken([...both, runs(2, 'aborted'), moved], { faults }), [])
  assert.equal(broken([...both, failed, moved], { faults }), [])
  const late = [first, second, failed, runs(3, 'started'), moved]
  assert.equal(broken(late, { faults }), [], 'an attempt that was given up')
})

test('no processor begins or continues a task that is void', () => {
  const name = 'no processor begins or continues a task that is void'
  const faults = ['kill processor@s2p1 at 4']
  assert.equal(broken([began(1), voided(1), runs(2, 'started'), runs(2, 'aborted')], { faults }), [])
  assert.equal(broken([began(1), voided(1), runs(3, 'started'), runs(3, 'aborted')], { faults }), [name, name])
  assert.equal(broken([began(1), runs(2, 'started'), voided(4), runs(6, 'finished')], { faults }), [name])
  assert.equal(broken([began(1), runs(2, 'started'), voided(4)], { faults }), [name], 'it goes on')
  assert.equal(broken([began(1), runs(2, 'started'), voided(4), runs(6, 'finished')], LOSSY), [])
})

test('no living processor and no working site is taken for dead, unless a fault strikes it or mail is lost', () => {
  const failed = say(9, 'site@s1', 'failed', { attempt: 1, processor: 'processor@s1p1' })
  const lost = say(9, 'client@c1', 'lost', { site: 'site@s1' })
  const passed = say(9, 'broker@b', 'passed', { round: 1, site: 'site@s1' })
  for (const told of [failed, lost, passed]) {
    assert.equal(broken([told]), ['no living processor and no working site is taken for dead'])
    assert.equal(broken([told], LOSSY), [])
    assert.equal(broken([told], { faults: ['kill site@s2 at 3'] }).length, 1)
    for (const fault of ['kill site@s1 at 3', 'kill processor@s1p1 at 3', 'partition s1,s1p1 | b,c1 at 3 until 5'])
      assert.equal(broken([told], { faults: [fault] }), [], fault)
  }
})

test('a site declines an award only if it has reneged in that round', () => {
  const name = 'a site declines an award only if it has reneged in that round'
  const reneged = say(5, 'site@s1', 'reneged', { round: 1 })
  const declined = (round: number, of = 'site@s1') => say(7, 'broker@b', 'declined', { round, site: of })
  assert.equal(broken([reneged, declined(1)]), [])
  assert.equal(broken([reneged, declined(2)]), [name], 'a late copy')
  assert.equal(broken([reneged, declined(1, 'site@s2')]), [name])
  assert.equal(broken([declined(1)], LOSSY), [name])
})

test.run()
