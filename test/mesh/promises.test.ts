/** The promises of a mesh that its facts can break: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Rectangle } from '../../actors/mesh/rectangle.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import { type Address, type Message, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { promisesOf } from '../../scenarios/mesh/oracle/promises.ts'
import { recoveryOf } from '../../scenarios/mesh/oracle/recovery.ts'
import { workOf } from '../../scenarios/mesh/oracle/work.ts'
import { MeshOracle, Watch } from '../../scenarios/mesh/oracle.ts'
import { MESHES } from '../bugs/scenes-mesh.ts'
import { brokenBy, type Told } from '../histories.ts'

const test = suite('the promises of a mesh')
const MESH = { m: 1, n: 2 }

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

/** The work of two jobs on a mesh, the second of which needs more processors than there are. */
const worked = (
  history: readonly Told[],
  faults: readonly string[] = [],
  more: Partial<Multicomputer> = {},
): string[] => {
  const multicomputer: Multicomputer = {
    allocator: { policy: 'equi', mesh: MESH, deal: 'arrival' },
    job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
    leaders: 2,
    work: { jobs: [1, 2].map((job) => ({ job, arrival: 0, work: units(2), minimum: job === 1 ? 1 : 9 })) },
    ...more,
  }
  const circumstances = { options: complete({}), faults: faults.map((fault) => parseFault(fault)) }
  const clocksJumped = circumstances.faults.some(({ type }) => type === 'jump')
  return brokenBy(workOf(multicomputer, circumstances), history, { clocksJumped }).map((text) =>
    text.slice(0, text.indexOf(':')),
  )
}

const resumed = (at: number, pace: number): Told => [at, 'job@j1', { type: 'resumed', pace }]
const ended = (at: number, left = 0): Told => [at, 'job@j1', { type: 'ended', job: 1, attempt: 1, left: units(left) }]
const moved = (at: number): Told => [at, 'job@j1', { type: 'moved' }]

test('a job ends after it has had the time for its work', () => {
  const name = 'a job ends after it has had the time for its work'
  const half = [leader(0, 'began'), resumed(0, 0.5)]
  assert.equal(worked([...half, ended(4)]), [])
  assert.equal(worked([...half, ended(3)]), [name])
  assert.equal(worked([...half, ended(3, 0.5)]), [], 'what was left is not done')
  assert.equal(worked([...half, moved(2), resumed(3, 1), ended(4)]), [])
  assert.equal(worked([...half, moved(2), ended(4)]), [name], 'it stands still from its move on')
  assert.equal(worked([...half, ended(3)], ['jump j1 by 2 at 1']), [])
  assert.equal(worked([...half, ended(1)], [], { detail: 'fine' }), [name])
  assert.equal(
    worked([...half, moved(1), ended(3)], [], { detail: 'fine' }),
    [],
    'processors step on until they hear of it',
  )
})

test('in a run without faults no job fails, unless it needs more processors than there are', () => {
  assert.equal(worked([leader(0, 'began'), leader(1, 'failed')]), ['in a run without faults no job fails'])
  assert.equal(worked([leader(0, 'began'), leader(1, 'failed')], ['kill job@j1 at 3']), [])
  assert.equal(worked([[1, 'job@j2', { type: 'failed', job: 2, attempt: 1 }]]), [])
  const down: Told = [1, 'allocator@a', { type: 'down', row: 0, column: 0 }]
  assert.equal(worked([leader(0, 'began'), down, leader(1, 'failed')]), [])
  assert.equal(worked([leader(0, 'began'), [1, 'allocator@a', 'dies'], leader(1, 'failed')]), [])
  const line = { policy: 'table', rule: 'epoch', mesh: MESH, line: 3, period: units(2) } as const
  const four = { jobs: [{ job: 1, arrival: 0, work: units(2), minimum: 4 }] }
  assert.equal(worked([leader(0, 'began'), leader(1, 'failed')], [], { allocator: line, work: four }), [])
})

/** The names of the promises about interrupted changes that a history of a mesh under FOLD breaks. */
function recovered(history: readonly Told[], { options, faults = [] }: Setting = {}): string[] {
  const multicomputer: Multicomputer = {
    allocator: { policy: 'fold', mesh: MESH, divides: true },
    job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
    leaders: 2,
    work: { jobs: [] },
  }
  const circumstances = {
    options: complete({ network: { latency: units(1) }, ...options }),
    faults: faults.map((fault) => parseFault(fault)),
  }
  return brokenBy(recoveryOf(multicomputer, circumstances), history).map((text) => text.slice(0, text.indexOf(':')))
}

const allocator = (at: number, fact: Message): Told => [at, 'allocator@a', fact]
const PLACED = allocator(2, { type: 'planned', isAnew: true })
const ASKED = allocator(4, { type: 'asked' })
const ring = (at: number, ...jobs: readonly Address[]) =>
  allocator(at, { type: 'ring', rings: [jobs.map((job) => ({ job }))] } as Message)

