import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PendingComputations } from '../../lib/actor/pending-computations.ts'
import type { Outcome, Plain } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import { type Death, System } from '../../lib/system.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { TYPESCRIPT } from '../typescript.ts'
import {
  both,
  does,
  errorOf,
  type Fact,
  factsOf,
  linesOf,
  note,
  type Options,
  openHandles,
  PUPPET,
  spawnPuppets,
  until,
  withSystem,
} from './harness.ts'

/** Options for real time, with a millisecond per unit. */
const REAL: Options = { time: 'real', scale: 1 }
const CALLS = new URL('../fixtures/modules/calls.ts', import.meta.url)
const files = mkdtempSync(join(tmpdir(), 'bourse-compute-'))

const callAs = (id: string, name: string, ...args: readonly Plain[]): Act => ({
  act: 'compute',
  id,
  call: { module: CALLS.href, export: name, args },
})

const call = (name: string, ...args: readonly Plain[]): Act => callAs(name, name, ...args)

/** A call that never ends, and a promise that resolves when the call has begun. */
function endless(name: string) {
  const file = join(files, name)
  const asked = callAs(name, 'loops', file)
  return { asked, begun: () => until(() => existsSync(file)) }
}

const computedOf = (facts: readonly Fact[]) => facts.filter(({ type }) => type === 'computed')

/** The outcomes of calls, by the names of the calls. */
async function outcomesOf(options: Options, ...calls: readonly Act[]): Promise<Map<string, Outcome>> {
  return withSystem({ ...REAL, ...options }, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1')
    await system.tell('a@m1', does(...calls))
    assert.is((await system.run()).ended, 'idle')
    const told = computedOf(facts)
    assert.is(told.length, calls.length)
    return new Map(told.map(({ id, outcome }) => [String(id), JSON.parse(JSON.stringify(outcome))]))
  })
}

const errorIn = (outcome: Outcome | undefined) => (outcome && 'error' in outcome ? outcome.error : undefined)

test('a computation runs in parallel with its actor, its result arrives as an event, and the run waits for it', async () => {
  await withSystem(REAL, async (system) => {
    const facts = factsOf(system)
    const lines = linesOf(system, 'compute', 'computed')
    await spawnPuppets(system, 'a@m1')
    await system.tell(
      'a@m1',
      does(call('add', 2, 3), call('later', 4), call('nothing'), call('bytes'), note('a@m1', 1)),
    )
    assert.is((await system.run()).ended, 'idle')
    const results = new Map(computedOf(facts).map(({ id, outcome }) => [id, outcome]))
    assert.equal(results.get('add'), { result: 5 })
    assert.equal(results.get('bytes'), { result: { deep: [Uint8Array.of(97, 98, 99)] } })
    assert.equal(results.get('later'), { result: { n: 4 } })
    assert.equal(results.get('nothing'), { result: null })
    assert.ok(
      computedOf(facts).every(({ took, from, at }) => Number(took) > 0 && Number(took) < at && from === 'system'),
    )
    assert.ok(facts.findIndex(({ type }) => type === 'noted') < facts.findIndex(({ type }) => type === 'computed'))
    assert.equal(
      lines.filter(({ t }) => t === 'compute').map(({ id }) => id),
      ['add', 'later', 'nothing', 'bytes'],
    )
    assert.equal(lines.filter(({ t }) => t === 'computed').length, 4)
  })
})

test('an error of a computation comes back with its class, its message and its place in the .ts file', async () => {
  const outcomes = await outcomesOf({}, call('refuses', 9), call('throwsText'), call('price'), call('nowhere'))
  const refusal = errorIn(outcomes.get('refuses'))
  assert.is(refusal?.name, 'Refusal')
  assert.is(refusal?.message, 'no deal at 9')
  assert.match(refusal?.stack ?? '', /test\/fixtures\/modules\/calls\.ts:\d+:\d+/)
  assert.is(errorIn(outcomes.get('throwsText'))?.message, 'a text')
  assert.match(errorIn(outcomes.get('price'))?.message ?? '', /calls\.ts exports no function 'price'/)
  assert.match(errorIn(outcomes.get('nowhere'))?.message ?? '', /exports no function 'nowhere'/)
})

