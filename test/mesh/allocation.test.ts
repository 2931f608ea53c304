/** The promises about the decisions of an allocator: histories that break them, and mistakes that break them in a search of the small mesh. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BASELINE } from '../../actors/mesh/model.ts'
import { type Address, type Message, units } from '../../lib/actor.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { DEFAULT_STRATEGY } from '../../lib/explore/strategies/strategies.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { complete } from '../../lib/system/options.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { allocationOf } from '../../scenarios/mesh/oracle/allocation.ts'
import { promisesOf } from '../../scenarios/mesh/oracle/promises.ts'
import { meshRun } from '../../scenarios/mesh/run.ts'
import { brokenActors, forget } from '../bugs/broken.ts'
import { hunt } from '../bugs/hunt.ts'
import { brokenBy, type Told } from '../histories.ts'

const test = suite('the decisions of an allocator')
const MESH = { m: 1, n: 1 }

/** Two jobs at most on four processors, which are swapped every ten seconds. */
function setting(policy: 'equi' | 'fold'): Multicomputer {
  const admission = { mesh: MESH, limit: 2, swaps: { every: units(10), takes: units(1) } }
  return {
    allocator: policy === 'equi' ? { policy, deal: 'arrival', ...admission } : { policy, divides: true, ...admission },
    job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
    leaders: 4,
    work: { jobs: [] },
  }
}

const namesOf = (texts: readonly string[]): string[] => texts.map((text) => text.slice(0, text.indexOf(':')))
const broken = (history: readonly Told[], policy: 'equi' | 'fold' = 'equi'): string[] =>
  namesOf(brokenBy(allocationOf(setting(policy)), history))

const told = (at: number, fact: Message): Told => [at, 'allocator@a', fact]
const whole = { row: 0, column: 0, rows: 2, columns: 2 }
const upper = { ...whole, rows: 1 }
const lower = { ...upper, row: 1 }
const leader = (n: number): Address => `job@j${n}`

/** The partitions of one or two jobs on an area. */
function dealt(at: number, jobs: readonly number[], area = whole, partitions = [upper, lower]): Told {
  const places = jobs.length === 1 ? [area] : partitions
  const owned = jobs.flatMap((n, i) => (places[i] ? [{ job: leader(n), partition: places[i] }] : []))
  return told(at, { type: 'dealt', change: at, area, partitions: owned })
}

function rested(at: number, ...waiting: readonly number[]): Told {
  const jobs = waiting.map((job) => ({ leader: leader(job), job, attempt: 1 }))
  return told(at, { type: 'rested', ...(jobs.length > 0 && { waiting: jobs }) })
}

const due = (at: number): Told => told(at, { type: 'swap-due' })
const swapped = (at: number, out: number, comes: number): Told =>
  told(at, { type: 'swapped', out: [leader(out)], in: [leader(comes)] })
const down = (at: number): Told => told(at, { type: 'down', row: 1, column: 1 })
const ordered = (at: number): Told => told(at, { type: 'ordered', change: at, to: [] })

test('jobs make room only when others have waited for a quantum', () => {
  const name = 'jobs make room only when others have waited for a quantum'
  const start = [dealt(0, [1, 2]), rested(1, 3)]
  const made = (at: number) => [due(at), swapped(at, 1, 3), dealt(at, [2, 3]), rested(at + 1, 1)]
  assert.equal(broken([...start, ...made(11), ...made(21).slice(0, 1)]), [])
  assert.equal(broken([...start, ...made(10)]), [name])
  assert.equal(broken([...start, ...made(11), due(20)]), [name], 'a quantum after the last time')
  assert.equal(broken([...start, rested(5), due(11)]), [name], 'no job waits any more')
  assert.equal(broken([...start, rested(5), rested(6, 3), due(11)]), [name], 'another wait has begun')
  assert.equal(broken([...start, swapped(12, 1, 3)]), [name], 'it was not due')
  assert.equal(broken([...start, due(11), [12, 'allocator@a', 'dies'], rested(13, 3), due(22)]), [name])
})

