/** The effects on a parallel job, and on jobs that share its machines, of losing a machine, its barrier or its mail. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Parallel } from '../../actors/processor/jobs.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import type { Membership } from '../../actors/shares/barrier.ts'
import { type Message, ref } from '../../lib/actor.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { FactAbout, SystemInit } from '../../lib/system.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { type Cluster, runs } from '../../scenarios/shares/model.ts'
import { PROTOCOL_RUNTIMES } from '../system/harness.ts'

const PATIENCE = units(300)
const TIMEOUT = units(40)
const LATENCY = units(1)
const UNTIL = units(5000)

interface Setting {
  readonly spin: Time | null
  readonly membership: Membership | null
}
const WATCHED: Membership = { patience: PATIENCE, timeout: TIMEOUT }
const TWO_PHASE: Setting = { spin: units(2), membership: WATCHED }

/** A parallel job on three machines, and a sequential job on the first of them. */
function clusterOf({ spin, membership }: Setting): Cluster {
  const machines = ['m1', 'm2', 'm3']
  const members = machines.map((machine) => `processor@${machine}`)
  const program = (rank: number): Parallel => {
    return { kind: 'parallel', barrier: ref('barrier@p'), rank, granularity: units(10), imbalance: 0.2, spin }
  }
  return {
    machines: 3,
    sharing: { ...STANDARD, switching: 0 },
    orders: [
      ...machines.map((machine, rank) => runs('p', machine, { currency: 'base', program: program(rank) })),
      runs('beside', 'm1', { currency: 'base' }),
    ],
    others: [{ address: 'barrier@p', module: 'shares/barrier.ts', input: { job: 'p', members, membership } }],
    until: UNTIL,
    cuts: [units(1500), UNTIL],
  }
}

async function watch(setting: Setting, faults: readonly string[], options: SystemInit = {}) {
  const facts: (Message & FactAbout)[] = []
  const run = await sharesCluster.run(
    clusterOf(setting),
    { runtime: 'inline', memoryMB: 8, actors: 31, network: { latency: LATENCY }, ...options },
    faults.map((fault) => parseFault(fault)),
    { onSystem: (system) => system.onFact((fact, about) => facts.push({ ...fact, ...about })) },
  )
  assert.equal([run.broken, run.crashes, run.missed], [[], [], []])
  const of = (type: string) => facts.filter((fact) => fact.type === type)
  /** The part of m1's time that the sequential job used. */
  const beside = (from: Time, until: Time) =>
    run.oracle.usage.between(from, until, (job) => job === 'beside') / (until - from)
  return { of, beside, opened: of('opened').map(({ at }) => at) }
}

for (const [how, spin, share] of [
  ['sleep and cost nothing', units(2), 1],
  ['sleep and cost nothing, if they never spin', 0, 1],
  ['cost half of their machine, if they spin without end', null, 0.5],
] as const) {
  test(`survivors of a job without membership ${how}`, async () => {
    const { beside, opened } = await watch({ spin, membership: null }, ['kill @m3 at 1000'])
    const got = beside(units(1500), UNTIL)
    assert.ok(Math.abs(got - share) <= STANDARD.quantum / units(3500), `${got}`)
    assert.ok((opened.at(-1) ?? 0) <= units(1020))
  })
}

for (const runtime of PROTOCOL_RUNTIMES) {
  test(`a job that loses a machine is given up in time, and its tickets are withdrawn (${runtime})`, async () => {
    const { of, beside, opened } = await watch({ ...TWO_PHASE, spin: null }, ['kill @m3 at 1000'], { runtime })
    const [end, ...more] = of('aborted')
    const since = Math.max(units(1000), opened.at(-1) ?? 0)
    assert.ok(Number(end?.at) <= since + PATIENCE + TIMEOUT + 2 * LATENCY, `${end?.at}`)
    assert.equal([more.length, end?.['lost']], [0, ['processor@m3']])
    const withdrawn = of('left').filter(({ why }) => why === 'withdrawn')
    assert.equal(
      withdrawn.map(({ who, total, at }) => [who, total, at - Number(end?.at)]),
      [
        ['processor@m1', 1, LATENCY],
        ['processor@m2', 0, LATENCY],
      ],
    )
    assert.is(beside(units(1500), UNTIL), 1)
  })

  test(`a barrier that is killed and restarted continues its job (${runtime})`, async () => {
    const faults = ['kill barrier@p at 1000', 'restart barrier@p at 1800']
    const { of, opened } = await watch(TWO_PHASE, faults, { runtime })
    assert.equal(of('aborted'), [])
    assert.is(opened.filter((at) => at > units(1001) && at <= units(1800)).length, 0)
    const back = opened.find((at) => at > units(1800)) ?? Number.POSITIVE_INFINITY
    assert.ok(back <= units(1800) + PATIENCE + 8 * LATENCY, `${back}`)
    const during = (from: number, until: number) => opened.filter((at) => at > units(from) && at <= units(until)).length
    assert.ok(during(2500, 5000) >= during(0, 1000), 'as fast as before')
  })
}

test('a member that comes back without its process before it is asked has lost the job all the same', async () => {
  const { of } = await watch(TWO_PHASE, ['restart processor@m3 at 1000'])
  assert.equal(
    of('aborted').map(({ lost }) => lost),
    [['processor@m3']],
  )
})

for (const [how, options] of [
  ['is lost or doubled', { network: { latency: LATENCY, loss: 0.02, duplicate: 0.05 } }],
  ['is lost or doubled, and sent again', { network: { latency: LATENCY, loss: 0.1, duplicate: 0.1 }, reliable: true }],
] as const) {
  test(`when mail ${how}, the job continues`, async () => {
    const { of, opened } = await watch(TWO_PHASE, [], options)
    assert.equal(of('aborted'), [])
    assert.ok((opened.at(-1) ?? 0) > UNTIL - 3 * PATIENCE)
    assert.ok(opened.length > 30, `${opened.length}`)
  })
}

test.run()
