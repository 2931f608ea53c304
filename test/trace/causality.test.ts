/** Happens-before by vector clocks, compared with its definition. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { STANDARD } from '../../actors/bidding/terms.ts'
import { units } from '../../lib/core/time.ts'
import { Causality } from '../../lib/trace/causality.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { type Run, runOf, type Step } from '../../lib/trace/steps.ts'
import { does, fixture, note, notes, spawnPuppets } from '../system/harness.ts'
import { linesOf, marketRun } from './traces.ts'

/** Happens-before by definition: the transitive closure of program order and messages between actors. */
function closure(run: Run): boolean[][] {
  const before: boolean[][] = run.steps.map(() => new Array(run.steps.length).fill(false))
  for (const step of run.steps) {
    const causes: number[] = []
    const earlier = run.steps.filter(({ who, index }) => who === step.who && index < step.index)
    causes.push(...earlier.map(({ index }) => index))
    const sender = step.on.what === 'mail' ? run.sends.get(step.on.id)?.step : undefined
    if (typeof sender === 'number') causes.push(sender)
    for (const cause of causes) {
      const row = before[cause] ?? []
      before.forEach((other, i) => {
        if (i === cause || other[cause]) other[step.index] = true
      })
      row[step.index] = true
    }
  }
  return before
}

test('without events of the system, vector clocks agree with the definition for every pair of steps', async () => {
  const run = await marketRun({ tasks: 8 })
  const causality = new Causality(run)
  const before = closure(run)
  let concurrent = 0
  for (const a of run.steps) {
    for (const b of run.steps) {
      assert.is(causality.happensBefore(a, b), before[a.index]?.[b.index], `${a.index} ${b.index}`)
      const neither = a !== b && !before[a.index]?.[b.index] && !before[b.index]?.[a.index]
      assert.is(causality.concurrent(a, b), neither)
      if (neither) concurrent++
    }
  }
  assert.ok(concurrent > run.steps.length, `${concurrent} pairs`)
})

const find = (run: Run, holds: (step: Step) => boolean): Step => {
  const step = run.steps.find(holds)
  assert.ok(step, 'no such step')
  return step
}
const isMail = (type: string, who: string) => (step: Step) =>
  step.who === who && step.on.what === 'mail' && step.on.type === type

test('two messages of one actor to two others are handled concurrently, unless one is passed on to the other', async () => {
  const run = runOf(
    traceOf(
      await linesOf({}, async (system) => {
        await spawnPuppets(system, 'a@m1', 'b@m2', 'c@m3')
        await system.tell(
          'a@m1',
          does(note('b@m2', 1), { act: 'tell', to: 'c@m3', message: does(...notes('b@m2', 1, 2)) }),
        )
        await system.run()
      }),
    ),
  )
  const causality = new Causality(run)
  const told = find(run, isMail('do', 'a@m1'))
  const [first, second] = run.steps.filter(isMail('note', 'b@m2'))
  const passed = find(run, isMail('do', 'c@m3'))
  assert.ok(first && second)
  assert.ok(causality.concurrent(first, passed))
  assert.ok(causality.happensBefore(passed, second))
  assert.not(causality.happensBefore(second, passed))
  assert.equal(
    causality
      .past(second)
      .map(({ who, n }) => `${who} ${n}`)
      .sort(),
    ['a@m1 0', 'a@m1 1', 'b@m2 0', 'b@m2 1', 'c@m3 0', 'c@m3 1'],
  )
  assert.ok(causality.future(told).includes(second))
  assert.not(causality.happensBefore(told, told))
})

test('a report of an actor to the system happens before the messages that the system sends afterwards', async () => {
  const run = runOf(
    traceOf(
      await linesOf({}, async (system) => {
        await spawnPuppets(system, 'a@m1', 'b@m2', 'c@m3')
        await system.tell('c@m3', does())
        await system.ask('a@m1', { type: 'question', n: 1 }, { deadline: units(5) })
        await system.tell('b@m2', { type: 'note', n: 1 })
        await system.run()
      }),
    ),
  )
  const causality = new Causality(run)
  const asked = find(run, isMail('question', 'a@m1'))
  const told = find(run, isMail('note', 'b@m2'))
  assert.ok(causality.happensBefore(asked, told))
  assert.ok(causality.concurrent(asked, find(run, isMail('do', 'c@m3'))))
  assert.ok(causality.concurrent(told, find(run, isMail('do', 'c@m3'))))
})

test('an incarnation after one that stopped by itself happens after all its steps', async () => {
  const run = runOf(
    traceOf(
      await linesOf({}, async (system) => {
        await system.spawn('a@m1', fixture('member.ts'), null, { restart: 'permanent' })
        await system.tell('a@m1', { type: 'stop' })
        const module = new URL('../../actors/bidding/dsp/contractor.ts', import.meta.url)
        await system.spawn('contractor@m2', module, { index: 1, speed: 1, terms: STANDARD })
        await system.run()
      }),
    ),
  )
  const causality = new Causality(run)
  const stop = find(run, isMail('stop', 'a@m1'))
  assert.ok(stop.stopped)
  // a contractor is told only of new actors
  assert.ok(causality.happensBefore(stop, find(run, isMail('joined', 'contractor@m2'))))
})

test('a new incarnation happens after the previous one, and a counted fault after the messages that it counted', async () => {
  const run = await marketRun({ tasks: 8, faults: ['restart contractor@m1 after 2 rfb'] })
  const causality = new Causality(run)
  const start = find(run, ({ who, incarnation, n }) => who === 'contractor@m1' && incarnation === 1 && n === 0)
  const old = run.steps.filter(({ who, incarnation }) => who === 'contractor@m1' && incarnation === 0)
  assert.ok(old.length > 2)
  for (const step of old) assert.ok(causality.happensBefore(step, start))
  const counted = find(run, isMail('rfb', 'contractor@m1'))
  const heard = run.steps.filter(({ on }) => on.what === 'mail' && on.type === 'joined')
  assert.ok(heard.length > 0)
  for (const step of heard) assert.ok(causality.happensBefore(counted, step))
  assert.equal(run.system[causality.systemKnown(start) - 1]?.type, 'begin')
})

test.run()
