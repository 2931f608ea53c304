import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { execute } from '../../lib/explore/execution.ts'
import { type OrderedPair, recordingPairs } from '../../lib/explore/schedulers.ts'
import { fifo } from '../../lib/explore/strategies/fifo.ts'
import { pos } from '../../lib/explore/strategies/pos.ts'
import { random } from '../../lib/explore/strategies/random.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { bounded } from '../../lib/scenario/specification.ts'
import { exploreFlags } from '../../scenarios/lab/explore/flags.ts'
import { racesFlags } from '../../scenarios/lab/races/flags.ts'
import { SCENARIOS, scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { subjectFlags } from '../../scenarios/lab/subject.ts'
import { repeats } from '../repeats.ts'
import { throwsSaying } from '../throws.ts'
import { EXAMPLES, specificationOf } from './examples.ts'

const test = suite('a specification')

const plain = fifo({ seed: 1, run: 0, decisions: 0 })

const MARKET = EXAMPLES['bidding/market']
const CLUSTER = EXAMPLES['shares/cluster']
const ECONOMY = EXAMPLES['economy/run']
const CONTRACTS = EXAMPLES['contracts/run']
const MESH = EXAMPLES['mesh/run']
const MIX = EXAMPLES['shares/coscheduling']

const LINES = [
  ...['dsp', 'eager', 'random'].map((protocol) => ['bidding/market', `--protocol ${protocol} ${MARKET}`] as const),
  ['bidding/market', `--query 5 --timeout 4 --silence 9 --fault kill_@m1_at_3 ${MARKET}`] as const,
  ...['FCFS', 'RES', 'ECON', 'ECON --preset literal --targets 1:2:2'].map(
    (policy) => ['economy/run', `--policy ${policy} ${ECONOMY}`] as const,
  ),
  ['economy/run', `--latency 1 --patience 4 --fault kill_@p1_at_3 --fault restart_@hub_at_9 ${ECONOMY}`] as const,
  ['contracts/run', CONTRACTS] as const,
  [
    'contracts/run',
    `--patience 9 --preempt 2 --stale renege --fault kill_@s1_at_3 --fault restart_@b_at_5 ${CONTRACTS}`,
  ] as const,
  ...['fold --interval 2', 'equi'].flatMap((policy) => [
    ['mesh/run', `--policy ${policy} ${MESH}`] as const,
    [
      'mesh/run',
      `--policy ${policy} --patience 4 --fault kill_@j1_at_9 --fault restart_@a_at_12 --outages 1,1_at_20 ${MESH}`,
    ] as const,
  ]),
  ['shares/cluster', CLUSTER] as const,
  ['shares/coscheduling', MIX] as const,
  ['shares/placer', EXAMPLES['shares/placer']] as const,
  ['shares/placer', `--fault restart_placer@p_at_9 --ask none ${EXAMPLES['shares/placer']}`] as const,
  ['shares/stride', EXAMPLES['shares/stride']] as const,
]

test('of the small instance of each scenario is quick, meets races and keeps its promises', async () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const small = scenario.specification(scenario.small(new Map()))
    const { result } = await execute(small, plain)
    assert.ok(result.steps < 800, `${name}: ${result.steps} steps`)
    const pairs = new Set<OrderedPair>()
    for (let run = 0; run < 5; run++) {
      const walk = recordingPairs(pos({ seed: 1, run, decisions: 0 }), pairs)
      assert.equal((await execute(small, walk)).violations, [], `${run}: ${name}`)
    }
    // the actors of one machine seldom meet
    assert.ok(pairs.size > 0 || name === 'shares/stride', name)
  }
})

test('of any scenario keeps its promises by default and on random walks', async () => {
  for (const [name, line] of LINES) {
    const args = line.split(' ').map((word) => word.replaceAll('_', ' '))
    const explorable = scenarioNamed(name)
    const one = explorable.specification(collect(explorable.flags, args).given)
    assert.equal((await execute(one, plain)).violations, [], line)
    for (let run = 0; run < repeats(10); run++)
      assert.equal((await execute(one, random({ seed: 1, run, decisions: 0 }))).violations, [], `${run}: ${line}`)
  }
})

