/** The machines that the compiled engine runs, those that it leaves to XState, and those that both refuse. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { and, assign, cancel, createMachine, raise, sendParent } from 'xstate'
import { actor, observe, type Turn, turn } from '../../lib/actor.ts'
import { ENGINES, type Engine } from '../../lib/engine/engine.ts'
import { engineFor } from '../../lib/engine/select.ts'
import { fixture, withSystem } from '../system/harness.ts'
import { throwsSaying } from '../throws.ts'
import { inStep } from './in-step.ts'

type Context = { n: number; f?: () => number }
type Event = { type: 'go' } | { type: 'stay' }

const kit = actor<{ input: null; context: Context; event: Event }>()
const count = kit.onEntry(({ n }) => [{ n: n + 1 }])
const GO = { type: 'go' }

/** Machines that cannot be compiled, each with the reason. */
const REFUSED: readonly (readonly [machine: unknown, why: string])[] = [
  [createMachine({ type: 'parallel', states: { a: {}, b: {} } }), "parallel states in state '(machine)'"],
  [createMachine({ initial: 'a', states: { a: { after: { 10: 'b' } }, b: {} } }), "a delayed transition in state 'a'"],
  [
    createMachine({ entry: assign({ n: 1 }) }),
    "an action that `handlers`, `onEntry` or `setup` did not make in state '(machine)'",
  ],
  [
    createMachine({ on: { go: { actions: { type: 'cancel', params: { id: 't' } } } } }),
    'an action that `handlers`, `onEntry` or `setup` did not make',
  ],
  [
    createMachine({ on: { go: { guard: 'both' } } }).provide({ guards: { both: and([() => true, () => true]) } }),
    'a guard that is no',
  ],
  [createMachine({ on: { go: { guard: and([() => true, () => true]) } } }), 'a guard that is no plain function'],
  [
    createMachine({ initial: 'a', states: { a: { initial: 'b', states: { b: { type: 'final' } } } } }),
    "an end that is not the end of the machine in state 'a.b'",
  ],
  [createMachine({ initial: 'a', states: { a: { type: 'final' } }, output: 1 }), 'an output in state'],
  [
    createMachine({ initial: 'a', states: { a: { on: { go: 'b.c' } }, b: { type: 'final', states: { c: {} } } } }),
    "states in a state of type 'final' in state 'b'",
  ],
  [
    createMachine({ initial: 'a', states: { a: { on: { go: 'b.c' } }, b: { type: 'atomic', states: { c: {} } } } }),
    "states in a state of type 'atomic' in state 'b'",
  ],
  [
    createMachine({
      initial: 'a',
      on: { go: ['.a', '.b'].map((target) => ({ target: [target, '.b'] })) },
      states: { a: {}, b: {} },
    }),
    'a transition with several targets',
  ],
  [
    kit.createMachine({ context: { n: 0 } }).provide({ actions: { tell: assign({ n: 1 }) } }),
    "an action 'tell' of its own",
  ],
]

for (const [machine, why] of REFUSED) {
  test(`XState runs a machine with ${why}, with any engine option`, () => {
    for (const wanted of ['compiled', 'shadow'] as const) {
      const { name } = engineFor(wanted, machine, 'a module')
      assert.ok(name.startsWith('xstate, since it cannot be compiled: '), name)
      assert.ok(name.includes(why), name)
    }
    assert.is(engineFor('xstate', machine, 'a module').name, 'xstate')
  })
}

const send = sendParent({ type: 'go' })
for (const [where, machine] of [
  ['on entry', createMachine({ entry: send })],
  ['in `on go`', createMachine({ on: { go: { actions: send } } })],
  ['in `always`', createMachine({ always: { guard: () => false, actions: send } })],
  ['in `initial`', createMachine({ initial: { target: 'a', actions: send }, states: { a: {} } })],
] as const) {
  test(`a machine that sends by itself ${where} is refused by all engines`, () => {
    for (const wanted of ENGINES)
      throwsSaying(
        () => engineFor(wanted, machine, 'a module'),
        `uses sendTo, sendParent or forwardTo ${where} at its top level`,
      )
  })
}

