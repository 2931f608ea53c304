/** Tries every feature of XState that the table in actors/GUIDE.md lists. */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assign, emit, enqueueActions, fromPromise, log, or, raise, sendTo, setup, spawnChild, stopChild } from 'xstate'
import { NotAMachine } from '../../lib/actor/not-a-machine.ts'
import { actor, tell, timer } from '../../lib/actor.ts'
import { ENGINES } from '../../lib/engine/engine.ts'
import { engineFor } from '../../lib/engine/select.ts'
import { throwsSaying } from '../throws.ts'
import { inStep } from './in-step.ts'

type Go = { type: 'go' }
const { createMachine, onEntry } = actor<{ input: null; context: object; event: Go }>()
const named = actor<{ input: null; context: object; event: Go }>().setup({
  guards: { isOver: (_, { n }: { n: number }) => n > 0 },
  actions: { greet: (_, { n }: { n: number }) => [{}, tell('b@m1', { type: 'hello', n })] },
  delays: { patience: 5 },
})
const hello = tell('b@m1', { type: 'hello' })
const child = setup({}).createMachine({})

/** A machine of a plain configuration, which no compiler has checked. */
const machine = (config: object): unknown =>
  Reflect.apply(createMachine, undefined, [{ id: 'lamp', context: {}, ...config }])
/** A machine that does this when it gets the event `go`. */
const onGo = (actions: unknown): unknown => machine({ on: { go: { actions } } })
/** A machine of two states that has this transition from the first of them. */
const from = (off: object, more: object = {}): unknown => machine({ initial: 'off', states: { off, on: {} }, ...more })
const is = (holds: boolean) => () => holds
const greets = onEntry(() => [{}, hello])

/** The configuration and the types of the effects after the event `go`. */
interface Worked {
  readonly make: () => unknown
  readonly value?: unknown
  readonly effects?: readonly string[]
}

const WORKS: { readonly [feature: string]: Worked } = {
  'nested states, `initial`': {
    make: () => machine({ initial: 'a', states: { a: { initial: 'b', states: { b: {} } } } }),
    value: { a: 'b' },
  },
  '`entry`, `exit`': {
    make: () => from({ exit: greets, on: { go: 'on' } }),
    value: 'on',
    effects: ['tell'],
  },
  'transitions: `target`, `guard`, `reenter`, a list of them': {
    make: () => from({ on: { go: [{ guard: is(false) }, { guard: is(true), target: 'on', reenter: true }] } }),
    value: 'on',
  },
  'targets within a state (`.name`) and by id (`#id`)': { make: () => from({ on: { go: '#lamp.on' } }), value: 'on' },
  '`*` and `bid.*` as types of events': { make: () => from({ on: { 'go.*': 'on' } }), value: 'on' },
  '`always`': { make: () => from({ always: 'on' }), value: 'on' },
  'a final state of the machine': {
    make: () => machine({ initial: 'off', states: { off: { on: { go: 'over' } }, over: { type: 'final' } } }),
    value: 'over',
  },
  '`tags`, `meta`, `description`': {
    make: () => from({ tags: ['dark'], meta: { watts: 0 }, description: 'dark', on: { go: 'on' } }),
    value: 'on',
  },
  'guards and actions that `actor().setup` names, with parameters': {
    make: () => {
      const { createMachine, handlers } = named
      const go = {
        guard: { type: 'isOver', params: { n: 1 } },
        handle: { type: 'greet', params: { n: 1 } },
        target: 'on',
      } as const
      return createMachine({ context: {}, initial: 'off', states: { off: { on: handlers({ go }) }, on: {} } })
    },
    value: 'on',
    effects: ['tell'],
  },
}