test('no job that is over is on the mesh at rest', () => {
  const name = 'no job that is over is on the mesh at rest'
  assert.equal(recovered([leader(2, 'ended'), ring(3, 'job@j1')]), [], 'the allocator hears of it just now')
  assert.equal(recovered([leader(2, 'ended'), ring(3.5, 'job@j1', 'job@j2')]), [name])
  assert.equal(recovered([leader(2, 'ended'), leader(3, 'vacated'), ring(4, 'job@j1')]), [])
  assert.equal(recovered([leader(2, 'ended'), leader(4, 'began', 2), ring(5, 'job@j1')]), [])
  assert.equal(
    recovered([leader(2, 'ended'), [3, 'allocator@a', 'dies'], ring(5, 'job@j1')]),
    [],
    'it may be forgotten',
  )
  const late = [leader(2, 'ended'), ring(5, 'job@j1')]
  assert.equal(recovered(late, { options: { network: { loss: 0.1 } } }), [])
  assert.equal(recovered(late, { faults: ['pause allocator@a for 5 at 1'] }), [])
  assert.equal(recovered(late, { faults: ['pause job@j1 for 5 at 1'] }), [])
  assert.equal(recovered(late, { faults: ['pause job@j2 for 5 at 1'] }), [name])
})

test('jobs that are placed from scratch are placed at once', () => {
  const name = 'jobs that are placed from scratch are placed at once'
  assert.equal(recovered([PLACED, ring(3), ASKED]), [])
  assert.equal(recovered([PLACED, ASKED]), [name])
  assert.equal(recovered([allocator(2, { type: 'planned', isAnew: false }), ASKED]), [])
  assert.equal(recovered([PLACED, allocator(3, { type: 'down', row: 0, column: 0 }), ASKED]), [])
  assert.equal(recovered([leader(1, 'ended'), PLACED, ASKED]), [], 'a job that is over takes no part')
  assert.equal(recovered([PLACED, [3, 'allocator@a', 'dies'], ASKED]), [])
  assert.equal(recovered([[1, 'job@j1', 'dies'], PLACED, ASKED]), [])
  assert.equal(recovered([[1, 'allocator@a', 'dies'], PLACED, ASKED], { faults: ['restart allocator@a at 1'] }), [name])
})

test('jobs that have all cells continue in place', () => {
  const whole: Rectangle = { row: 0, column: 0, rows: 2, columns: 2 }
  const [upper, lower]: readonly Rectangle[] = [
    { row: 0, column: 0, rows: 1, columns: 2 },
    { row: 1, column: 0, rows: 1, columns: 2 },
  ]
  const brokenAfter = (cells: readonly Rectangle[], ...more: readonly Message[]): string[] => {
    const watch = new Watch()
    watch.fold({ type: 'ring', area: whole, level: 0, rings: [] } as Message, 'allocator@a', 0)
    for (const [i, cell] of cells.entries()) {
      watch.fold({ type: 'began', job: i, attempt: 1 }, `job@j${i}`, 1)
      watch.fold(
        { type: 'owns', cells: [cell], offered: null, prev: 'job@j0', next: 'job@j0' } as Message,
        `job@j${i}`,
        1,
      )
    }
    for (const fact of [...more, { type: 'planned', isAnew: true }]) watch.fold(fact, 'allocator@a', 2)
    return watch.broken.map(({ property }) => property)
  }
  assert.ok(upper && lower)
  assert.equal(brokenAfter([upper, lower]), ['jobs that have all cells continue in place'])
  assert.equal(brokenAfter([upper]), [], 'a cell is free')
  assert.equal(brokenAfter([]), [])
  assert.equal(brokenAfter([upper, lower], { type: 'down', row: 0, column: 0 }), [])
})

for (const [name, scene] of Object.entries(MESHES)) {
  test(`are kept by the run "${name}"`, async () => {
    const { options, faults, until, open } = scene()
    const run = await runScenario({ options: { rounds: 100_000, ...options, runtime: 'inline' }, faults, until, open })
    assert.equal([run.oracle.violations(run), run.crashes], [[], []])
  })
}

test('a script is carried out to its end, and no job stays on a dead processor', async () => {
  const oracle = (work: Multicomputer['work'], outages: readonly Outage[]) => {
    const watched = new MeshOracle(
      {
        allocator: { policy: 'equi', mesh: MESH, deal: 'arrival' },
        job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
        leaders: 1,
        work,
        outages,
      },
      { options: complete({}), faults: [] },
    )
    watched.fold({ type: 'began', job: 1, attempt: 1 }, 'job@j1', 0)
    watched.fold({ type: 'moved', partition: { row: 0, column: 0, rows: 2, columns: 2 }, took: 0 }, 'job@j1', 0)
    return watched
  }
  const idle = { isIdle: true, isSettled: true, dead: new Set<Address>(), lost: 0, clocksJumped: false }
  const names = (watched: MeshOracle) => watched.violations(idle).map(({ property }) => property)
  const script: Multicomputer['work'] = { script: [{ type: 'arrive', job: 1 }] }
  assert.equal(names(oracle(script, [])), ['a script is carried out to its end'])
  const done = oracle(script, [])
  done.fold({ type: 'stepped', step: 0 }, 'operator@o', 1)
  assert.equal(names(done), [])
  const crashed = oracle(script, [])
  crashed.died('allocator@a', 1)
  assert.equal(names(crashed), [])
  assert.equal(names(oracle(script, [{ row: 1, column: 1, at: 5 }])), ['no job stays on a dead processor'])
  assert.equal(names(oracle(script, [{ row: 1, column: 2, at: 5 }])), [])
})

test.run()