test('a computation that exits, never resolves or cannot load ends with an error and kills no actor', async () => {
  const absent: Act = { act: 'compute', id: 'absent', call: { module: '/no/such.ts', export: 'x', args: [] } }
  const broken = new URL('../fixtures/modules/throws.ts', import.meta.url).href
  const throwing: Act = { act: 'compute', id: 'throwing', call: { module: broken, export: 'x', args: [] } }
  const outcomes = await outcomesOf({}, call('exits'), call('neverResolves'), call('leavesTimer'), absent, throwing)
  assert.match(errorIn(outcomes.get('exits'))?.message ?? '', /ended before the function returned \(exit code 3\)/)
  assert.match(errorIn(outcomes.get('neverResolves'))?.message ?? '', /ended before the function returned/)
  assert.is(errorIn(outcomes.get('exits'))?.code, 'BOURSE_COMPUTATION')
  assert.equal(outcomes.get('leavesTimer'), { result: 'left' })
  assert.match(errorIn(outcomes.get('absent'))?.message ?? '', /cannot bundle .*such\.ts: there is no such file/)
  assert.ok(errorIn(outcomes.get('throwing')))
})

test('a computation beyond a limit ends with an error that names the option', async () => {
  const limits = { computations: 2, resultMB: 0.01, computationMB: 16 }
  const first = await outcomesOf(limits, call('fillsMemory'), call('long', 20_000), call('add', 1, 1))
  for (const id of ['fillsMemory', 'long', 'add']) assert.is(errorIn(first.get(id))?.code, 'BOURSE_LIMIT', id)
  assert.match(errorIn(first.get('fillsMemory'))?.message ?? '', /more than 16 MB \(option computationMB\)/)
  assert.match(errorIn(first.get('long'))?.message ?? '', /0\.0 MB, more than 0\.01 \(option resultMB\)/)
  assert.match(errorIn(first.get('add'))?.message ?? '', /more than 2 computations at once \(option computations\)/)
  const second = await outcomesOf({}, call('buffer'))
  assert.is(errorIn(second.get('buffer'))?.name, 'NotPlainError')
  assert.match(errorIn(second.get('buffer'))?.message ?? '', /^result\.deep\[0\] is an instance of Float64Array/)
})

test('a computation that replaces another does not count twice against the limit', async () => {
  await withSystem({ ...REAL, computations: 1 }, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1')
    const loop = endless('replaced')
    await system.tell('a@m1', does(loop.asked))
    const run = system.run()
    await loop.begun()
    await system.tell('a@m1', does(callAs('replaced', 'add', 1, 2), callAs('replaced', 'add', 3, 4)))
    assert.is((await run).ended, 'idle')
    assert.equal(
      computedOf(facts).map(({ outcome }) => outcome),
      [{ result: 7 }],
    )
  })
})

test('a result that does not fit into mail memory ends the run, and the error names the limit', async () => {
  await withSystem({ ...REAL, memoryMB: 2 }, async (system) => {
    await spawnPuppets(system, 'a@m1')
    await system.tell('a@m1', does(call('long', 4_000_000)))
    const error = await errorOf(system.run())
    assert.is(error.name, 'MailMemoryFull')
    assert.match(error.message, /option memoryMB/)
  })
})

both('a computation in virtual time ends its actor, and the cause says that it needs real time', async (system) => {
  const deaths: Death[] = []
  system.onDeath((death) => deaths.push(death))
  await spawnPuppets(system, 'a@m1')
  await system.tell('a@m1', does(call('add', 1, 2)))
  await system.run()
  assert.match(deaths[0]?.cause.message ?? '', /takes real time.*--time real/)
})

test('a computation that is cancelled or replaced stops at any point and returns nothing', async () => {
  await withSystem(REAL, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1')
    await system.run()
    const before = openHandles()
    for (const next of [{ act: 'cancel', id: 'again' } as const, callAs('again', 'add', 1, 2)]) {
      const loop = endless('again')
      await system.tell('a@m1', does(loop.asked))
      const run = system.run()
      await loop.begun()
      assert.is.not(openHandles(), before)
      await system.tell('a@m1', does(next))
      assert.is((await run).ended, 'idle')
      await until(() => openHandles() === before)
      rmSync(join(files, 'again'))
    }
    assert.equal(
      computedOf(facts).map(({ outcome }) => outcome),
      [{ result: 3 }],
    )
  })
})