test('a machine whose initial state does not exist is refused by all engines', () => {
  for (const config of [{ initial: 'x' }, { initial: 'x', states: { a: {} } }]) {
    const machine = createMachine(config)
    for (const wanted of ENGINES) throwsSaying(() => engineFor(wanted, machine, 'a module'), '"x" not found')
  }
})

/** Declares the same test for each engine. */
function each(title: string, machine: unknown, check: (engine: Engine) => void): void {
  for (const wanted of ENGINES)
    test(`${title} (${wanted})`, () => inStep(() => check(engineFor(wanted, machine, 'a module'))))
}

const countUp = turn((it: Turn<{ readonly n: number }>) => {
  it.context.n += 1
})
const pair = actor<{ input: null; context: { n: number; other: string }; event: Event }>()
each(
  'a turn that a handler lets change a part of its context leaves the other fields',
  pair.createMachine({
    context: { n: 1, other: 'kept' },
    on: pair.handlers({ go: ({ n }) => countUp({ n }) }),
  }),
  (engine) => {
    const [state] = engine.step(engine.initial(null)[0], GO)
    assert.equal(engine.view(state).context, { n: 2, other: 'kept' })
  },
)

each(
  'a field that a turn deletes is undefined, on each engine',
  kit.createMachine({
    context: { n: 1, f: () => 1 },
    on: kit.handlers({
      go: turn((it: Turn<Context>) => {
        delete it.context.f
        it.context.n += 1
      }),
      stay: ({ f }) => [{}, observe({ type: 'seen', isThere: f !== undefined })],
    }),
  }),
  (engine) => {
    const [state] = engine.step(engine.initial(null)[0], GO)
    assert.equal(engine.view(state).context, { n: 2, f: undefined })
    const [, effects] = engine.step(state, { type: 'stay' })
    assert.equal(effects, [observe({ type: 'seen', isThere: false })])
  },
)

each(
  'a turn that gives its draft another prototype is refused, on each engine',
  kit.createMachine({
    context: { n: 1 },
    on: kit.handlers({
      go: turn((it: Turn<Context>) => {
        Object.assign(it.context, JSON.parse('{"__proto__":{"n":7}}'))
      }),
    }),
  }),
  (engine) =>
    throwsSaying(() => engine.step(engine.initial(null)[0], GO), 'as its changes: they must be a plain object'),
)

const restless = kit.createMachine({
  context: { n: 0 },
  initial: 'a',
  states: { a: { on: { go: 'b' } }, b: { always: 'c' }, c: { always: 'b' } },
})
each('a machine that does not come to rest fails at a limit, and the error names it', restless, (engine) => {
  const [state] = engine.initial(null)
  throwsSaying(() => engine.step(state, GO), 'more than 10000 transitions without an event')
})

const still = kit.createMachine({ context: { n: 0 }, on: { stay: {}, '*': { actions: count } } })
each("events that are XState's own cannot be sent", still, (engine) => {
  const [state] = engine.initial(null)
  for (const type of ['xstate.init', 'xstate.stop', 'xstate.error.actor.x']) {
    throwsSaying(() => engine.step(state, { type }), `an event of type '${type}', which is XState's own`)
  }
  engine.step(state, { type: 'xstate' })
})

each('a step without a handler keeps the state object, and a step with a handler makes a new one', still, (engine) => {
  const [state] = engine.initial(null)
  assert.is(engine.step(state, { type: 'stay' })[0], state)
  assert.is.not(engine.step(state, GO)[0], state)
  assert.ok(engine.handles(state, { type: 'stay' }))
})

