/** The traces of the specification's examples, task by task, on threads and inline. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Terms } from '../../actors/bidding/terms.ts'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import { machineOf, toUnits, units } from '../../lib/actor.ts'
import { printUnits } from '../../lib/core/format.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { readWorkload } from '../../lib/workload/file.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, type Protocol, termsOf } from '../../scenarios/bidding/model.ts'
import { checksOf } from '../../scenarios/bidding/oracle.ts'
import { rowsOf } from '../../scenarios/bidding/results.ts'
import { twiceIn } from '../mutants/trace-promises.ts'
import { sampled } from '../repeats.ts'

interface Example {
  readonly name: string
  readonly workload: string
  readonly speeds?: readonly number[]
  readonly delay?: number
  readonly protocol?: Protocol
  readonly terms?: Partial<Terms>
  readonly seed?: number
  readonly faults?: readonly string[]
  /** The machine, start, finish, flow and attempts of each task. */
  readonly outcome: readonly (readonly [string, number, number, number, number?])[]
  /** The facts of clients: time, type, task, contractor, and the promised start and completion. */
  readonly story?: readonly string[]
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'g1: a late bid is refused by default',
    workload: 'basic',
    outcome: [
      ['m1', 0, 10, 10],
      ['m2', 1, 9, 8],
      ['m2', 9, 29, 27],
    ],
  },
  {
    name: 'g2: a late bid good enough moves the task',
    workload: 'basic',
    terms: { i0: 0.5 },
    outcome: [
      ['m1', 0, 10, 10],
      ['m2', 1, 9, 8],
      ['m1', 10, 15, 13],
    ],
  },
  {
    name: 'g3: awards that find the machine taken are held',
    workload: 'basic',
    delay: 5,
    outcome: [
      ['m1', 15, 25, 30],
      ['m1', 25, 27, 31],
      ['m1', 27, 32, 35],
    ],
  },
  {
    name: 'g3b: or refused, and announced again',
    workload: 'basic',
    delay: 5,
    terms: { clash: 'bump' },
    outcome: [
      ['m1', 15, 25, 30],
      ['m1', 36, 38, 42, 2],
      ['m1', 57, 62, 65, 3],
    ],
  },
  {
    name: 'g3c: or cannot happen, since an open bid makes a machine busy',
    workload: 'basic',
    delay: 5,
    terms: { clash: 'commit' },
    outcome: [
      ['m1', 15, 25, 30],
      ['m2', 25, 33, 37],
      ['m2', 43, 63, 66],
    ],
  },
  {
    name: 'g4: a late bid wins by 0.612 against 0.6',
    workload: 'late',
    delay: 5,
    terms: { i0: 0.6 },
    outcome: [
      ['m1', 15, 65, 70],
      ['m1', 75, 115, 109],
    ],
  },
  {
    name: 'g4b: and loses by 0.612 against 0.65',
    workload: 'late',
    delay: 5,
    terms: { i0: 0.65 },
    outcome: [
      ['m1', 15, 65, 70],
      ['m2', 26, 186, 180],
    ],
  },
  {
    name: 'g5: eager: a higher priority pushes a task back, and it moves',
    protocol: 'eager',
    workload: 'pushed',
    outcome: [
      ['m1', 0, 10, 10],
      ['m2', 2, 15, 14],
      ['m1', 10, 12.75, 10.75],
    ],
    story: [
      '0 awarded 1 m1 0-10',
      '1 awarded 2 m1 10-13.25',
      '2 awarded 3 m1 10-12.75',
      '2 bumped 2 m1',
      '2 replaced 2 m2 2-15',
    ],
  },
  {
    name: 'g6: eager: a machine that overruns keeps answering any moment now',
    protocol: 'eager',
    workload: 'overrun',
    outcome: [
      ['m1', 0, 10, 10],
      ['m1', 10, 13, 12],
    ],
    story: [
      '0 awarded 1 m1 0-2',
      '1 awarded 2 m1 2-5',
      ...[3, 4, 5, 6, 7, 8, 9].flatMap((at) => [`${at} bumped 2 m1`, `${at} replaced 2 m1 ${at}-${at + 3}`]),
    ],
  },
  {
    name: 'g7: eager with delays: a task is pushed back, asks again, and stays',
    protocol: 'eager',
    workload: 'stays',
    delay: 5,
    outcome: [
      ['m1', 15, 65, 70],
      ['m1', 76, 88, 73],
      ['m1', 65, 76, 50],
    ],
    story: [
      '10 awarded 1 m1 15-65',
      '30 awarded 2 m1 65-77',
      '41 awarded 3 m1 65-76',
      '51 bumped 2 m1',
      '61 replaced 2 m1 76-88',
    ],
  },
  {
    name: 'g8: random: a task without a bid asks again',
    protocol: 'random',
    workload: 'basic',
    terms: { retry: units(1) },
    outcome: [
      ['m2', 0, 40, 40],
      ['m1', 1, 3, 2],
      ['m1', 3, 8, 6],
    ],
  },
  {
    name: 'g9: random with delays: a refused task is announced again',
    protocol: 'random',
    workload: 'basic',
    delay: 5,
    terms: { retry: units(11) },
    // draws the machines of the example: the first, the second, and for the third task twice the first
    seed: 7,
    outcome: [
      ['m1', 15, 25, 30],
      ['m2', 16, 24, 28],
      ['m1', 37, 42, 45, 2],
    ],
    story: [
      '10 awarded 1 m1 15-25',
      '11 awarded 2 m2 16-24',
      '12 awarded 3 m1 17-22',
      '22 bumped 3 m1',
      '32 awarded 3 m1 37-42',
    ],
  },
  {
    name: 'g10: a crash is noticed by an unanswered query, and the machine comes back empty',
    workload: 'crash',
    terms: { query: units(3), timeout: units(2) },
    faults: ['kill @m1 at 4', 'restart @m1 at 12'],
    outcome: [
      ['m2', 8, 48, 48, 2],
      ['m1', 13, 15, 2],
    ],
  },
  {
    name: 'g12: the queue is ordered by estimate',
    workload: 'estimates',
    speeds: [1],
    outcome: [
      ['m1', 0, 10, 10],
      ['m1', 10, 40, 39],
      ['m1', 40, 46, 44],
    ],
  },
]