test('the jobs that make room have run longest', () => {
  const name = 'the jobs that make room have run longest'
  const start = [dealt(0, [1]), dealt(1, [1, 2]), rested(1, 3)]
  const made = (at: number, out: number, comes: number, jobs: readonly number[]) => [
    due(at),
    swapped(at, out, comes),
    dealt(at, jobs),
    rested(at + 1, out),
  ]
  assert.equal(broken([...start, ...made(11, 1, 3, [2, 3]), ...made(21, 2, 1, [3, 1])]), [])
  assert.equal(broken([...start, ...made(11, 2, 3, [1, 3])]), [name])
  assert.equal(broken([...start, ...made(11, 1, 3, [2, 3]), ...made(21, 3, 1, [2, 1])]), [name])
  assert.equal(broken([dealt(0, [1, 2]), rested(1, 3), ...made(11, 2, 3, [1, 3])]), [], 'they came together')
  assert.equal(
    broken([...start, due(11), swapped(11, 2, 3), dealt(11, [3, 2]), rested(12)]),
    [],
    'the other one departs',
  )
  assert.equal(broken([...start, [2, leader(1), { type: 'began', job: 5, attempt: 1 }], ...made(11, 2, 3, [1, 3])]), [])
  assert.equal(
    broken([...start, [2, leader(2), 'dies'], ...made(11, 2, 3, [1, 3])]),
    [],
    'the allocator may not know it',
  )
  const again = [told(2, { type: 'asked' }), due(11), swapped(11, 1, 2), dealt(11, [2, 3]), rested(12, 1)]
  assert.equal(
    broken([...start, ...again, ...made(21, 3, 1, [2, 1])]),
    [],
    'the other one has lost its place meanwhile',
  )
})

test('jobs that wait are placed in their order', () => {
  const name = 'jobs that wait are placed in their order'
  const start = [dealt(0, [1, 2]), rested(1, 3, 4)]
  assert.equal(broken([...start, rested(2, 4)]), [])
  assert.equal(broken([...start, rested(2, 4, 3)]), [name])
  assert.equal(broken([...start, dealt(2, [2, 3]), rested(3, 4)]), [])
  assert.equal(broken([...start, dealt(2, [2, 4]), rested(3, 3)]), [name])
  assert.equal(broken([...start, due(11), swapped(12, 3, 4), rested(13, 4, 3)]), [], 'it has been placed meanwhile')
  assert.equal(broken([...start, told(2, { type: 'gave-up', leader: leader(3), change: 1 }), rested(3, 4, 3)]), [])
  assert.equal(broken([...start, dealt(2, [2, 3]), dealt(3, [2, 4]), rested(4, 3)]), [], 'it has lost its place again')
})

test('no job waits while there is room', () => {
  const name = 'no job waits while there is room'
  assert.equal(broken([dealt(0, [1]), rested(1)]), [])
  assert.equal(broken([dealt(0, [1]), rested(1, 3)]), [name])
  const ring = (n: number): Told => {
    const jobs = [upper, lower].slice(0, n).map((partition, i) => ({ job: leader(i + 1), size: 's', partition }))
    return told(1, {
      type: 'ring',
      area: whole,
      level: 1,
      rings: [jobs],
      waiting: [{ leader: leader(3), job: 3, attempt: 1 }],
    })
  }
  assert.equal(broken([ring(2)], 'fold'), [])
  assert.equal(broken([ring(1)], 'fold'), [name])
})

test('partitions follow the rule of EQUI, in the order of arrival', () => {
  assert.equal(broken([dealt(0, [1, 2], whole, [lower, upper])]), ['partitions follow the rule of EQUI'])
  const name = 'jobs that stay keep their order, before those that come'
  assert.equal(broken([dealt(0, [1, 2]), dealt(1, [2, 3])]), [])
  assert.equal(broken([dealt(0, [1, 2]), dealt(1, [2, 1])]), [name])
  assert.equal(broken([dealt(0, [1, 2]), dealt(1, [3, 2])]), [name])
  assert.equal(broken([dealt(0, [1, 2]), rested(1, 3), due(11), swapped(11, 1, 3), dealt(12, [2, 1])]), [])
  assert.equal(broken([dealt(0, [1, 2]), [1, leader(1), { type: 'began', job: 5, attempt: 1 }], dealt(1, [2, 1])]), [])
})

