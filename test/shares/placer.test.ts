/** The placer: its inquiries, its choices, its refusals, and its behaviour under faults. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_JOBS, type Request } from '../../actors/shares/placer/book.ts'
import { best, type Candidate, sample } from '../../actors/shares/placer/candidates.ts'
import { objectionTo } from '../../actors/shares/placer/search.ts'
import type { PlacerInput } from '../../actors/shares/placer/state.ts'
import { ref } from '../../lib/actor.ts'
import { roleOf } from '../../lib/core/address.ts'
import { units } from '../../lib/core/time.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { FIGURE_6 } from '../../scenarios/shares/paper/placement.ts'
import {
  type Asked,
  barrierOf,
  type PlacementCourse,
  type PlacementRun,
  type Placements,
  runPlacements,
} from '../../scenarios/shares/placement/one-run.ts'
import { twiceIn } from '../mutants/trace-promises.ts'
import { does, linesOf, network, PROTOCOL_RUNTIMES, spawnPuppets, tellTo, withSystem } from '../system/harness.ts'
import { PLAIN } from './figure-4.ts'
import { TIE } from './golden/tie.ts'

const ACTORS = new URL('../../actors/shares/', import.meta.url)
const SMALL: SystemInit = { memoryMB: 8, actors: 63 }

type Given = Partial<Placements> & Pick<Placements, 'jobs'>

const INFORMED: Placements['terms'] = { ask: null, balance: 'tickets' }
const asking = (ask: number): Placements['terms'] => ({ ...INFORMED, ask })

async function play(given: Given, course: PlacementCourse = {}, options: SystemInit = {}): Promise<PlacementRun> {
  const lines: Line[] = []
  const onSystem: PlacementCourse['onSystem'] = (system) => {
    system.onLine((line) => lines.push(line))
    course.onSystem?.(system)
  }
  const run = await runPlacements(
    { machines: 4, sharing: PLAIN, terms: INFORMED, ...given },
    { ...SMALL, runtime: 'inline', trace: true, ...options },
    { until: units(200), ...course, onSystem },
  )
  // a user may be told to ask twice
  assert.equal(
    twiceIn(lines).filter(({ text }) => !text.startsWith('user@')),
    [],
  )
  assert.equal(
    run.broken.filter(({ eventually }) => !eventually),
    [],
  )
  return run
}

/** Declares a test that runs on threads and inline. */
function both(title: string, use: (runtime: (typeof PROTOCOL_RUNTIMES)[number]) => Promise<void>) {
  for (const runtime of PROTOCOL_RUNTIMES) test(`${title} (${runtime})`, () => use(runtime))
}

const placedOf = ({ heard }: PlacementRun, job: string) => heard.get(job)?.placed.at(-1)?.join()
/** Processor time on all machines, or on one. */
const usedBy = ({ oracle }: PlacementRun, name: string, machine?: string) =>
  oracle.usage.between(0, Infinity, (job, on) => job === name && on === (machine ?? on))
const refusalOf = ({ heard }: PlacementRun, job: string) => heard.get(job)?.refused

const job = (name: string, tickets = 100, more: Partial<Asked> = {}): Asked => ({ name, tickets, ...more })
const short = units(60)
const work = { kind: 'compute', work: short } as const

const spread = (name: string, size: number, more: Partial<Asked> = {}): Asked => ({
  ...job(name),
  program: {
    kind: 'parallel',
    barrier: barrierOf(name),
    size,
    granularity: units(10),
    imbalance: 0.2,
    spin: null,
  },
  ...more,
})

// --- the rule --------------------------------------------------------------------------------------------------------

const candidatesOf = (nodes: readonly (readonly [tickets: number, jobs: number])[]): Candidate[] =>
  nodes.map(([tickets, jobs], i) => ({ processor: ref(`processor@m${i + 1}`), number: i + 1, tickets, jobs }))

test('fewest tickets, then fewest jobs, then the first; or fewest jobs first', () => {
  for (const { nodes, byTickets, byLoad } of [FIGURE_6, TIE]) {
    assert.equal(best(candidatesOf(nodes), 1, 'tickets'), [`processor@m${byTickets}`])
    assert.equal(best(candidatesOf(nodes), 1, 'load'), [`processor@m${byLoad}`])
  }
})