const marketOf = ({ workload, protocol = 'dsp', speeds = [4, 1], delay = 0, terms }: Example): Market => {
  const path = new URL(`../fixtures/bidding/${workload}.csv`, import.meta.url).pathname
  return {
    protocol,
    speeds,
    clients: ['c1'],
    jobs: withClients(readWorkload(path).jobs, ['c1'], 1),
    terms: termsOf(protocol, units(delay), { ties: 'index', ...terms }),
  }
}

/** The same market with status queries at all times. They change nothing as long as no actor dies. */
const queried = (example: Example): Example => ({
  ...example,
  terms: { query: units(1), timeout: PATIENT, silence: PATIENT, ...example.terms },
})
const PATIENT = units(1000)

/** Ways to run that must give the same outcomes. All examples run inline, and on threads all in the full run. */
const WAYS: readonly (readonly [string, SystemInit, readonly Example[]])[] = [
  ['threads', { runtime: 'threads' }, sampled(EXAMPLES)],
  ['inline, on both engines at once', { runtime: 'inline', engine: 'shadow' }, EXAMPLES],
  ['inline, with reliable delivery on a network without losses', { runtime: 'inline', reliable: true }, EXAMPLES],
  ['inline, with status queries', { runtime: 'inline' }, EXAMPLES.filter(({ faults }) => !faults).map(queried)],
]

const runExample = async (example: Example, options: SystemInit) => {
  const network = { ...PERFECT_NETWORK, latency: units(example.delay ?? 0) }
  const faults = (example.faults ?? []).map((fault) => parseFault(fault))
  const story: string[] = []
  const lines: Line[] = []
  const onSystem = (system: System) => {
    system.onLine((line) => lines.push(line))
    system.onFact(({ type, task, contractor, start, completion }, { at }) => {
      if (type !== 'awarded' && type !== 'bumped' && type !== 'replaced') return
      const promised = typeof start === 'number' ? [`${toUnits(start)}-${toUnits(Number(completion))}`] : []
      const where = machineOf(String(contractor))
      story.push([toUnits(at), type, Number(task) + 1, where, ...promised].join(' '))
    })
  }
  const how = { ...options, seed: example.seed ?? 1, network, memoryMB: 16, trace: true }
  const run = await biddingMarket.run(marketOf(example), how, faults, { onSystem })
  assert.equal(twiceIn(lines), [])
  return { ...run, story, latency: network.latency }
}

for (const [way, options, examples] of WAYS) {
  for (const example of examples) {
    test(`${example.name} (${way})`, async () => {
      const run = await runExample(example, options)
      const market = marketOf(example)
      assert.equal(
        rowsOf(market, run).map(({ machine, start = -1, finish = -1, flow = -1, attempts }) =>
          [machine, printUnits(start), printUnits(finish), printUnits(flow), attempts].join(' '),
        ),
        example.outcome.map(([machine, start, finish, flow, attempts = 1]) =>
          [machine, start, finish, flow, attempts].join(' '),
        ),
      )
      if (example.story) assert.equal(run.story, example.story)
      // the last result, the word that its task is over, and the answer to a query that passed it by
      const rest = Math.max(...[...run.oracle.ledger.endings.values()].map(({ finish }) => finish)) + 3 * run.latency
      if (!options.reliable && !example.faults) assert.ok(run.end.now <= rest, 'no timer is left when all is done')
      for (const { name, ok, measured } of checksOf(market, run, false)) assert.ok(ok, `${name}: ${measured}`)
    })
  }

  for (const [heard, killed] of [
    ['award', 2],
    ['query', 5],
  ] as const) {
    test(`g11: a contractor gives up the task of a client that is silent after its ${heard} (${way})`, async () => {
      const silent = { query: units(3), timeout: units(2), silence: units(9) }
      const example: Example = {
        name: 'g11',
        workload: 'one',
        speeds: [1],
        terms: silent,
        faults: [`kill client@c1 at ${killed}`],
        outcome: [],
      }
      const {
        oracle: { ledger },
        end,
      } = await runExample(example, options)
      const last = heard === 'award' ? '9' : '12'
      assert.is(end.ended, 'idle')
      if (!options.reliable) assert.is(printUnits(end.now), last, 'the last event is the abort')
      assert.is(printUnits(ledger.wasted.get('m1') ?? 0), last)
      assert.is(ledger.endings.size, 0)
    })
  }
}

test.run()
