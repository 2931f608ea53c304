/** Requests between actors: what comes back of an ask, and what does not. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Message, units } from '../../lib/actor.ts'
import { register } from '../../lib/core/code-registry.ts'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { Replay } from '../../lib/replay/replay.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { System } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { both, errorOf, type Fact, factsOf, fixture, network, type Options, withSystem } from './harness.ts'

const DESK = fixture('desk.ts')
register({ actors: [DESK] })

const FAR = { network: network(2) }
const question = (n: number): Message => ({ type: 'question', n })
const slow = (n: number, delay: number, times = 1): Message => ({
  type: 'slow question',
  n,
  delay: units(delay),
  times,
})
const asks = (id: string, to: string, message: Message, deadline = 10): Message => ({
  type: 'ask',
  id,
  to,
  message,
  deadline: units(deadline),
})

async function desks(system: System, ...addresses: readonly string[]): Promise<Fact[]> {
  const facts = factsOf(system)
  for (const address of addresses) await system.spawn(address, DESK)
  return facts
}

/** Each outcome as `id: outcome at time`. */
const outcomesOf = (facts: readonly Fact[]): string[] =>
  facts.flatMap(({ type, id, outcome, at }) =>
    type === 'outcome' ? [`${id}: ${JSON.stringify(outcome)} at ${Number(at) / units(1)}`] : [],
  )

const replyOf = (n: number): string => `{"reply":{"type":"answer","n":${n}}}`

both(
  'an ask and a timer of one id leave each other alone',
  async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2')
    // a asks with the id of the timer that it sets for the question of b, once before and once after that
    await system.tell('a@m1', asks('ready 1', 'b@m2', slow(5, 20), 40))
    await system.tell('b@m2', asks('x', 'a@m1', slow(1, 10), 40))
    await system.tell('b@m2', asks('y', 'a@m1', slow(2, 10), 40))
    await system.tell('a@m1', asks('ready 2', 'b@m2', slow(6, 20), 40))
    await system.run()
    assert.equal(
      outcomesOf(facts)
        .map((text) => text.replace(/ at .*/, ''))
        .sort(),
      [`ready 1: ${replyOf(10)}`, `ready 2: ${replyOf(12)}`, `x: ${replyOf(2)}`, `y: ${replyOf(4)}`],
    )
  },
  FAR,
)

both(
  'an ask brings the first message that its recipient sends back while it handles the request, as one event',
  async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', asks('x', 'b@m2', question(21)))
    await system.tell('b@m2', question(1)) // nobody asked: the answer is an ordinary message
    await system.run()
    assert.equal(outcomesOf(facts), [`x: ${replyOf(42)} at 4`])
    assert.equal(
      facts.flatMap(({ type, isRequest }) => (type === 'asked' ? [isRequest] : [])),
      [false, true],
    )
  },
  FAR,
)

both(
  'a request may be answered later, by another actor, or be refused',
  async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2', 'c@m3')
    await system.tell('a@m1', asks('later', 'b@m2', slow(1, 3)))
    await system.tell('a@m1', asks('refused', 'b@m2', { type: 'bad question' }))
    const passed = { type: 'passed question', to: 'c@m3', deadline: units(10) }
    await system.tell('a@m1', asks('passed', 'b@m2', { ...passed, n: 2, message: question(5) }, 20))
    await system.tell(
      'a@m1',
      asks('passed refusal', 'b@m2', { ...passed, n: 3, message: { type: 'bad question' } }, 20),
    )
    await system.run()
    assert.equal(outcomesOf(facts), [
      'refused: {"refusal":"a bad question"} at 4',
      `later: ${replyOf(2)} at 7`,
      `passed: ${replyOf(10)} at 8`,
      'passed refusal: {"refusal":"a bad question"} at 8',
    ])
  },
  FAR,
)