test('a sample has different items, and all of them if there are no more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 15 }), fc.gen(), (size, count, gen) => {
      const items = Array.from({ length: size }, (_, i) => i)
      const drawn = sample(items, count, () => gen(fc.double, { min: 0, max: 1, maxExcluded: true, noNaN: true }))
      assert.is(new Set(drawn).size, Math.min(size, count))
    }),
  )
})

// --- placing ---------------------------------------------------------------------------------------------------------

for (const [what, terms] of [
  ['its own book', INFORMED],
  ['asking all', asking(4)],
] as const) {
  both(`by ${what}: tickets are balanced, ties go to fewest jobs and then to the first machine`, async (runtime) => {
    const jobs = [job('a', 200), job('b', 100), job('c', 100), job('d', 50), job('e', 50), job('f', 70), job('g', 30)]
    const run = await play({ jobs, terms }, {}, { runtime })
    const where = jobs.map(({ name }) => placedOf(run, name))
    // 200, 100, 100, 50 + 50; then 2 and 3 have one job each; then 3 has 100, 4 has 100 in two jobs
    assert.equal(where, ['m1', 'm2', 'm3', 'm4', 'm4', 'm2', 'm3'])
    assert.equal(run.broken, [])
  })
}

test('with message delays placements still follow each other, and each counts all earlier ones', async () => {
  const jobs = Array.from({ length: 12 }, (_, i) => job(`j${i}`))
  const run = await play({ jobs, terms: asking(4) }, {}, { network: network(1) })
  const counts = new Map<string, number>()
  for (const { name } of jobs) {
    const machine = placedOf(run, name) ?? 'nowhere'
    counts.set(machine, (counts.get(machine) ?? 0) + 1)
  }
  assert.equal([...counts].sort(), [
    ['m1', 3],
    ['m2', 3],
    ['m3', 3],
    ['m4', 3],
  ])
})

test('a placer asks as many different machines as its input says', async () => {
  for (const ask of [1, 2, 3]) {
    const run = await play({ jobs: [job('a'), job('b')], terms: asking(ask) }, {}, { count: ['ask', 'load'] })
    assert.is(run.messagesByType.get('ask'), 2 * ask)
    assert.is(run.messagesByType.get('load'), 2 * ask)
  }
})

both('a job that left does not count any more, by the book and by asking', async (runtime) => {
  for (const terms of [INFORMED, asking(4)]) {
    const others = ['b', 'c', 'd'].map((name) => job(name, 150))
    const late = job('e', 100, { at: short + units(40) })
    const run = await play({ jobs: [job('a', 200, { program: work }), ...others, late], terms }, {}, { runtime })
    assert.equal([...(run.heard.get('a')?.ended ?? [])], [['m1', 'done']])
    assert.is(placedOf(run, 'e'), 'm1')
  }
})

test('the book counts jobs by what their currency is worth across the cluster', async () => {
  const sharing = { ...PLAIN, funding: { A: 100, B: 100 } }
  // two jobs of A are worth 50 each; the third makes them 33
  const jobs = [job('a1', 1), job('a2', 1), job('b', 1), job('x', 40, { currency: 'base' }), job('a3', 1), job('y', 1)]
  const named = jobs.map((one) => ({ ...one, currency: one.currency ?? (one.name.startsWith('a') ? 'A' : 'B') }))
  const run = await play({ jobs: named, sharing })
  assert.equal(
    jobs.map(({ name }) => placedOf(run, name)),
    ['m1', 'm2', 'm3', 'm4', 'm4', 'm1'],
  )
})

test('a job goes to the machine that its user names', async () => {
  for (const terms of [INFORMED, asking(2)]) {
    const run = await play({ jobs: [job('a', 100, { on: [3] }), job('b', 100, { on: [3] }), job('c')], terms })
    assert.equal([placedOf(run, 'a'), placedOf(run, 'b')], ['m3', 'm3'])
    assert.is.not(placedOf(run, 'c'), undefined)
  }
})

both('a parallel job goes to the machines with fewest tickets, and its barrier opens', async (runtime) => {
  for (const terms of [INFORMED, asking(1)]) {
    const jobs = [job('a', 100, { on: [2] }), spread('z', 3)]
    const opened: unknown[] = []
    const onFact: PlacementCourse['onFact'] = (fact) => opened.push(...(fact.type === 'opened' ? [fact] : []))
    // asked for one at a time it asks as many as it needs
    const run = await play(
      { jobs, terms: terms.ask === null ? terms : asking(4) },
      { onFact },
      { runtime, network: network(0.01) },
    )
    assert.is(placedOf(run, 'z'), 'm1,m3,m4')
    assert.ok(opened.length > 10)
    assert.equal(run.broken, [])
  }
})