const UNCOMPILED: { readonly [feature: string]: Worked } = {
  'parallel states': {
    make: () => machine({ type: 'parallel', states: { a: {}, b: {} } }),
    value: { a: {}, b: {} },
  },
  '`after`, in Time: `units(1)` is 1,000,000': {
    make: () => from({ on: { go: 'on' } }, { states: { off: { on: { go: 'on' } }, on: { after: { 5: 'off' } } } }),
    value: 'on',
    effects: ['timer'],
  },
  '`after` with a delay that `actor().setup` names': {
    make: () => {
      const { createMachine, handlers } = named
      const states = { off: { on: handlers({ go: 'on' }) }, on: { after: { patience: 'off' } } } as const
      return createMachine({ context: {}, initial: 'off', states })
    },
    value: 'on',
    effects: ['timer'],
  },
  'a final state within a state, `onDone`': {
    make: () =>
      machine({ initial: 'a', states: { a: { initial: 'b', states: { b: { type: 'final' } }, onDone: 'c' }, c: {} } }),
    value: 'c',
  },
  '`output`, which nobody receives': { make: () => from({ on: { go: 'on' } }, { output: {} }), value: 'on' },
  '`stateIn`, `and`, `or`, `not`': {
    make: () => from({ on: { go: { guard: or([is(true)]), target: 'on' } } }),
    value: 'on',
  },
  '`assign`, `enqueueActions`': { make: () => onGo([assign({ n: 1 }), enqueueActions(() => {})]) },
  '`raise`, `cancel`': { make: () => onGo(raise({ type: 'go' }, { delay: 5 })), effects: ['timer'] },
  "effects as named actions: `{ type: 'tell', params }`": { make: () => onGo(hello), effects: ['tell'] },
}

/** The beginning of the refusal, which names the machine and the place. */
const REFUSED: { readonly [feature: string]: { readonly make: () => unknown; readonly says: string } } = {
  '`invoke`': {
    make: () => machine({ invoke: { src: fromPromise(async () => 1) } }),
    says: "machine 'lamp' invokes an actor at its top level",
  },
  'history states': {
    make: () => from({ on: { go: 'last' } }, { states: { off: {}, last: { type: 'history' } } }),
    says: "machine 'lamp' has a history state in state 'last'",
  },
  '`spawnChild`, and `spawn` in `assign` or `context`': {
    make: () => onGo(spawnChild(child)),
    says: "machine 'lamp' uses spawnChild in `on go` at its top level",
  },
  '`stopChild`': {
    make: () => onGo(stopChild('x')),
    says: "machine 'lamp' uses stopChild in `on go` at its top level",
  },
  '`sendTo`, `sendParent`, `forwardTo`': {
    make: () => from({ on: { go: { actions: sendTo('x', { type: 'y' }) } } }),
    says: "machine 'lamp' uses sendTo, sendParent or forwardTo in `on go` in state 'off'",
  },
  '`emit`': {
    make: () => from({ exit: emit({ type: 'x' }) }),
    says: "machine 'lamp' uses emit on exit in state 'off'",
  },
  '`log`': { make: () => from({ entry: log('x') }), says: "machine 'lamp' uses log on entry in state 'off'" },
  'a plain function as an action': {
    make: () => from({ always: { actions: () => {} } }),
    says: "machine 'lamp' has a plain function as an action in `always` in state 'off'",
  },
  'a function as a transition': {
    make: () => from({ on: { go: () => [{}] } }),
    says: "machine 'lamp' has a function as the transition for 'go' in state 'off'",
  },
  'an unknown name of an action, guard or delay': {
    make: () => onGo('beep'),
    says: "machine 'lamp' names the action 'beep' in `on go` at its top level",
  },
  'an unknown target': {
    make: () => from({ on: { go: 'nowhere' } }),
    says: "machine 'lamp' cannot be made: Invalid transition definition for state node 'lamp.off': Child state 'nowhere' does not exist on 'lamp'",
  },
  'a negative or fractional delay': {
    make: () => from({ after: { 0.5: 'on' } }),
    says: "machine 'lamp' has the delay 0.5 in `after 0.5` in state 'off'",
  },
  'an event without a type in `raise`': {
    make: () => onGo(raise(Object({}))),
    says: "machine 'lamp' raises {} in `on go` at its top level",
  },
  '`route`': {
    make: () => from({ id: 'x', route: {} }),
    says: "machine 'lamp' has a `route` in state 'off'",
  },
  'an unknown field': {
    make: () => from({ on: { go: { cond: is(true), target: 'on' } } }),
    says: "machine 'lamp' has an unknown field `cond` in `on go` in state 'off'",
  },
}