test('the result of a replaced computation is no longer awaited', () => {
  const computing = new PendingComputations()
  const call = { module: CALLS.href, export: 'add', args: [1, 2] }
  assert.equal(computing.begin('a', call), { begin: 'a', n: 0, call })
  assert.equal(computing.begin('a', call), { begin: 'a', n: 1, call })
  assert.equal([computing.take('a', 0), computing.take('a', 1), computing.take('a', 1)], [false, true, false])
  assert.is(computing.cancel('a'), undefined)
})

for (const [how, end] of [
  ['is killed', (system: System) => system.kill('a@m1')],
  ['is restarted', (system: System) => system.restart('a@m1')],
  ['crashes', (system: System) => system.tell('a@m1', does({ act: 'throw', text: 'on purpose' }))],
  ['exits', (system: System) => system.tell('a@m1', does({ act: 'exit' }))],
  ['stops by itself', (system: System) => system.tell('a@m1', { type: 'stop' })],
] as const) {
  test(`when an actor ${how}, its computations stop, and the run ends`, async () => {
    await withSystem({ ...REAL, runtime: 'threads' }, async (system) => {
      system.onDeath(() => {})
      const facts = factsOf(system)
      await system.spawn('b@m2', PUPPET)
      await system.run()
      const before = openHandles()
      await system.spawn('a@m1', PUPPET)
      const loops = [endless(`first ${how}`), endless(`second ${how}`)]
      await system.tell('a@m1', does(...loops.map(({ asked }) => asked)))
      const run = system.run()
      for (const { begun } of loops) await begun()
      await end(system)
      assert.is((await run).ended, 'idle')
      if (how === 'is restarted') await system.kill('a@m1')
      await until(() => openHandles() === before)
      assert.equal(computedOf(facts), [])
    })
  })
}

test('a step that fails begins no computation', async () => {
  await withSystem(REAL, async (system) => {
    system.onDeath(() => {})
    const lines = linesOf(system, 'compute', 'computed')
    await spawnPuppets(system, 'a@m1')
    await system.tell('a@m1', does(call('add', 1, 2), { act: 'tell function', to: 'a@m1' }))
    await system.run()
    assert.equal(lines, [])
  })
})

test('stop ends computations and their threads', async () => {
  const first = new System({ memoryMB: 8, actors: 7, time: 'real' })
  await spawnPuppets(first, 'a@m1')
  await first.stop()
  const before = openHandles()
  const system = new System({ memoryMB: 8, actors: 7, time: 'real' })
  await spawnPuppets(system, 'a@m1')
  const loop = endless('stop')
  await system.tell('a@m1', does(loop.asked, call('add', 1, 2)))
  const run = system.run()
  await loop.begun()
  await system.stop()
  assert.is(openHandles(), before)
  assert.is((await run).ended, 'stopped')
})

test('a stop in the middle of a turn begins no computation whose request has not been read yet', async () => {
  const before = openHandles()
  const system = new System({ memoryMB: 8, actors: 7, time: 'real' })
  system.onFact(({ type }) => type === 'looked' && void system.stop())
  const loop = callAs('late', 'loops', join(files, 'late'))
  await spawnPuppets(system, 'a@m1')
  await system.tell('a@m1', does({ act: 'look', key: 'first' }, loop))
  await system.run()
  await system.stop()
  assert.is(openHandles(), before)
})

test('a run with a time limit may end before a computation, and the next run gets the result', async () => {
  await withSystem(REAL, async (system) => {
    const facts = factsOf(system)
    const [begun, go] = [join(files, 'begun'), join(files, 'go')]
    await spawnPuppets(system, 'a@m1')
    await system.tell('a@m1', does(call('waits', begun, go)))
    while (!existsSync(begun)) assert.is((await system.run({ until: system.now + units(10) })).ended, 'until')
    assert.not.ok(system.quiet)
    assert.is(computedOf(facts).length, 0)
    writeFileSync(go, '')
    assert.is((await system.run()).ended, 'idle')
    assert.equal(
      computedOf(facts).map(({ outcome }) => outcome),
      [{ result: 'gone' }],
    )
    assert.ok(system.quiet)
  })
})

test('the output of a computation goes to stderr', () => {
  const script = fileURLToPath(new URL('../fixtures/actors/prints.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [...TYPESCRIPT, script], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  assert.is(status, 0, stderr)
  assert.is(stdout, '')
  assert.is(stderr, 'printed by a computation\n')
})

test.after(() => rmSync(files, { recursive: true }))
test.run()