test('no partition has a dead processor, and the largest healthy part is shared', () => {
  const name = 'no partition has a processor that is known to be dead'
  const part = 'the largest healthy part of the mesh is shared'
  assert.equal(broken([dealt(0, [1]), rested(1), down(5), ordered(5), dealt(6, [1], upper), rested(7)]), [])
  assert.equal(broken([down(5), dealt(6, [1])]), [name, part])
  assert.equal(broken([dealt(0, [1]), down(5), rested(7)]), [name], 'the change under way is not divided again')
  assert.equal(broken([dealt(6, [1], upper)]), [part])
})

test('an allocator at rest reacts at once to a processor that dies', () => {
  const name = 'an allocator at rest reacts at once to a processor that dies'
  const start = [dealt(0, [1]), rested(1)]
  const later: Told = [6, leader(1), { type: 'ended', job: 1, attempt: 1, left: 0 }]
  assert.equal(broken([...start, down(5), ordered(5), later]), [])
  assert.equal(broken([...start, down(5), later, ordered(6)]), [name])
  assert.equal(broken([...start, ordered(4), down(5), later]), [], 'it does not rest')
})

test('a leader is handed one job at a time', () => {
  const circumstances = { options: complete({}), faults: [] }
  const user = (at: number, type: string, job: number, n?: number): Told => [
    at,
    'user@u',
    { type, job, attempt: 1, ...(n !== undefined && { leader: leader(n) }) },
  ]
  const names = (history: readonly Told[]) => namesOf(brokenBy(promisesOf(true, circumstances), history))
  assert.equal(names([user(0, 'handed', 1, 1), user(1, 'over', 1), user(1, 'handed', 2, 1)]), [])
  assert.equal(names([user(0, 'handed', 1, 1), user(1, 'handed', 2, 1)]), ['a leader is handed one job at a time'])
  assert.equal(names([user(0, 'handed', 1, 1), [1, 'user@u', 'dies'], user(1, 'handed', 1, 1)]), [])
})

/** Mistakes in one line, which a search of the small mesh finds within 60 schedules. */
const MISTAKES = [
  {
    name: 'the timer of swaps is not cancelled',
    file: 'mesh/allocator/terms.ts',
    find: "    it.do(cancel('swap'))\n",
    replace: '',
    args: '--policy equi',
    property: 'jobs make room only when others have waited for a quantum',
  },
  {
    name: 'the next wait counts from the last swap',
    file: 'mesh/allocator/terms.ts',
    find: '    Object.assign(it.context, NO_SWAP)\n',
    replace: '    it.context.isSwapDue = false\n',
    args: '--policy equi',
    property: 'jobs make room only when others have waited for a quantum',
  },
  {
    name: 'a leader that was handed a job stays idle',
    file: 'mesh/user.ts',
    find: '    context.idle = context.idle.slice(1)\n',
    replace: '    if (!again) context.idle = context.idle.slice(1)\n',
    args: '',
    property: 'a leader is handed one job at a time',
  },
  {
    name: 'the death of a processor waits for the next change',
    file: 'mesh/allocator/equi/book.ts',
    find: 'if (noteDown(it, place, delivery)) it.context.isStale = true',
    replace: 'noteDown(it, place, delivery)',
    args: '--policy equi',
    property: 'an allocator at rest reacts at once to a processor that dies',
  },
  {
    name: 'a dead processor is handed out again',
    file: 'mesh/allocator/fold/steps.ts',
    find: '  const area = areaIn(it.context)\n',
    replace: '  const area = areaIn({ ...it.context, down: [] })\n',
    args: '',
    property: 'no partition has a processor that is known to be dead',
  },
  {
    name: 'the job that came last is admitted first',
    file: 'mesh/allocator/equi.ts',
    find: 'const all = [...without(staying, ...losers), ...waiting]',
    replace: 'const all = [...without(staying, ...losers), ...[...waiting].reverse()]',
    args: '--policy equi',
    property: 'jobs that wait are placed in their order',
  },
] as const

for (const { args, property, ...bug } of MISTAKES) {
  test(`are found wrong by a search of the small mesh: ${bug.name}`, async () => {
    const { given } = collect(meshRun.flags, args.split(' ').filter(Boolean))
    const actors = brokenActors(bug)
    const specification = meshRun.specification(meshRun.small(given), actors)
    const { failure } = await hunt(
      specification,
      { allowed: [parseAllowed('any', 'allowed')], property },
      DEFAULT_STRATEGY,
      60,
    )
    forget(actors)
    assert.ok(failure, `${bug.name}: not found`)
  })
}

test.run()