both(
  'an ask without an answer before its deadline brings a timeout, and an answer of that instant is in time',
  async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2', 'dead@m3')
    await system.run()
    await system.kill('dead@m3')
    await system.tell('a@m1', asks('silent', 'b@m2', { type: 'silent question' }, 5))
    await system.tell('a@m1', asks('dead', 'dead@m3', question(1), 6))
    await system.tell('a@m1', asks('just', 'b@m2', slow(1, 3), 7))
    await system.run()
    assert.equal(outcomesOf(facts), [
      'silent: {"timeout":true} at 5',
      'dead: {"timeout":true} at 6',
      `just: ${replyOf(2)} at 7`,
    ])
  },
  FAR,
)

both('an ask of an actor that is unknown to the asker, or has left, is refused at once', async (system) => {
  const facts = await desks(system, 'a@m1', 'gone@m2')
  await system.tell('gone@m2', { type: 'stop' })
  await system.run()
  await system.tell('a@m1', asks('nobody', 'nobody@m9', question(1)))
  await system.tell('a@m1', asks('gone', 'gone@m2', question(1)))
  await system.run()
  assert.equal(outcomesOf(facts), [
    'nobody: {"refusal":"no such actor"} at 0',
    'gone: {"refusal":"the actor has stopped"} at 0',
  ])
})

both(
  'of several answers the first counts, and each later one is a dead letter',
  async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', asks('late', 'b@m2', slow(1, 3), 2))
    await system.tell('a@m1', asks('twice', 'b@m2', slow(2, 1, 2)))
    await system.tell('a@m1', asks('eager', 'b@m2', { type: 'eager question', n: 7 }))
    await system.run()
    assert.equal(outcomesOf(facts), [
      'late: {"timeout":true} at 2',
      `eager: ${replyOf(7)} at 4`,
      `twice: ${replyOf(4)} at 5`,
    ])
    assert.equal([...system.deadLetters], [['the answer came too late', 3]])
    assert.equal(
      facts.flatMap(({ type, n }) => (type === 'told' ? [n] : [])),
      [-7],
    )
  },
  FAR,
)

both(
  'an ask ends when it is cancelled or asked again, and with its asker',
  async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2', 'c@m3')
    await system.tell('a@m1', asks('x', 'b@m2', question(1)))
    await system.tell('a@m1', { type: 'cancel', id: 'x' })
    await system.tell('a@m1', asks('y', 'b@m2', slow(2, 1)))
    await system.tell('a@m1', asks('y', 'b@m2', question(3)))
    await system.tell('c@m3', asks('z', 'b@m2', slow(4, 5)))
    system.at(units(6), () => system.restart('c@m3'))
    await system.run()
    assert.equal(outcomesOf(facts), [`y: ${replyOf(6)} at 4`])
    assert.equal([...system.deadLetters], [['the answer came too late', 3]])
    assert.is(system.now, units(9)) // the deadlines have gone with their asks
  },
  FAR,
)

both(
  'an actor that asks more than option asks allows fails, and the error names the option',
  async (system) => {
    await desks(system, 'a@m1', 'b@m2')
    const causes: string[] = []
    system.onDeath(({ cause }) => causes.push(cause.message))
    for (const id of ['1', '2', '2']) await system.tell('a@m1', asks(id, 'b@m2', { type: 'silent question' }))
    await system.run()
    assert.equal(causes, [])
    for (const id of ['3', '4', '5']) await system.tell('a@m1', asks(id, 'b@m2', { type: 'silent question' }))
    await system.run()
    assert.equal(causes, ['3 asks of one actor are open, and option asks allows 2'])
  },
  { asks: 2 },
)

both('a program that asks an actor may get its answer later, or a refusal', async (system) => {
  await desks(system, 'b@m2')
  const soon = { deadline: units(5) }
  assert.equal(await system.ask('b@m2', slow(4, 3), soon), { type: 'answer', n: 8 })
  const error = await errorOf(system.ask('b@m2', { type: 'bad question' }, soon))
  assert.equal([error.name, error.message], ['AskRefused', "b@m2 refused 'bad question': a bad question"])
})

