/** The steps of a trace. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { traceOf } from '../../lib/trace/read.ts'
import { incarnationName, thingOf } from '../../lib/trace/run.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { does, fixture, note, PUPPET, spawnPuppets } from '../system/harness.ts'
import { linesOf, marketLines, marketRun } from './traces.ts'

test('every line of a market belongs to one step, and steps are numbered by incarnation and by run', async () => {
  const lines = await marketLines()
  const run = runOf(traceOf(lines))
  const count = (t: string) => lines.filter((line) => line.t === t).length
  const sum = (of: (step: (typeof run.steps)[number]) => number) => run.steps.reduce((n, step) => n + of(step), 0)
  assert.is(run.steps.length, count('start') + count('deliver') + count('timer'))
  assert.is(
    sum(({ sends }) => sends.length),
    count('send') - run.system.filter(({ type }) => type === 'send').length,
  )
  assert.is(
    sum(({ facts }) => facts.length),
    count('fact'),
  )
  assert.is(
    sum(({ records }) => records.length),
    count('persist'),
  )
  assert.equal(
    run.steps.map(({ index }) => index),
    run.steps.map((_, i) => i),
  )
  for (const incarnation of run.incarnations) {
    assert.equal(
      incarnation.steps.map(({ n }) => n),
      incarnation.steps.map((_, i) => i),
    )
    assert.is(incarnation.steps[0]?.on.what, 'start')
  }
})

test('a step with mail has its sender and message, one with a timer has its event, and a state lasts until the next', async () => {
  const run = await marketRun()
  const bid = run.steps.find(({ on }) => on.what === 'mail' && on.type === 'bid')
  assert.ok(bid?.on.what === 'mail')
  assert.match(bid.on.from, /^contractor@m/)
  assert.is(bid.on.message?.type, 'bid')
  assert.is(run.sends.get(bid.on.id)?.to, bid.who)
  assert.is(thingOf(bid), bid.on.id)
  assert.is(run.steps[run.sends.get(bid.on.id)?.step ?? -1]?.who, bid.on.from)
  const timer = run.steps.find(({ on }) => on.what === 'timer')
  assert.ok(timer?.on.what === 'timer')
  assert.equal(timer.on.event, { type: 'arrive' })
  const states = run.incarnations
    .find(({ who }) => who === 'contractor@m3')
    ?.steps.map(({ state }) => JSON.stringify(state))
  assert.equal(new Set(states), new Set(['{"trading":"free"}', '{"trading":"busy"}']))
})

test('a crash is a step without effects, and the next incarnation gets the records of the first', async () => {
  const lines = await linesOf({}, async (system) => {
    await system.spawn('a@m1', PUPPET, null, { restart: 'permanent' })
    await spawnPuppets(system, 'b@m2')
    await system.tell('a@m1', does({ act: 'persist', record: 'kept' }, note('b@m2', 1)))
    await system.tell('a@m1', does({ act: 'throw', text: 'oh' }))
    await system.run()
  })
  const run = runOf(traceOf(lines))
  const [first, second] = run.incarnations.filter(({ who }) => who === 'a@m1')
  assert.ok(first && second)
  assert.equal([first, second].map(incarnationName), ['a@m1', 'a@m1#2'])
  const last = first.steps[first.steps.length - 1]
  assert.equal([last?.crash?.message, last?.sends], ['oh', []])
  assert.equal([first.end?.type, first.end?.message], ['died', 'oh'])
  assert.equal([first.records, second.records, second.end], [[], ['kept'], null])
})

test('an actor is told of a new actor in a step of its own', async () => {
  const lines = await linesOf({}, async (system) => {
    await system.spawn('a@m1', fixture('member.ts'))
    await system.run()
    await system.spawn('a@m2', fixture('member.ts'))
    await system.run()
  })
  const heard = runOf(traceOf(lines)).steps.find(({ on }) => on.what === 'mail' && on.type === 'joined')
  assert.ok(heard?.on.what === 'mail')
  assert.equal([heard.who, heard.on.from, heard.on.message], ['a@m1', 'system', { type: 'joined', address: 'a@m2' }])
})

test('a lost message is a dead letter with its reason, and a fault is an event of the system', async () => {
  const run = await marketRun({ faults: ['kill @m3 at 20'] })
  assert.ok(run.deadLetters.some(({ to, reason }) => to === 'contractor@m3' && reason !== ''))
  const fault = run.system.find(({ type }) => type === 'fault')
  assert.is(fault?.type === 'fault' && fault.fault, 'kill @m3 at 20')
  assert.is(run.incarnations.find(({ who }) => who === 'contractor@m3')?.end?.cause, 'Killed')
})

test.run()