const REFUSED: readonly (readonly [asked: Asked, reason: string])[] = [
  [spread('x', 5), '5 processes need as many machines, and there are 4'],
  [spread('x', 0), 'a parallel job needs processes, not 0'],
  [job('x', 0), 'tickets must be more than 0, not 0'],
  [job('x', 100, { on: [1, 2] }), '1 machines must be named, not 2'],
  [spread('x', 2, { on: [3, 3] }), 'a machine is named twice'],
  [job('x', 100, { on: [7] }), 'there is no processor@m7'],
  [job('x', 1, { currency: 'gold' }), 'unknown currency gold'],
  [
    job('x', 1, { program: { kind: 'bursts', bursts: [], cycles: null } }),
    'a program of bursts needs at least one burst',
  ],
]
test('a job that cannot be placed is refused with the reason, and leaves nothing behind', async () => {
  for (const [asked, reason] of REFUSED) {
    const run = await play({ jobs: [job('a'), asked, job('b', 100, { at: units(1) })], terms: INFORMED })
    assert.is(refusalOf(run, 'x'), reason)
    assert.equal([placedOf(run, 'a'), placedOf(run, 'b')], ['m1', 'm2'])
    assert.is(usedBy(run, 'x'), 0)
  }
})

test('asked for twice a job is placed once, and the answer is the same', async () => {
  const joined: string[] = []
  const onFact: PlacementCourse['onFact'] = (fact, { who }) => {
    if (fact.type === 'joined') joined.push(`${fact['job']} ${who}`)
  }
  // by then m1 would not be the first choice
  const jobs = [job('a'), job('a'), job('b', 500, { on: [1] }), job('a', 100, { at: units(50) }), job('c')]
  const run = await play({ jobs }, { onFact })
  assert.equal(run.heard.get('a')?.placed, [['m1'], ['m1']])
  assert.equal(joined, ['a processor@m1', 'b processor@m1', 'c processor@m2'])
})

test("a job's name belongs to its user: another user who asks for it is refused", async () => {
  await withSystem({ runtime: 'inline', trace: true }, async (system) => {
    const input: PlacerInput = { processors: [ref('processor@m1')], ...INFORMED, timeout: units(10), funding: {} }
    await system.spawn('processor@m1', new URL('../processor/processor.ts', ACTORS), { speed: 1, sharing: PLAIN })
    await system.spawn('placer@p', new URL('placer/placer.ts', ACTORS), input)
    await spawnPuppets(system, 'user@u', 'user@v')
    const sends = linesOf(system, 'send')
    const message = { type: 'place', job: 'a', currency: 'base', amount: 1, program: work }
    for (const user of ['user@u', 'user@v']) {
      await system.tell(user, does(tellTo('placer@p', message)))
      await system.run({ until: system.now + units(1) })
    }
    const heard = sends.flatMap(({ from, to, message }) =>
      from !== 'system' && String(to).startsWith('user@') ? [{ to, ...Object(message) }] : [],
    )
    assert.equal(heard, [
      { to: 'user@u', type: 'placed', job: 'a', processors: ['processor@m1'] },
      { to: 'user@v', type: 'refused', job: 'a', reason: 'user@u has a job a' },
    ])
  })
})

test('a placer has a limit on jobs, and names it', () => {
  const request: Request = { type: 'place', job: 'a', currency: 'base', amount: 1, program: work, from: ref('user@u') }
  assert.is(objectionTo([ref('processor@m1')], MAX_JOBS - 1, request), null)
  assert.is(
    objectionTo([ref('processor@m1')], MAX_JOBS, request),
    `${MAX_JOBS} jobs (MAX_JOBS) have been placed already`,
  )
})

// --- faults ----------------------------------------------------------------------------------------------------------

const faults = (...specs: readonly string[]) => specs.map((spec) => parseFault(spec))

