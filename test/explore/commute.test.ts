import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { actor, cancel, draw, type Effect, newId, observe, persist, tell, timer } from '../../lib/actor.ts'
import { firstDifference } from '../../lib/core/difference.ts'
import { throwsSaying } from '../throws.ts'
import { Alone, fires, mail, said } from './alone.ts'

type Event = { readonly type: 'note'; readonly text: string } | { readonly type: 'tick' } | { readonly type: 'end' }

/** An actor that acts on a `note` as the test says for its text, and counts ticks. */
function puppet(deeds: Record<string, () => Effect[]>) {
  const { createMachine, handlers } = actor<{ input: unknown; context: { ticks: number }; event: Event }>()
  const machine = createMachine({
    context: { ticks: 0 },
    initial: 'on',
    states: {
      on: {
        on: handlers({
          note: (_, { text }) => [{}, ...(deeds[text]?.() ?? [])],
          tick: ({ ticks }) => [{ ticks: ticks + 1 }],
          end: { target: 'off' },
        }),
      },
      off: { type: 'final' },
    },
  })
  return new Alone(machine, 'puppet@a', null)
}

const note = (text: string) => mail('other@b', { type: 'note', text })
const tick = (id: string, delay = 5) => timer(id, delay, { type: 'tick' })
const both = (deeds: Record<string, () => Effect[]>) => said(puppet(deeds).commute(0, note('one'), note('other')))
const hello = (text: string) => ({ type: 'hello', text })

const test = suite('two handlings')

test('that do not affect each other commute', () => {
  assert.is(both({}), 'commute')
  assert.is(both({ one: () => [tell('x@a', hello('1'))], other: () => [tell('y@a', hello('2'))] }), 'commute')
  assert.is(both({ one: () => [observe(hello('1'))], other: () => [observe(hello('2'))] }), 'commute')
  assert.is(both({ one: () => [persist(1)], other: () => [persist(2)] }), 'commute')
})

test('race if they change the order of mail to one recipient, also through its group', () => {
  assert.is(both({ one: () => [tell('x@a', hello('1'))], other: () => [tell('x@a', hello('2'))] }), 'sends to x@a')
  assert.is(both({ one: () => [tell('x@*', hello('1'))], other: () => [tell('x@a', hello('2'))] }), 'sends to x@a')
  assert.is(both({ one: () => [tell('x@a', hello('1'))], other: () => [tell('x@a', hello('1'))] }), 'commute')
})

test('do not race by draws and ids, which depend on their purpose and not on the order', () => {
  const about = (what: string) => () => [tell(`${what}@a`, { type: 'id', id: newId(what), luck: draw('luck', what) })]
  assert.is(both({ one: about('x'), other: about('y') }), 'commute')
})

test('race if one cancels or sets again the timer of the other, which then does not fire', () => {
  const set = (deeds: Record<string, () => Effect[]>) => puppet({ set: () => [tick('t')], ...deeds }).at(0, note('set'))
  assert.is(said(set({}).commute(5, note('one'), fires('t'))), 'commute')
  assert.is(said(set({ one: () => [cancel('t')] }).commute(5, note('one'), fires('t'))), 'context.ticks')
  assert.is(said(set({ one: () => [tick('t')] }).commute(5, note('one'), fires('t'))), 'context.ticks')
})

test('are compared by the final timers, not by the way they were set', () => {
  assert.is(both({ one: () => [tick('t')], other: () => [cancel('t')] }), 'timers.t')
  assert.is(both({ one: () => [tick('t', 3)], other: () => [tick('t', 4)] }), 'timers.t.due')
  assert.is(both({ one: () => [cancel('t')], other: () => [cancel('t')] }), 'commute')
  assert.is(both({ one: () => [tick('t', 3)], other: () => [tick('u', 4)] }), 'commute')
})

test('race if they set timers for one instant, which fire in the order of setting', () => {
  assert.is(both({ one: () => [tick('t')], other: () => [tick('u')] }), 'order of protocol timers due at 0.000005')
})

test('race if one ends the actor, or makes it fail, before the effects of the other', () => {
  const deeds = { one: () => [tell('x@a', hello('1'))] }
  assert.is(said(puppet(deeds).commute(0, note('one'), mail('other@b', { type: 'end' }))), 'sends to x@a')
  const fails = {
    ...deeds,
    other: () => {
      throw new Error('no')
    },
  }
  assert.is(said(puppet(fails).commute(0, note('one'), note('other'))), 'sends to x@a')
})

test('cannot be compared with a timer that is not set', () => {
  throwsSaying(() => puppet({}).commute(0, note('one'), fires('t')), 'no timer t is set')
})

test('that read a clock of the process crash, as they did in the run', () => {
  const reads = puppet({ one: () => [observe({ type: 'time', is: Date.now() })] })
  assert.throws(() => reads.at(0, note('one')), /ImpureStep: Date.now\(\) in a step/)
})

test('differ where their values first differ, with any order of fields', () => {
  assert.is(firstDifference({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }), undefined)
  assert.equal(firstDifference({ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }), {
    what: 'a.b.0.c',
    values: ['1', '2'],
  })
  assert.equal(firstDifference({ a: new Map([['b', { c: 1 }]]) }, { a: new Map([['b', { c: 2 }]]) }), {
    what: 'a.b.c',
    values: ['1', '2'],
  })
  assert.equal(firstDifference({ a: new Map([[1, new Set([2])]]) }, { a: 3 }), {
    what: 'a',
    values: ['{"1":[2]}', '3'],
  })
  const long = 'x'.repeat(200)
  assert.equal(firstDifference({ a: `${long}1` }, { a: `${long}2` }), {
    what: 'a',
    values: [`…${'x'.repeat(20)}1"`, `…${'x'.repeat(20)}2"`],
  })
  assert.equal(firstDifference({ a: [] }, { a: [1] }), { what: 'a', values: ['[]', '[1]'] })
  assert.equal(firstDifference({}, { a: null }), { what: 'a', values: ['nothing', 'null'] })
})

test.run()
