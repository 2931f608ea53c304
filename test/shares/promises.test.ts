/** The promises of barriers and placers: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Arrive, Parallel } from '../../actors/processor/jobs.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import type { Enlist } from '../../actors/shares/placer/messages.ts'
import { type Address, type Message, type Ref, ref, units } from '../../lib/actor.ts'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { complete } from '../../lib/system/options.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { runs, type Said } from '../../scenarios/shares/model.ts'
import { barriersOf, membersOf, roundAfterRound } from '../../scenarios/shares/oracle/barriers.ts'
import { BaseValues } from '../../scenarios/shares/oracle/base-values.ts'
import { placementsOf } from '../../scenarios/shares/oracle/placements.ts'
import { solvencyOf } from '../../scenarios/shares/oracle/solvency.ts'
import { brokenBy, type Told } from '../histories.ts'

const test = suite('the promises of barriers and placers')

// --- a parallel job with a process on each of three machines ----------------------------------------------------------

const MACHINES = ['m1', 'm2', 'm3']

const BARRIER: Ref<Arrive | Enlist> = ref('barrier@p')

const program = (rank: number): Parallel => ({
  kind: 'parallel',
  barrier: BARRIER,
  rank,
  granularity: units(10),
  imbalance: 0,
  spin: null,
})
const PARALLEL = MACHINES.map((machine, rank) => runs('p', machine, { currency: 'base', program: program(rank) }))

const arrive = (at: number, rank: number, round: number, job = 'p'): Told => [
  at,
  `processor@m${rank + 1}`,
  { type: 'arrived', job, rank, round },
]
const all = (at: number, round: number): Told[] => MACHINES.map((_, rank) => arrive(at, rank, round))

const atBarrier = (history: readonly Told[], outcome: Parameters<typeof brokenBy>[2] = {}, orders = PARALLEL) =>
  brokenBy(barriersOf({ orders }), history, { isIdle: false, ...outcome })

test('processes meet in every round', () => {
  assert.equal(atBarrier([...all(1, 1), ...all(2, 2), ...all(3, 3)]), [])
  assert.equal(atBarrier([...all(1, 1), arrive(2, 0, 2), arrive(2, 2, 2), arrive(3, 0, 3)]), [
    'the processes of a parallel job meet in every round: p.0 passes round 2 at 3, before p.1',
  ])
  assert.equal(atBarrier([...all(1, 1), arrive(2, 0, 2), arrive(3, 0, 3, 'another')]), [])
})

test('and all go on from each, for ever', () => {
  const stopped = [...all(1, 1), arrive(2, 0, 2), arrive(2, 1, 2)]
  assert.equal(atBarrier(stopped), [])
  assert.equal(atBarrier(stopped, { isIdle: true }), [
    'the processes of a parallel job meet in every round: round 1 has all members, and p.2 did not pass',
  ])
  assert.equal(atBarrier(stopped, { isIdle: true, lost: 1 }), [])
})

test('until the job is given up, a processor dies, or a user stops it', () => {
  const late = [...all(1, 1), arrive(2, 0, 2), arrive(3, 0, 3)]
  assert.is(atBarrier(late).length, 1)
  const given: Told = [1, 'barrier@p', { type: 'aborted', job: 'p', round: 1, lost: [] }]
  const ends: Told[] = [given, [1, 'processor@m2', 'dies']]
  for (const end of ends) assert.equal(atBarrier([end, ...late], { isIdle: true }), [], String(end[1]))
  assert.is(atBarrier([[1, 'user@m1', 'dies'], ...late]).length, 1)
  const suspends: Said = { at: 0, user: 'user@m1', to: 'processor@m1', message: { type: 'suspend', job: 'p' } }
  assert.equal(atBarrier(late, {}, [...PARALLEL, suspends]), [])
})

test('a barrier that has died releases no process, and a later one releases none too early', () => {
  const died: Told = [1, 'barrier@p', 'dies']
  assert.equal(atBarrier([died, ...all(1, 1), arrive(2, 0, 2)], { isIdle: true }), [])
  assert.equal(atBarrier([died, ...all(1, 1), arrive(2, 0, 2), arrive(3, 0, 3)]), [
    'the processes of a parallel job meet in every round: p.0 passes round 2 at 3, before p.1, p.2',
  ])
})

test('a job is given up only if a member is gone, unless a fault strikes it or mail is held back', () => {
  const given: Told = [9, 'barrier@p', { type: 'aborted', job: 'p', round: 2, lost: ['processor@m2'] }]
  const joined: Told = [1, 'processor@m2', { type: 'joined', job: 'p' }]
  const left = (why: string): Told => [2, 'processor@m2', { type: 'left', job: 'p', why }]
  const atMembers = (history: readonly Told[], faults: readonly string[] = [], options: SystemInit = {}) =>
    brokenBy(membersOf({ options: complete(options), faults: faults.map((one) => parseFault(one)) }), history)
  for (const history of [
    [joined, given],
    [joined, left('asleep'), given],
  ])
    assert.equal(atMembers(history), [
      'no living member of a parallel job is taken for dead: p is given up at 9, and processor@m2 has it',
    ])
  for (const history of [[given], [joined, left('withdrawn'), given], [joined, left('done'), given]])
    assert.equal(atMembers(history), [])
  for (const fault of ['kill processor@m2 at 3', 'pause barrier@p for 5 at 3', 'partition p | m2 at 3 until 5'])
    assert.equal(atMembers([joined, given], [fault]), [], fault)
  assert.is(atMembers([joined, given], ['kill processor@m1 at 3']).length, 1)
  assert.equal(atMembers([joined, given], [], { network: { loss: 0.1 } }), [])
})

test('a placer spreads a parallel job over as many machines as it has processes', () => {
  const { granularity, imbalance, spin } = program(0)
  const place: Said = {
    at: 0,
    user: 'user@u',
    to: 'placer@p',
    message: {
      type: 'place',
      job: 'p',
      currency: 'base',
      amount: 1,
      program: { kind: 'parallel', barrier: BARRIER, granularity, imbalance, spin, size: 3 },
    },
  }
  assert.is(atBarrier([arrive(1, 0, 1), arrive(2, 0, 2)], {}, [place]).length, 1)
})

test('a barrier opens round after round, from the first on, until it dies', () => {
  const opened = (at: number, round: number): Told => [at, 'barrier@p', { type: 'opened', job: 'p', round }]
  const broken = (...history: readonly Told[]) => brokenBy([roundAfterRound], history)
  const name = 'a barrier opens round after round'
  assert.equal(broken(opened(1, 1), opened(2, 2), [2, 'barrier@q', { type: 'opened', job: 'q', round: 1 }]), [])
  assert.equal(broken(opened(1, 2)), [`${name}: barrier@p has 2, not 1, at 1`])
  assert.equal(broken(opened(1, 1), opened(2, 3)), [`${name}: barrier@p has 3 after 1, at 2`])
  assert.equal(broken(opened(1, 1), opened(2, 1)), [`${name}: barrier@p has 1 after 1, at 2`])
  assert.equal(broken(opened(1, 1), [2, 'barrier@p', 'dies'], opened(3, 5)), [])
})

// --- a job that a placer runs -----------------------------------------------------------------------------------------

const asked = (job: string): Said => ({
  at: 0,
  user: 'user@u',
  to: 'placer@p',
  message: { type: 'place', job, currency: 'base', amount: 1, program: { kind: 'compute', work: null } },
})
const atPlacer = (history: readonly Told[], outcome: Parameters<typeof brokenBy>[2] = {}, orders = [asked('a')]) =>
  brokenBy(placementsOf({ orders }), history, outcome)

const job = (at: number, who: Address, type: string, more: object = {}): Told => [
  at,
  who,
  { type, job: 'a', ...more } as Message,
]
const joined = (n: number) => job(2, `processor@m${n}`, 'joined')
const left = (n: number, why: string) => job(4, `processor@m${n}`, 'left', { why })
const placed = (n: number) => job(3, 'user@u', 'placed', { processors: [`processor@m${n}`] })

test('a request to a placer is answered', () => {
  assert.equal(atPlacer([joined(1), placed(1)]), [])
  assert.equal(atPlacer([]), ['a request is answered: nothing was heard of a'])
  assert.equal(atPlacer([], { isIdle: false }), [])
  assert.equal(atPlacer([], { lost: 1 }), [])
  const restarted = { dead: new Set<Address>() }
  assert.equal(atPlacer([[1, 'placer@p', 'dies']], restarted), [], 'it may have died with its placer')
  assert.is(atPlacer([[1, 'placer@p', 'dies'], joined(1)], restarted).length, 1)
  assert.equal(atPlacer([[1, 'placer@p', 'dies'], joined(1)]), [])
  assert.equal(atPlacer([], {}, [asked('a'), asked('a')]), [], 'two users may ask for one name')
})

test('jobs are where their users were told', () => {
  const name = 'jobs are where their users were told'
  assert.equal(atPlacer([joined(1), placed(2)]), [`${name}: a is on m1; told: placed m2`])
  assert.equal(atPlacer([joined(1), joined(2), placed(2)]), [`${name}: a is on m1 and m2; told: placed m2`])
  assert.equal(atPlacer([joined(1), placed(1), left(1, 'asleep')]), [])
  assert.equal(atPlacer([joined(1), placed(1), left(1, 'done')]), [`${name}: a is on no machine; told: placed m1`])
  assert.equal(atPlacer([joined(1), placed(1), left(1, 'done'), job(5, 'user@u', 'exited')]), [])
  assert.equal(atPlacer([joined(1), job(3, 'user@u', 'missing')]), [`${name}: a is on m1; told: missing `])
  const found = job(4, 'user@u', 'found', { processor: 'processor@m1' })
  assert.equal(atPlacer([joined(1), job(3, 'user@u', 'missing'), found]), [])
  assert.equal(atPlacer([joined(1), placed(2), [5, 'processor@m1', 'dies']]), [])
})

// --- jobs of a currency that another one backs ------------------------------------------------------------------------

test('a job has tickets as long as its currency is worth something', () => {
  const sharing = { ...STANDARD, tick: { every: units(100), patience: units(10) } }
  const order = (message: Said['message']): Said => ({ at: 0, user: 'user@u', to: 'ticket-server@m1', message })
  const issue = (ticket: string, currency: string, holder: string) =>
    order({ type: 'issue', ticket, currency, amount: 1, holder })
  const orders = [issue('t1', 'A', 'P'), runs('a', 'm1', { currency: 'P' })]
  const left = (why: string): Told => [9, 'processor@m1', { type: 'left', job: 'a', why }]
  const atServers = (cluster: Parameters<typeof solvencyOf>[0], why = 'insolvent') =>
    brokenBy(solvencyOf(cluster), [left(why)])
  assert.equal(atServers({ sharing, orders }), [
    'a job has tickets as long as its currency is worth something: a has none on processor@m1 at 9',
  ])
  assert.equal(atServers({ sharing, orders }, 'asleep'), [])
  assert.equal(atServers({ sharing: { ...sharing, tick: null }, orders }), [])
  assert.equal(atServers({ sharing, orders: [...orders, issue('t2', 'P', 'A')] }), [], 'one of the tickets is void')
  assert.equal(atServers({ sharing, orders: [...orders, order({ type: 'fund', job: 'a', amount: 1 })] }), [])
})

test('a cluster whose currencies back each other promises all that is promised of servers and barriers', async () => {
  const { flags, specification } = scenarioNamed('shares/cluster')
  const { options, judge } = specification(collect(flags, '--jobs A@m1,P@m1 --currency P=A:1'.split(' ')).given)
  const system = new System({ ...options, runtime: 'inline' })
  const names = judge?.(system)
    .promises?.()
    .map(({ name }) => name)
  await system.stop()
  assert.ok(names?.includes('a job has tickets as long as its currency is worth something'), names?.join())
  assert.ok(names?.includes('a barrier opens round after round'), names?.join())
})

test('the jobs of machines that died in time do not count in the base values of the others', () => {
  const sharing = { ...STANDARD, funding: { A: 100 }, tick: { every: units(100), patience: 0 } }
  const orders = ['m1', 'm2'].map((machine) => runs(`A-${machine}`, machine, { currency: 'A' }))
  const cluster = { machines: 2, sharing, orders, until: units(1200) }
  /** The violations if the job on m2 has some tickets at each tick, and some actors die at an instant. */
  const brokenWith = (tickets: number, at: number, ...dead: readonly Address[]) => {
    const values = new BaseValues(cluster, { options: complete({}), faults: [] })
    for (let n = 1; n < 12; n++) {
      values.ticked(
        { type: 'ticked', informed: true, tickets: { 'A-m2': tickets }, issued: {}, backing: [] },
        'm2',
        units(100 * n),
      )
    }
    for (const who of dead) values.died(who, units(at))
    const outcome = { isIdle: false, isSettled: false, dead: new Set(dead), lost: 0, clocksJumped: false }
    return values.violations(outcome).map(({ text }) => text)
  }
  const machine: readonly Address[] = ['processor@m1', 'ticket-server@m1', 'user@m1']
  assert.equal(brokenWith(100, 50, ...machine), [])
  assert.equal(brokenWith(50, 50, ...machine), ['A-m2 has 50, not 100'])
  assert.equal(brokenWith(50, 50, 'processor@m1'), ['A-m2 has 50, not 100'])
  assert.equal(brokenWith(50, 1100, ...machine), [], 'too late')
  assert.equal(brokenWith(50, 50, ...machine, 'ticket-server@m2'), [], 'a living machine has lost its server')
})

/** Searches some schedules of a cluster that ends at an instant, from run `from` until run `until`. */
async function searched(strategyName: string, seed: number, from: number, until: number) {
  const scenario = scenarioNamed('shares/cluster')
  const flags = `--machines 2 --period 100 --until 1000 --latency 1 --jobs A@m1,m2,P@m1 --currency P=A:1 --seed ${seed}`
  const given = scenario.prepared(collect(scenario.flags, flags.split(' ')).given)
  const specification = scenario.specification(given)
  const strategy = strategyOf(strategyName, '--strategy')
  const search = { specification, strategy, seed, allowed: [], from, until, isEnough: () => false }
  return explore(search, await baselineOf(specification))
}

test('a job that is refused, since the tickets of its currency came late, need not have a base value', async () => {
  assert.equal((await searched('random', 7, 0, 3)).failures, [])
})

test('a search holds back nothing that the end of a cluster depends on', async () => {
  // run 16 held a share back until the last table was made
  assert.equal((await searched('pct:3', 1, 14, 18)).failures, [])
})

test.run()