both('a machine that does not answer is passed over, and others are asked if none does', async (runtime) => {
  for (const terms of [asking(1), asking(2), asking(4), INFORMED]) {
    const jobs = Array.from({ length: 6 }, (_, i) => job(`j${i}`, 100, { at: units(10) }))
    const plan = faults('kill @m1 at 5', 'kill @m3 at 5')
    const run = await play({ jobs, terms }, { faults: plan }, { runtime, network: network(1) })
    for (const { name } of jobs) assert.match(placedOf(run, name) ?? 'nowhere', /^m[24]$/)
  }
})

test('if no machine answers the job is refused', async () => {
  const plan = faults(...['m1', 'm2', 'm3', 'm4'].map((machine) => `kill @${machine} at 5`))
  for (const terms of [asking(3), INFORMED]) {
    const jobs = [job('a', 100, { at: units(10) }), spread('z', 2, { at: units(10) })]
    const run = await play({ jobs, terms }, { faults: plan })
    assert.equal([refusalOf(run, 'a'), refusalOf(run, 'z')], ['no machine answers', 'no machine answers'])
  }
  const three = await play({ jobs: [spread('z', 2, { at: units(10) })] }, { faults: plan.slice(1) })
  assert.is(refusalOf(three, 'z'), '2 machines are needed, and 1 answer')
})

both('a machine that dies between its answer and the job: the job goes elsewhere', async (runtime) => {
  // asked at 11, answers at 12, gets the job at 13
  for (const kill of ['kill @m1 at 12.5', 'kill @m1 at 13.5']) {
    const jobs = [job('a', 100, { at: units(10) }), spread('z', 2, { at: units(10) })]
    const run = await play({ jobs, terms: asking(4) }, { faults: faults(kill) }, { runtime, network: network(1) })
    // by the time that m1 is given up the next job has its machines
    assert.equal([placedOf(run, 'z'), placedOf(run, 'a')], ['m2,m3', 'm4'])
    assert.is(run.heard.get('a')?.placed.length, 1)
  }
})

both(
  'a machine that dies under a process of a parallel job before the first round: another takes its place',
  async (runtime) => {
    const jobs = [spread('z', 3, { at: units(10) })]
    let opened = 0
    const run = await play(
      { jobs },
      { faults: faults('kill @m2 at 5'), onFact: (fact) => (opened += fact.type === 'opened' ? 1 : 0) },
      { runtime, network: network(1) },
    )
    assert.is(placedOf(run, 'z'), 'm1,m4,m3')
    assert.ok(opened > 5)
  },
)

both('a machine that is back is used again, and the processes that it lost are missing', async (runtime) => {
  const plan = faults('kill @m1 at 20', 'restart @m1 at 60')
  const jobs = [job('a'), ...['b', 'c', 'd'].map((name) => job(name, 200))]
  const late = [job('e', 50, { at: units(30) }), job('f', 50, { at: units(80) }), job('g', 50, { at: units(100) })]
  for (const terms of [INFORMED, asking(4)]) {
    const run = await play({ jobs: [...jobs, ...late], terms }, { faults: plan }, { runtime, network: network(1) })
    assert.is(placedOf(run, 'a'), 'm1')
    assert.is(placedOf(run, 'e'), 'm2', 'm1 is dead')
    // its answer to the next question made the placer recount its processes
    assert.equal([...(run.heard.get('a')?.ended ?? [])], [['m1', 'missing']])
    assert.is(placedOf(run, 'g'), 'm1')
  }
})

test('machines that are back at one instant are each asked for their processes', async () => {
  const plan = faults('kill @m1 at 20', 'kill @m2 at 20', 'restart @m1 at 60', 'restart @m2 at 60')
  const late = [30, 80].map((at) => job(`late${at}`, 50, { at: units(at) }))
  const run = await play(
    { machines: 2, jobs: [spread('z', 2), ...late], terms: asking(2) },
    { faults: plan },
    { network: network(1) },
  )
  assert.equal([...(run.heard.get('z')?.ended ?? [])].sort(), [
    ['m1', 'missing'],
    ['m2', 'missing'],
  ])
})

test('a machine that was silent is tried last until it answers', async () => {
  const jobs = [10, 30, 50, 70].map((at) => job(`j${at}`, 100, { at: units(at) }))
  const run = await play({ jobs }, { faults: faults('kill @m1 at 5') }, { network: network(1), count: ['submit'] })
  assert.is(run.messagesByType.get('submit'), jobs.length + 1)
})