/** Many asks over a bad network, with the death of an asker. */
async function rough(options: Options) {
  return withSystem({ record: true, trace: true, ...options }, async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2', 'c@m3')
    for (let n = 0; n < 30; n++) {
      const message = n % 3 === 0 ? slow(n, 4) : n % 3 === 1 ? question(n) : { type: 'bad question' }
      const passed = { type: 'passed question', n, to: 'c@m3', message, deadline: units(9) }
      await system.tell('a@m1', asks(`${n}`, 'b@m2', n % 2 ? message : passed, 20))
    }
    system.at(units(5), () => system.restart('c@m3'))
    await system.run()
    const dead = [...system.deadLetters].sort()
    const lines = [...system.recorded()]
    await system.stop()
    return { outcomes: outcomesOf(facts), dead, lines, hash: system.traceHash }
  })
}

const BAD = { network: { latency: units(1), jitter: units(1), loss: 0.2, duplicate: 0.2 } }

test('asks over a bad network end in one outcome each, equal on threads and inline, and are replayed', async () => {
  for (const reliable of [null, true]) {
    const [threads, inline] = [await rough({ ...BAD, reliable }), await rough({ ...BAD, reliable, runtime: 'inline' })]
    assert.is(threads.outcomes.length, 30)
    assert.is(new Set(threads.outcomes.map((text) => text.slice(0, text.indexOf(':')))).size, 30)
    assert.equal(inline.outcomes, threads.outcomes)
    assert.equal(inline.dead, threads.dead)
    assert.is(inline.hash, threads.hash)
    const trace = traceOf(inline.lines.map((line) => JSON.parse(JSON.stringify(line))))
    assert.ok([...(await Replay.open(trace))].length > 60)
    for (const who of ['a@m1', 'b@m2', 'c@m3']) assert.ok([...(await Replay.open(trace, who))].length > 5)
  }
})

test('in real time asks bring their outcomes', () =>
  withSystem({ time: 'real', scale: 1, ...FAR }, async (system) => {
    const facts = await desks(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', asks('x', 'b@m2', question(1), 10_000))
    await system.tell('a@m1', asks('silent', 'b@m2', { type: 'silent question' }, 20))
    await system.run()
    assert.equal(
      facts.flatMap(({ type, id, outcome }) => (type === 'outcome' ? [`${id} ${JSON.stringify(outcome)}`] : [])).sort(),
      ['silent {"timeout":true}', `x ${replyOf(2)}`],
    )
  }))

const specification: Specification = {
  options: { seed: 1, ...FAR },
  faults: [],
  addresses: ['a@m1', 'b@m2', 'c@m3'],
  tasks: 1,
  only: () => specification,
  open: async (system) => {
    const facts = factsOf(system)
    const [x, y] = [slow(1, 1), question(2)].map((message) => ({ id: 'x', to: 'b@m2', message, deadline: units(6) }))
    await system.spawn('a@m1', DESK, { asks: x ? [x] : [] })
    await system.spawn('b@m2', DESK)
    await system.spawn('c@m3', DESK, { asks: y ? [y] : [] })
    return {
      outcome: () =>
        facts
          .flatMap(({ type, who, outcome }) => (type === 'outcome' ? [`${who} ${JSON.stringify(outcome)}`] : []))
          .sort()
          .join(),
      violations: () => [],
    }
  },
}

test('exploration finds the reply and the timeout of each ask, with the reduction and without', async () => {
  const all = { depth: Number.POSITIVE_INFINITY, schedules: 1000 }
  const [less, more] = [
    await exhaust({ specification, reduce: true, ...all }),
    await exhaust({ specification, reduce: false, ...all }),
  ]
  const late = '{"timeout":true}'
  const expected = [replyOf(2), late].flatMap((a) => [replyOf(4), late].map((c) => `a@m1 ${a},c@m3 ${c}`))
  for (const found of [less, more]) {
    assert.equal([...found.outcomes.keys()].sort(), expected.sort())
    assert.equal([found.bound, found.failures], [undefined, []])
  }
  assert.ok(less.schedules <= more.schedules)
})

test.run()