const holder = kit.createMachine({ context: { n: 0 }, on: kit.handlers({ go: () => [{ f: () => 7 }] }) })
each('a function in the context is kept as a value and not called', holder, (engine) => {
  const [state] = engine.step(engine.initial(null)[0], GO)
  const { context } = engine.view(state)
  assert.type(Reflect.get(Object(context), 'f'), 'function')
})

const spawning = createMachine({ context: ({ spawn: hire }) => ({ child: hire(createMachine({})) }) })
const curious = createMachine({ context: ({ self }) => ({ name: self.id }) })
for (const [what, machine] of [
  ['spawns for', spawning],
  ['reads its own actor for', curious],
] as const) {
  each(`a machine that ${what} its context fails at its start`, machine, (engine) => {
    throwsSaying(() => engine.initial(null), 'a machine may not spawn actors, nor ask anything of its own')
  })
}

const hopeless = kit.createMachine({
  context: { n: 0 },
  on: {
    go: {
      actions: kit.onEntry(() => {
        throw new RangeError('Infinite loop in the plan')
      }),
    },
  },
})
each('an error of a handler is thrown unchanged, also with a message like one of the engine', hopeless, (engine) => {
  throwsSaying(() => engine.step(engine.initial(null)[0], GO), 'Infinite loop in the plan')
})

const patient = createMachine({
  on: {
    go: {
      actions: [raise({ type: 'a' }, { delay: 5 }), raise({ type: 'b' }, { delay: 7, id: 'late' }), cancel('late')],
    },
  },
})
each(
  "XState's delayed raise is a timer of its id, or of its event's type, and its cancel ends it",
  patient,
  (engine) => {
    const [, effects] = engine.step(engine.initial(null)[0], GO)
    assert.equal(effects, [
      { type: 'timer', params: { id: 'a', delay: 5, event: { type: 'a' }, kind: 'protocol' } },
      { type: 'timer', params: { id: 'late', delay: 7, event: { type: 'b' }, kind: 'protocol' } },
      { type: 'cancel', params: { id: 'late' } },
    ])
  },
)

const squeamish = kit.createMachine({
  context: { n: 0 },
  initial: 'a',
  states: {
    a: {
      on: {
        go: {
          guard: () => {
            throw new RangeError('not that')
          },
        },
      },
    },
  },
})
each('the error of a guard names its state and its event', squeamish, (engine) => {
  const [state] = engine.initial(null)
  const said = "Unable to evaluate guard in transition for event 'go' in state node '(machine).a':\nnot that"
  throwsSaying(() => engine.step(state, GO), said)
  throwsSaying(() => engine.handles(state, GO), said)
})

const greedy = kit.createMachine({
  context: { n: 0 },
  on: kit.handlers({ go: () => [{}, observe(JSON.parse('{"no type": 1}'))] }),
})
each('an effect without its params fails the step that asks for it', greedy, (engine) => {
  throwsSaying(
    () => engine.step(engine.initial(null)[0], GO),
    "{ type: 'observe', params: { 'no type': 1 } } as effect 1",
  )
})

test('a machine that cannot be compiled runs on XState, and --explain says why', async () => {
  const said: string[] = []
  const { write } = process.stderr
  process.stderr.write = (text) => said.push(String(text)) > 0
  try {
    for (const runtime of ['threads', 'inline'] as const) {
      await withSystem({ runtime, explain: true }, async (system) => {
        const facts: unknown[] = []
        system.onFact(({ where }) => facts.push(where))
        await system.spawn('a@m1', fixture('two-regions.ts'))
        await system.spawn('b@m1', fixture('lamp.ts'))
        await system.tell('a@m1', { type: 'call' })
        await system.run()
        assert.equal(facts.filter(Boolean), ['left', 'right'])
      })
    }
  } finally {
    process.stderr.write = write
  }
  assert.equal(said, [
    "test/fixtures/actors/two-regions.ts: xstate, since it cannot be compiled: parallel states in state '(machine)'\n",
    'test/fixtures/actors/lamp.ts: compiled\n',
  ])
})

test.run()
