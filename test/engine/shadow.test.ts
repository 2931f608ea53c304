/** The shadow engine: it finds every difference between two engines, and ends the run. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Effect, observe } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import type { Engine, View } from '../../lib/engine/engine.ts'
import { shadowEngine } from '../../lib/engine/shadow.ts'
import { errorOf, fixture, withSystem } from '../system/harness.ts'
import { throwsSaying } from '../throws.ts'
import { inStep } from './in-step.ts'

interface State {
  readonly view: View
}

interface Made {
  readonly view?: Partial<View>
  readonly effects?: readonly Effect[]
  readonly handles?: boolean
  /** An error that is thrown instead of a step. */
  readonly error?: Error
  readonly isNew?: boolean
}

/** An engine whose steps all give the same result. */
function engine(name: string, { view = {}, effects = [], handles = true, error, isNew = true }: Made): Engine<State> {
  const first: State = { view: { value: 'a', context: {}, status: 'active' } }
  const next: State = { view: { ...first.view, ...view } }
  return {
    name,
    initial: () => [first, []],
    step: (state) => {
      if (error) throw error
      return [isNew ? next : state, effects]
    },
    view: (state) => state.view,
    handles: () => handles,
    knows: () => true,
    types: [],
    states: ['a'],
    charts: [],
    urgent: undefined,
  }
}

/** Takes two steps with the shadow of two engines. */
function play(one: Made, other: Made): void {
  const pair = shadowEngine(engine('one', one), engine('other', other))
  inStep(() => {
    const [first] = pair.initial(null)
    const [second] = pair.step(first, { type: 'go' })
    assert.ok(pair.handles(second, { type: 'ask' }))
    pair.step(second, { type: 'go on' })
  }, units(2.5))
}

const context = (made: unknown): Made => ({ view: { context: made } })
const fact = (n: number) => observe({ type: 'fact', n })
const f = (n: number) => () => n

const DIFFERENCES: readonly (readonly [what: string, one: Made, other: Made, said: string])[] = [
  [
    'the configuration',
    { view: { value: { a: 'b' } } },
    { view: { value: { a: 'c' } } },
    "value.a is 'b' by one and 'c' by other",
  ],
  ['the status', { view: { status: 'done' } }, {}, "status is 'done' by one and 'active' by other"],
  ['a field of the context', context({ x: { y: 1 } }), context({ x: { y: 2 } }), 'context.x.y is 1'],
  ['the order of fields', context({ x: 1, y: 2 }), context({ y: 2, x: 1 }), "context.x is 'x' by one and 'y' by other"],
  ['a missing field', context({ x: undefined }), context({}), 'context is { x: undefined } by one and {} by other'],
  ['-0', context({ x: 0 }), context({ x: -0 }), 'context.x is 0 by one and -0 by other'],
  ['a list', context({ x: [1, 2] }), context({ x: [1, 3] }), 'context.x.1 is 2'],
  ['a map', context({ x: new Map([['k', 1]]) }), context({ x: new Map([['k', 2]]) }), 'context.x.k is 1'],
  ['a set', context({ x: new Set([1]) }), context({ x: new Set([2]) }), 'context.x.1 is 1'],
  ['a class', context({ x: new Map() }), context({ x: {} }), 'context.x is Map(0) {}'],
  ['a function', context({ x: f(1) }), context({ x: () => 1 }), 'context.x is [Function'],
  ['an effect', { effects: [fact(1)] }, { effects: [fact(2)] }, 'effects.0.params.n is 1 by one and 2 by other'],
  ['the order of effects', { effects: [fact(1), fact(2)] }, { effects: [fact(2), fact(1)] }, 'effects.0.params.n is 1'],
  ['an additional effect', { effects: [fact(1)] }, { effects: [fact(1), fact(1)] }, 'effects is [ { type'],
  ['a new state', { isNew: true }, { isNew: false }, 'isSame is false by one and true by other'],
  ['an error', { error: new TypeError('no') }, {}, 'error'],
  [
    'the text of an error',
    { error: new Error('no') },
    { error: new Error('yes') },
    "error is 'Error: no' by one and 'Error: yes'",
  ],
  ['the name of an error', { error: new TypeError('no') }, { error: new Error('no') }, "error is 'TypeError: no'"],
]

for (const [what, one, other, said] of DIFFERENCES) {
  test(`a difference between two engines in ${what} is found at once`, () => {
    throwsSaying(() => play(one, other), `x@m1, step 1 at 2.5, event 'go': `)
    throwsSaying(() => play(one, other), said)
  })
}

test('a difference in whether an event is handled is found', () => {
  throwsSaying(() => play({}, { handles: false }), "event 'ask': isHandled is true by one and false by other")
})

test('engines that agree run on, and an error of both is thrown', () => {
  play(context({ x: [1, new Map([[1, f(1)]])] }), context({ x: [1, new Map([[1, f(2)]])] }))
  throwsSaying(() => play({ error: new Error('of both') }, { error: new Error('of both') }), 'of both')
})

for (const runtime of ['threads', 'inline'] as const) {
  test(`a difference between engines ends the run and kills no actor, and the error says where it was (${runtime})`, async () => {
    const deaths: string[] = []
    await withSystem({ runtime, engine: 'shadow' }, async (system) => {
      system.onDeath(({ address }) => deaths.push(address))
      await system.spawn('a@m1', fixture('impure.ts'), null, { restart: 'permanent' })
      await system.tell('a@m1', { type: 'call' })
      const error = await errorOf(system.run())
      assert.is(error.name, 'EnginesDiffer')
      const [one, other] = [/ is (\d+) by compiled/, / and (\d+) by xstate$/].map((n) =>
        Number(n.exec(error.message)?.[1]),
      )
      assert.is(other, (one ?? Number.NaN) + 1)
      assert.match(error.message, /^a@m1, step 1 at 0, event 'call': effects\.0\.params\.n is /)
    })
    assert.equal(deaths, [])
  })
}

test.run()