test('describes the outcome of a run without times', async () => {
  const market = await execute(specificationOf('bidding/market', `${MARKET} --seed 3`), plain)
  assert.is(market.outcome.split(', ').length, 4)
  assert.match(market.outcome, /^\d\.1 on m\d, /)
  const economy = await execute(specificationOf('economy/run', ECONOMY), plain)
  assert.is(economy.outcome, [0, 1, 2, 3, 4, 5].map((job) => `${job}.1 finished`).join(', '))
  const contracts = await execute(specificationOf('contracts/run', CONTRACTS), plain)
  assert.match(contracts.outcome, /^(\d at s[12] for -?[\d.]+(, |$)){6}/)
  const mesh = await execute(specificationOf('mesh/run', MESH), plain)
  assert.is(mesh.outcome, [1, 2, 3, 4, 5, 6].map((job) => `${job}.1 ended`).join(', '))
  const cluster = await execute(specificationOf('shares/cluster', CLUSTER), plain)
  assert.is(cluster.outcome, 'm1 {"A.m1":50,"B.m1":100}, m2 {"A.m2":50,"C.m2":100}')
})

test('can be restricted to some of its tasks', async () => {
  const market = specificationOf('bidding/market', MARKET).only([1, 3])
  assert.is(market.tasks, 2)
  const { outcome } = await execute(market, plain)
  assert.equal(
    outcome
      .split(', ')
      .map((end) => end.slice(0, 1))
      .sort(),
    ['1', '3'],
  )
  const economy = specificationOf('economy/run', ECONOMY).only([1, 4])
  assert.is(economy.tasks, 2)
  assert.is((await execute(economy, plain)).outcome, '1.1 finished, 4.1 finished')
  const contracts = specificationOf('contracts/run', CONTRACTS).only([1, 4])
  assert.is(contracts.tasks, 2)
  assert.match((await execute(contracts, plain)).outcome, /^1 at \S+ for \S+, 4 at \S+ for \S+$/)
  const cluster = specificationOf('shares/cluster', CLUSTER).only([0, 3])
  assert.is((await execute(cluster, plain)).outcome, 'm1 {"A.m1":100}, m2 {"C.m2":100}')
})

test('takes the actors of another folder if one is given', async () => {
  const { flags, specification } = scenarioNamed('bidding/market')
  const nowhere = specification(collect(flags, MARKET.split(' ')).given, new URL('./no-such-folder/', import.meta.url))
  const error = await execute(nowhere, plain).then(
    () => '',
    (thrown: unknown) => String(thrown),
  )
  assert.match(error, /no-such-folder/)
})

test('has no flag that means something else in a command of the laboratory', () => {
  const own = Object.entries({ ...exploreFlags, ...racesFlags }).filter(([key]) => !Object.hasOwn(subjectFlags, key))
  for (const [name, { flags }] of Object.entries(SCENARIOS)) {
    // flags that share a declaration have the same meaning
    const theirs = new Map<string, unknown>(Object.entries(flags))
    const others = own.filter(([key, flag]) => theirs.has(key) && theirs.get(key) !== flag)
    assert.equal(Object.fromEntries(others), {}, name)
  }
})

test('sets a default patience for faults that its flags do not name', () => {
  const given = (name: string, line: string) => {
    const { flags, prepared } = scenarioNamed(name)
    return prepared(collect(flags, line.split(' ')).given).get('patience')
  }
  assert.equal(given('contracts/run', '--latency 1 --jitter 2'), ['22'])
  assert.equal(given('economy/run', '--latency 1'), ['14'])
  assert.equal(given('mesh/run', '--latency 0.5'), ['7'])
  assert.equal(given('contracts/run', '--patience 30'), ['30'])
  assert.is(given('bidding/market', MARKET), undefined)
})

test('of contracts names the unfinished tasks of a run that never ends', async () => {
  const { violations } = await execute(
    bounded(specificationOf('contracts/run', `--patience 9 --loss 1 ${CONTRACTS}`), { livelock: 60 }),
    plain,
  )
  assert.equal(
    violations.map(({ property, text }) => [property, text.slice(0, 14)]),
    [0, 1, 2, 3, 4, 5].map((task) => ['every task of a living client ends', `task ${task} did not`]),
  )
})

test('refuses options that make no sense for many runs', () => {
  throwsSaying(() => specificationOf('bidding/market', '--time real'), '--time must be virtual')
  throwsSaying(() => specificationOf('shares/cluster', '--runtime threads'), '--runtime must be inline')
  throwsSaying(
    () => specificationOf('bidding/market', '--trace x'),
    '--trace cannot be given: it names files of one run',
  )
  throwsSaying(
    () => specificationOf('bidding/nothing', ''),
    'known: bidding/market, shares/cluster, shares/coscheduling, shares/placer, shares/stride, economy/run, contracts/run, mesh/run',
  )
})

test.run()
