/** Guards, actions and delays that `setup` names: each engine runs them with the same outcome. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { and, createMachine } from 'xstate'
import { actor, cancel, observe, type Turn, timer, turn } from '../../lib/actor.ts'
import { ENGINES, type Engine } from '../../lib/engine/engine.ts'
import { engineFor } from '../../lib/engine/select.ts'
import { throwsSaying } from '../throws.ts'
import { inStep } from './in-step.ts'

type Context = { readonly n: number; readonly patience: number }
type Event = { readonly type: 'add'; readonly by: number } | { readonly type: 'reset' } | { readonly type: 'wait' }

const bare = actor<{ input: null; context: Context; event: Event }>()
const { createMachine: machineOf, handlers } = bare.setup({
  guards: {
    isOdd: ({ context }) => context.n % 2 === 1,
    atLeast: ({ context }, { n }: { readonly n: number }) => context.n >= n,
    fails: () => {
      throw new Error('no luck')
    },
  },
  actions: {
    clear: () => [{ n: 0 }, observe({ type: 'cleared' })],
    add: ({ n }, { by }: { readonly by: number }) => [{ n: n + by }],
    lose: turn((it: Turn<Context>) => {
      it.context.n -= 1
    }),
  },
  delays: { soon: 5, patience: ({ context }) => context.patience },
})

/** Declares the same test for each engine. */
function each(title: string, machine: unknown, check: (engine: Engine) => void): void {
  for (const wanted of ENGINES) {
    test(`${title} (${wanted})`, () => inStep(() => check(engineFor(wanted, machine, 'a module'))))
  }
}

/** The contexts and configurations of a machine after each of these events. */
function seen(engine: Engine, ...events: readonly Event[]) {
  let [state] = engine.initial(null)
  return events.map((event) => {
    ;[state] = engine.step(state, event)
    const { value, context } = engine.view(state)
    return [value, Reflect.get(Object(context), 'n')]
  })
}

const counter = machineOf({
  context: { n: 0, patience: 7 },
  initial: 'few',
  states: {
    few: {
      on: handlers({
        add: { handle: [{ type: 'add', params: ({ event }) => ({ by: event.by }) }, ({ n }) => [{ n: n * 10 }]] },
        reset: [
          { guard: 'isOdd', handle: 'lose' },
          { guard: { type: 'atLeast', params: { n: 40 } }, handle: ['clear', 'lose'] },
        ],
        wait: { guard: { type: 'atLeast', params: ({ context }) => ({ n: context.patience }) }, target: 'many' },
      }),
      always: { guard: { type: 'atLeast', params: { n: 100 } }, target: 'many' },
    },
    many: { entry: { type: 'add', params: { by: 3 } }, exit: 'clear', on: { reset: 'few' } },
  },
})

each('a machine uses guards and actions by their names, with parameters and with computed ones', counter, (engine) => {
  assert.not(engine.name.includes('cannot be compiled'), engine.name)
  const add = (by: number): Event => ({ type: 'add', by })
  const reset: Event = { type: 'reset' }
  const wait: Event = { type: 'wait' }
  assert.equal(seen(engine, wait, add(2), wait, reset, add(2), reset, add(5), reset), [
    ['few', 0],
    ['few', 20],
    ['many', 23],
    ['few', 0],
    ['few', 20],
    ['few', 20],
    ['many', 253],
    ['few', 0],
  ])
  assert.equal(seen(engine, add(4), reset), [
    ['few', 40],
    ['few', -1],
  ])
})

const patient = machineOf({
  context: { n: 0, patience: 7 },
  initial: 'early',
  states: {
    early: { after: { patience: 'late', soon: { guard: 'isOdd', target: 'late' } }, on: handlers({ add: 'late' }) },
    late: {},
  },
})
each('the delays of `after` go by their names, as numbers or computed from the context', patient, (engine) => {
  const [state, effects] = engine.initial(null)
  const ids = ['patience', 'soon'].map((name) => `xstate.after.${name}.(machine).early`)
  assert.equal(
    effects,
    ids.map((type, i) => timer(type, i === 0 ? 7 : 5, { type })),
  )
  assert.equal(engine.step(state, { type: 'add' })[1], ids.map(cancel))
})

const failing = machineOf({
  context: { n: 0, patience: 0 },
  on: handlers({ reset: { guard: 'fails', handle: 'clear' } }),
})
each('a guard that throws is named in the error', failing, (engine) => {
  const [state] = engine.initial(null)
  const text = "guard 'fails' in transition for event 'reset' in state node '(machine)':\nno luck"
  throwsSaying(() => engine.step(state, { type: 'reset' }), text)
})

const wrong = bare.setup({ actions: { wrong: () => Object('nothing') } })
const undecided = wrong.createMachine({ id: 'desk', context: { n: 0, patience: 0 }, exit: 'wrong', entry: 'wrong' })
each('an action that returns no decision is named in the error', undecided, (engine) => {
  throwsSaying(() => engine.initial(null), "the action 'wrong' of machine 'desk' at event 'xstate.init' returned")
})

test('an action may not have the name of an effect', () => {
  const mend = "setup: 'tell' is an effect: give the action another name"
  throwsSaying(() => bare.setup({ actions: { tell: () => [{}] } }), mend)
})

const unknown = [
  ['guard', createMachine({ on: { go: { guard: 'isOdd' } } })],
  ['guard', createMachine({ on: { go: { guard: { type: 'isOdd', params: 1 } } } })],
  ['guard', createMachine({ on: { go: { guard: and([() => true, 'isOdd']) } } })],
  ['action', createMachine({ entry: 'isOdd' })],
  ['action', createMachine({ on: { go: { actions: { type: 'isOdd' } } } })],
  ['delay', createMachine({ initial: 'a', states: { a: { after: { isOdd: 'b' } }, b: {} } })],
] as const
test('a name that `setup` does not give is refused when the actor is spawned', () => {
  for (const [kind, machine] of unknown) {
    for (const wanted of ENGINES) {
      throwsSaying(() => engineFor(wanted, machine, 'a module'), `the ${kind} 'isOdd' `)
    }
  }
})

test.run()