/** The rows of the table: each feature, with the third cell of its row. */
function rowsOf(kind: string): Map<string, string> {
  const page = readFileSync(new URL('../../actors/GUIDE.md', import.meta.url), 'utf8')
  const rows = page.split('\n').map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  return new Map(rows.flatMap(([feature = '', what, note = '']) => (what === kind ? [[feature, note] as const] : [])))
}

for (const [kind, features] of [
  ['compiled', WORKS],
  ['by XState', UNCOMPILED],
] as const) {
  test(`the table lists each feature that runs ${kind}, and no other`, () => {
    assert.equal([...rowsOf(kind).keys()].sort(), Object.keys(features).sort())
  })
  for (const [feature, { make, value = {}, effects = [] }] of Object.entries(features)) {
    for (const name of ENGINES) {
      test(`${feature} works, and runs ${kind} (engine ${name})`, () => {
        const engine = engineFor(name, make(), 'lamp.ts')
        if (name === 'compiled') assert.is(engine.name === 'compiled', kind === 'compiled', engine.name)
        const [state, asked] = inStep(() => engine.step(engine.initial(null)[0], { type: 'go' }))
        assert.equal(engine.view(state).value, value)
        assert.equal(
          asked.map(({ type }) => type),
          effects,
        )
      })
    }
  }
}

/** The error that making a machine, or its engine, ends with. */
function refusalOf(make: () => unknown): string {
  try {
    engineFor('compiled', make(), 'lamp.ts')
  } catch (error) {
    assert.instance(error, NotAMachine)
    return error instanceof Error ? error.message : ''
  }
  throw new Error('the machine is not refused')
}

test('the table lists each feature that is refused, and no other', () => {
  assert.equal([...rowsOf('refused').keys()].sort(), Object.keys(REFUSED).sort())
})
for (const [feature, { make, says }] of Object.entries(REFUSED)) {
  test(`${feature} is refused with the machine, the place and the mend`, () => {
    const said = refusalOf(make).replace('lamp.ts: ', '')
    assert.ok(said.startsWith(says), said)
    const mend = said.slice(says.length).replace(/^[:;] /, '')
    assert.is(mend, rowsOf('refused').get(feature))
  })
}