test('a job for a named machine that does not answer is refused, and its other processes are withdrawn', async () => {
  const jobs = [job('a', 100, { at: units(10), on: [3] }), spread('z', 2, { at: units(10), on: [1, 3] })]
  const run = await play({ jobs }, { faults: faults('kill @m3 at 5') }, { network: network(1) })
  for (const name of ['a', 'z']) assert.is(refusalOf(run, name), 'processor@m3 does not answer')
  assert.is(usedBy(run, 'a'), 0)
  assert.ok(usedBy(run, 'z') < units(30))
})

for (const fault of ['pause processor@m1 for 30 at 12.5', 'partition p | m1 at 13.5 until 40']) {
  test(`a machine that gets a job after it was passed over drops it (${fault})`, async () => {
    const jobs = [job('a', 100, { at: units(10) }), job('b', 100, { at: units(60) })]
    for (const terms of [asking(4), INFORMED]) {
      // a decision by the placer's own book is under way two units sooner
      const plan = faults(terms.ask === null ? fault.replace('12.5', '10.5').replace('13.5', '11.5') : fault)
      const run = await play({ jobs, terms }, { faults: plan }, { network: network(1), count: ['withdraw'] })
      assert.is(placedOf(run, 'a'), 'm2')
      // the order to drop it follows the job, or is lost in the partition and repeated when the machine answers
      assert.ok(usedBy(run, 'a', 'm1') <= (fault.startsWith('pause') ? 0 : units(60)))
      assert.ok(usedBy(run, 'a', 'm2') >= units(80))
    }
  })
}

test('a late answer does not count as an answer to a later question', async () => {
  // m1 answers the first question when the placer has given it x, and asks again
  const jobs = [job('a', 100), job('x', 500, { on: [1] }), job('b', 100)].map((one) => ({ ...one, at: units(10) }))
  const plan = faults('pause processor@m1 for 12 at 11.5')
  const run = await play({ machines: 2, jobs, terms: asking(2) }, { faults: plan }, { network: network(1) })
  assert.equal([placedOf(run, 'a'), placedOf(run, 'x'), placedOf(run, 'b')], ['m2', 'm1', 'm2'])
})

test('a process that died with its machine while the placer was dead is missing, and is not started again', async () => {
  const plan = faults('kill placer@p at 20', 'kill @m1 at 25', 'restart placer@p at 50')
  const run = await play({ jobs: [job('a'), job('b')] }, { faults: plan })
  assert.equal([...(run.heard.get('a')?.ended ?? [])], [['m1', 'missing']])
  assert.equal(run.heard.get('a')?.placed, [['m1']])
  assert.is(usedBy(run, 'a', 'm2'), 0)
})

both('a placer that is killed at any instant of a placement and restarted places everything once', async (runtime) => {
  const jobs = [
    ...[job('a', 100, { at: units(10), program: work }), job('b', 100, { at: units(10) })],
    ...[spread('z', 2, { at: units(10) }), job('c', 100, { at: units(10) })],
  ]
  const instants = [11.5, 12, 12.5, 13, 13.5, 14, 15, 17, 19, 23, 90]
  for (const terms of [asking(2), INFORMED]) {
    for (const at of runtime === 'inline' ? instants : [12.5, 14]) {
      const plan = faults(`kill placer@p at ${at}`, `restart placer@p at ${at + 30}`)
      const joined: string[] = []
      const onFact: PlacementCourse['onFact'] = (fact, { who }) => {
        if (fact.type === 'joined' && fact['job'] !== 'z') joined.push(`${fact['job']} ${who}`)
      }
      const run = await play({ jobs, terms }, { faults: plan, onFact }, { runtime, network: network(1) })
      const once = joined.map((line) => line.slice(0, 1)).sort()
      assert.equal(once, ['a', 'b', 'c'], `${terms.ask} killed at ${at}: ${joined.join()}`)
      for (const { name } of jobs) {
        const heard = run.heard.get(name)
        assert.ok((heard?.placed.length ?? 0) > 0 || heard?.ended.size === 1, `${name}, killed at ${at}`)
      }
      assert.is(usedBy(run, 'a'), short)
      assert.ok(usedBy(run, 'z') > units(100))
      assert.equal(run.broken, [])
    }
  }
})

