/** Child charts: statecharts inside an actor, one for each of its conversations. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMachine } from 'xstate'
import { actor, type Child, childChart } from '../../lib/actor.ts'
import { ENGINES, type Engine, type EngineName } from '../../lib/engine/engine.ts'
import { engineFor } from '../../lib/engine/select.ts'
import auctioneer, { lotChart } from '../fixtures/actors/auctioneer.ts'
import { throwsSaying } from '../throws.ts'
import { inStep } from './in-step.ts'

type Lots = { readonly lots: Readonly<Record<string, Child>> }

/** Handles messages of x@m1 one after another. Returns the lots in the end, and the effects of each step. */
function play(engine: Engine, events: readonly { readonly type: string; readonly [field: string]: unknown }[]) {
  return inStep(() => {
    let [state] = engine.initial(null)
    const effects = events.map((event) => {
      const [next, asked] = engine.step(state, event)
      state = next
      return asked
    })
    const { context } = engine.view(state)
    return { lots: isLots(context) ? context.lots : {}, effects }
  })
}

const isLots = (context: unknown): context is Lots => typeof context === 'object' && context !== null

const engineOf = (name: EngineName, machine: unknown = auctioneer): Engine => {
  const engine = engineFor(name, machine, 'a module')
  assert.ok(!engine.name.includes('cannot'), engine.name)
  return engine
}

for (const name of ENGINES) {
  test(`each conversation has its own state and context (${name})`, () => {
    const { lots } = play(engineOf(name), [
      { type: 'offer', lot: 1, reserve: 5 },
      { type: 'offer', lot: 2, reserve: 5 },
      { type: 'bid', lot: 1, price: 7 },
      { type: 'bid', lot: 1, price: 6 },
      { type: 'close', lot: 2 },
    ])
    assert.equal(lots, {
      1: { key: 1, state: 'open.contested', context: { best: 7, by: 'x@m1' } },
      2: { key: 2, state: 'unsold', context: { best: 5, by: null } },
    })
  })

  test(`the effects of a conversation come in order, then the state that it enters, then those of its actor (${name})`, () => {
    const { effects } = play(engineOf(name), [
      { type: 'offer', lot: 1, reserve: 5 },
      { type: 'bid', lot: 1, price: 7 },
      { type: 'close', lot: 1 },
    ])
    assert.equal(
      effects.map((all) => all.map(({ type }) => type)),
      [['enter', 'timer', 'observe'], ['enter'], ['tell', 'enter']],
    )
    assert.equal(effects[2]?.[1], { type: 'enter', params: { chart: 'lot', key: 1, state: 'sold' } })
  })

  test(`an event that the state of a conversation does not handle changes nothing, nor does any after its end (${name})`, () => {
    const { lots, effects } = play(engineOf(name), [
      { type: 'offer', lot: 1, reserve: 5 },
      { type: 'paid', lot: 1 },
      { type: 'close', lot: 1 },
      { type: 'bid', lot: 1, price: 9 },
    ])
    assert.is(lots[1]?.state, 'unsold')
    assert.equal(effects.slice(1), [[], [{ type: 'enter', params: { chart: 'lot', key: 1, state: 'unsold' } }], []])
  })

  test(`a conversation of an earlier incarnation can go on in the first context of a machine (${name})`, () => {
    const recovered = actor<{ input: null; context: Lots; event: { type: 'none' } }>({
      charts: [lotChart],
    }).createMachine({
      id: 'recovered',
      context: () => {
        const [lot] = lotChart.start(1, { reserve: 5 })
        return { lots: { 1: lotChart.send(lot, { type: 'close' })[0] } }
      },
    })
    // another actor of the thread has no charts
    play(engineOf(name, createMachine({})), [])
    assert.is(play(engineOf(name, recovered), []).lots[1]?.state, 'unsold')
  })

  test(`a chart that its actor does not name is refused with the mend (${name})`, () => {
    const stranger = childChart(createMachine({ id: 'stranger', initial: 'a', states: { a: {} } }))
    const engine = engineOf(name)
    throwsSaying(
      () => inStep(() => [engine.initial(null), stranger.start(1, undefined)]),
      "child chart 'stranger' is not among those of machine 'auctioneer': name it in actor({ charts: [...] })",
    )
  })
}

test('a child chart needs a name, and a step of an actor to run in', () => {
  throwsSaying(() => childChart(createMachine({ initial: 'a', states: { a: {} } })), 'a child chart needs a name')
})

test('a conversation knows the states that it is in', () => {
  const child = { key: 1, state: 'open.contested', context: { best: 1, by: null } }
  assert.ok(lotChart.isIn(child, 'open'))
  assert.ok(lotChart.isIn(child, 'open.contested'))
  assert.not(lotChart.isIn(child, 'ope'))
})

test.run()