for (const [what, make, text] of [
  [
    'spawn in assign',
    () => onGo(assign({ n: Object(({ spawn }: { spawn: (x: unknown) => 0 }) => spawn(child)) })),
    'spawns in assign in `on go`',
  ],
  [
    'spawn in the context',
    () => machine({ context: ({ spawn }: { spawn: (x: unknown) => 0 }) => ({ n: spawn(child) }) }),
    'spawns in its context',
  ],
  [
    'a misspelt guard',
    () => setup({ guards: { isDark: is(true) } }).createMachine({ on: Object({ go: { guard: 'isDrak' } }) }),
    "names the guard 'isDrak' in `on go` at its top level: did you mean 'isDark'?",
  ],
  [
    'a guard without a name within another',
    () => onGoIf(or(Object(['isDrak']))),
    "names the guard 'isDrak' in `on go`",
  ],
  [
    'a misspelt delay',
    () => from({ after: { soon: 'on' } }),
    "has the delay 'soon' in `after soon` in state 'off': give it in `setup({ ... })`",
  ],
  [
    'a negative delay of a name',
    () =>
      setup({ delays: { soon: -1 } }).createMachine({ initial: 'off', states: { off: { after: { soon: 'off' } } } }),
    "has the delay 'soon' in `after soon` in state 'off': a delay is a time >= 0",
  ],
  ['a delay beyond all times', () => from({ after: { 1e17: 'on' } }), 'in `after 100000000000000000` in state'],
  [
    'a fractional delay of raise',
    () => onGo(raise({ type: 'go' }, { delay: 0.5 })),
    "raises 'go' with the delay 0.5 in `on go` at its top level: a delay is a time >= 0",
  ],
  [
    'an effect with a negative delay',
    () => onGo(timer('t', -1, { type: 'go' })),
    "has the action 'timer' with wrong parameters in `on go` at its top level: timer t: the delay must be a time >= 0",
  ],
  [
    'an effect without a type of message',
    () => onGo(tell('b@m1', Object({}))),
    "has the action 'tell' with wrong parameters in `on go` at its top level: tell needs an address, and a message",
  ],
  [
    'a misspelt field of a state',
    () => from({ onn: { go: 'on' } }),
    "has an unknown field `onn` in state 'off'; did you mean `on`?",
  ],
  ['an unknown type of state', () => from({ type: 'finale' }), "has the type 'finale' in state 'off'"],
  [
    'a plain function of setup',
    () => setup({ actions: { beep: () => {} } }).createMachine({ on: { go: { actions: 'beep' } } }),
    "has a plain function as an action named 'beep' in `on go`",
  ],
  ['a misspelt initial state', () => machine({ initial: 'of', states: { off: {} } }), "did you mean 'off'?"],
  ['a misspelt target', () => from({ on: { go: 'onn' } }), "did you mean 'on'?"],
  ['an unknown id', () => from({ on: { go: '#on' } }), 'give the state that is meant this `id`'],
] as const) {
  test(`${what} is refused with the place and the mend`, () => {
    const said = refusalOf(make)
    assert.ok(said.includes(text), said)
  })
}

function onGoIf(guard: unknown): unknown {
  return machine({ on: { go: { guard } } })
}

test('spawn that is called by another name fails the step with the mend', () => {
  const hires = Object(({ spawn: hire }: { spawn: (x: unknown) => 0 }) => hire(child))
  const engine = engineFor('compiled', onGo(assign({ n: hires })), 'lamp.ts')
  throwsSaying(() => engine.step(engine.initial(null)[0], { type: 'go' }), 'spawn actors with the effect `spawn`')
})

test('wrong effects of XState actions say the machine and the event', () => {
  for (const [action, fault] of [
    [raise({ type: 'go' }, { delay: () => 0.5 }), "raise of 'go': the delay must be a time >= 0"],
    [Object({ type: 'tell', params: () => ({ to: 'b@m1', message: {} }) }), 'tell needs an address, and a message'],
    [
      enqueueActions(({ enqueue }) => enqueue.emit({ type: 'x' })),
      'emit is not for actors, which report facts with observe',
    ],
    [enqueueActions(({ enqueue }) => enqueue(() => {})), "asks for '(anonymous)': make effects with tell, timer, "],
  ] as const) {
    const engine = engineFor('compiled', onGo(action), 'lamp.ts')
    const run = () => inStep(() => engine.step(engine.initial(null)[0], { type: 'go' }))
    throwsSaying(run, "machine 'lamp' at event 'go' asks for ")
    throwsSaying(run, fault)
  }
})

test('a wrong delay that a function of `setup` makes says the rule', () => {
  for (const [delay, not] of [
    [-5, 'not -5'],
    [0.5, 'not 0.5'],
  ] as const) {
    const late = setup({ delays: { late: () => delay } }).createMachine({ id: 'lamp', after: { late: {} } })
    const engine = engineFor('compiled', late, 'lamp.ts')
    const run = () => inStep(() => engine.initial(null))
    throwsSaying(run, "machine 'lamp' at event 'xstate.init' asks for ")
    throwsSaying(run, `\`after late\`: the delay must be a time >= 0`)
    throwsSaying(run, not)
  }
})

test.run()