test('a process that ended while the placer was dead is missing, and does not count any more', async () => {
  const plan = faults('kill placer@p at 20', 'restart placer@p at 100')
  const jobs = [job('a', 100, { program: work }), job('b'), job('c'), job('d'), job('e', 100, { at: units(120) })]
  const run = await play({ jobs }, { faults: plan })
  assert.equal([...(run.heard.get('a')?.ended ?? [])], [['m1', 'missing']])
  assert.is(placedOf(run, 'e'), 'm1')
})

test('a process whose machine answers late is missing, then found, and its user hears how it ends', async () => {
  const plan = faults('kill placer@p at 20', 'pause processor@m1 for 40 at 45', 'restart placer@p at 50')
  const heard: string[] = []
  const onFact: PlacementCourse['onFact'] = (fact, { who }) => {
    if (roleOf(who) === 'user' && fact['job'] === 'a') heard.push(fact.type)
  }
  const jobs = [
    job('a', 100, { program: { kind: 'compute', work: units(100) } }),
    job('b'),
    job('c', 100, { at: units(120) }),
  ]
  const run = await play({ jobs }, { faults: plan, onFact }, { network: { ...network(1), duplicate: 0.5 } })
  const without = heard.filter((type, i) => type !== heard[i - 1])
  assert.equal(without, ['placed', 'missing', 'found', 'exited'])
  assert.equal([...(run.heard.get('a')?.ended ?? [])], [['m1', 'done']])
  const later = job('d', 100, { at: units(140) })
  const still = await play({ jobs: [job('a'), ...jobs.slice(1), later] }, { faults: plan })
  assert.equal([...(still.heard.get('a')?.ended ?? [])], [])
  assert.is(placedOf(still, 'c'), 'm3', 'm1 has not answered the placer yet')
  assert.is(placedOf(still, 'd'), 'm4', 'a counts again')
})

/** The states that the placement of a job enters. */
async function statesOf(name: string, given: Given, course: PlacementCourse = {}): Promise<string[]> {
  const states: string[] = []
  const onSystem: PlacementCourse['onSystem'] = (system) =>
    system.onLine((line) => {
      if (line.t === 'entered' && line['key'] === name) states.push(String(line['state']))
    })
  await play(given, { ...course, onSystem }, { network: network(1), trace: true })
  return states
}

test('a placement tells how far it is, under an inquiry, a silent machine, and to the end of its job', async () => {
  const a = job('a', 100, { program: work })
  const found = ['queued', 'inquiring', 'submitted', 'placed', 'ended']
  assert.equal(await statesOf('a', { jobs: [a], terms: asking(2) }), found)
  assert.equal(await statesOf('a', { jobs: [a] }, { faults: faults('kill @m1 at 0.5') }), [
    'queued',
    'submitted',
    'queued',
    'submitted',
    'placed',
    'ended',
  ])
  assert.equal(await statesOf('a', { jobs: [{ ...a, tickets: 1e-9 }] }), [])
  assert.equal(await statesOf('a', { jobs: [{ ...a, currency: 'none' }] }), ['queued', 'submitted', 'refused'])
})

test('a placer that dies when a placement enters a state asks for its processes after that', async () => {
  const plan = faults('restart placer@p when placer@p placement a enters placed')
  const states = await statesOf('a', { jobs: [job('a')] }, { faults: plan })
  assert.equal(states, ['queued', 'submitted', 'placed', 'doubted', 'placed'])
})

test('with reliable delivery on a network that duplicates and loses, every job is placed once', async () => {
  const jobs = Array.from({ length: 8 }, (_, i) => job(`j${i}`, 100, { at: units(i) }))
  for (const seed of [1, 2, 3]) {
    const lossy = { ...network(1, 1), loss: 0.2, duplicate: 0.2 }
    const terms = { ...asking(2), timeout: units(1000) }
    const run = await play({ jobs, terms }, { until: units(5000) }, { seed, network: lossy, reliable: true })
    for (const { name } of jobs) assert.is(run.heard.get(name)?.placed.length, 1)
  }
})

test('on a network that duplicates, a duplicate submit is no refusal', async () => {
  const jobs = Array.from({ length: 8 }, (_, i) => job(`j${i}`, 100, { at: units(i) }))
  const run = await play({ jobs, terms: asking(2) }, {}, { network: { ...network(1, 1), duplicate: 0.5 } })
  for (const { name } of jobs)
    assert.equal([refusalOf(run, name), (run.heard.get(name)?.placed.length ?? 0) > 0], [null, true])
})

test.run()
