/** The tool that makes mistakes in protocols: its operators, its names, and the mutants that are known to change nothing. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plain } from '../../lib/core/data.ts'
import { wilson } from '../../lib/core/share.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { FAMILIES as ALL_FAMILIES } from '../../scenarios/families.ts'
import { HELD_OUT } from '../bugs/held-out.ts'
import { Compiler } from './compiles.ts'
import { EQUIVALENTS } from './equivalents.ts'
import { applied, changeOf, OPERATORS } from './mutant.ts'
import { mutantsOf } from './operators.ts'
import { FAMILIES, mutantsIn } from './protocols.ts'
import { TESTS } from './tests.ts'
import { missedIn, twiceIn } from './trace-promises.ts'

const test = suite('mutants of protocols')

const SOURCE = `
const onResult = turn((it: It, { attempt }: Result) => {
  if (attempt !== it.context.attempt || it.context.left < 1) return
  it.do(persist({ type: 'done' }), observe({ type: 'done', n: 1 }))
  it.context.left = 0
  settle(it)
  it.do(cancel('wait'))
})
const onAsk = (context, event) => [{ asked: true, n: 1 }, tell('a@b', { type: 'ask' })]
const machine = { on: { late: { guard: isLate, target: 'done' } } }
type Same = A extends B ? C : D
`

test('come from every operator, each at the places that it is about', () => {
  const made = mutantsOf('x.ts', SOURCE).map((mutant) => [mutant.operator, changeOf(SOURCE, mutant)])
  const of = (operator: string) => made.filter(([one]) => one === operator).map(([, change]) => change)
  assert.equal(of('record dropped'), [
    `- it.do(persist({ type: 'done' }), observe({ type: 'done', n: 1 }))\n+ it.do(observe({ type: 'done', n: 1 }))`,
  ])
  assert.equal(of('timer kept'), [`- it.do(cancel('wait'))\n+ it.do()`])
  assert.equal(of('effect dropped'), [
    `- it.do(persist({ type: 'done' }), observe({ type: 'done', n: 1 }))\n+ it.do(persist({ type: 'done' }))`,
    `- const onAsk = (context, event) => [{ asked: true, n: 1 }, tell('a@b', { type: 'ask' })]\n+ const onAsk = (context, event) => [{ asked: true, n: 1 }]`,
  ])
  assert.is(of('effect doubled').length, 3)
  assert.equal(of('call dropped'), ['- settle(it)\n+ {}'])
  assert.equal(
    of('update dropped').map((change) => change?.split('\n+ ')[1]),
    [
      '{}',
      `const onAsk = (context, event) => [{ n: 1 }, tell('a@b', { type: 'ask' })]`,
      `const onAsk = (context, event) => [{ asked: true }, tell('a@b', { type: 'ask' })]`,
    ],
  )
  assert.equal(
    of('guard negated').map((change) => change?.split('\n+ ')[1]),
    [
      'if (!(attempt !== it.context.attempt || it.context.left < 1)) return',
      "const machine = { on: { late: { guard: (met) => !(isLate)(met), target: 'done' } } }",
    ],
  )
  assert.equal(
    of('attempt ignored').map((change) => change?.split('\n+ ')[1]),
    ['if (false || it.context.left < 1) return'],
  )
  assert.equal(
    of('comparison swapped').map((change) => change?.split('\n+ ')[1]),
    [
      'if (attempt === it.context.attempt || it.context.left < 1) return',
      'if (attempt !== it.context.attempt || it.context.left <= 1) return',
    ],
  )
  assert.is(of('connective swapped').length, 1)
  assert.equal([...new Set(made.map(([operator]) => operator))].sort(), [...OPERATORS].sort())
})

test('have names that tell them apart and survive other changes of their file', () => {
  const names = (source: string) => mutantsOf('x.ts', source).map(({ name }) => name)
  assert.ok(
    names(SOURCE).includes(
      "x.ts :: onAsk :: effect dropped :: const onAsk = (context, event) => [{ asked: true, n: 1 }, tell('a@b', { type: 'ask' })]",
    ),
  )
  assert.equal(names(`// a comment\nconst one = 1\n${SOURCE}`), names(SOURCE))
  const twice = mutantsOf('x.ts', 'const isIn = (a) => a < 1 && a < 1\n')
  assert.equal(
    twice.map(({ name }) => name.split(' :: ').at(-1)),
    ['const isIn = (a) => a < 1 && a < 1', 'const isIn = (a) => a < 1 && a < 1', '2'],
  )
})

test('are made for every family, and for the processor that several share', () => {
  const names = ALL_FAMILIES.map(({ name }) => name)
  assert.equal(
    [...FAMILIES].sort(),
    [...names, 'processor'].sort(),
    'add the family to test/mutants/stages.ts and tests.ts',
  )
})

const all = FAMILIES.flatMap((family) => mutantsIn(family))

test('are hundreds for each family, and no two have one name', () => {
  for (const family of FAMILIES) {
    assert.ok(mutantsIn(family).length > 300, family)
    assert.ok((TESTS[family]?.fast.length ?? 0) > 0, family)
  }
  assert.is(new Set(all.map(({ name }) => name)).size, all.length)
})

test('that change nothing have a reason, and are still there', () => {
  const names = new Set(all.map(({ name }) => name))
  for (const [name, why] of EQUIVALENTS) {
    assert.ok(names.has(name), `no mutant has this name any more; judge its line again: ${name}`)
    assert.match(why, /^[A-Z].{20,}\.$/, name)
  }
  for (const { mutant } of HELD_OUT) assert.ok(names.has(mutant), `no mutant of held-out.ts has this name: ${mutant}`)
})

test('are refused if they do not compile', () => {
  const compiler = new Compiler(['bidding/agenda.ts'])
  const compiles = (operator: string, line: string) => {
    const mutant = all.find(({ name }) => name.startsWith(`bidding/agenda.ts :: ${operator} :: ${line}`))
    assert.ok(mutant, line)
    return compiler.accepts(mutant)
  }
  assert.ok(compiles('enqueue :: guard negated', 'return place < 0'))
  assert.not(compiles('awardOf :: connective swapped', '[executing, ...held]'))
})

test('change their file in one place', () => {
  const [mutant] = mutantsOf('x.ts', SOURCE)
  assert.ok(mutant)
  const changed = applied(SOURCE, mutant)
  assert.is(changed.slice(0, mutant.start), SOURCE.slice(0, mutant.start))
  assert.ok(changed.endsWith(SOURCE.slice(mutant.end)))
})

test('that do something twice in a step are found by the trace', () => {
  const begins = { t: 'deliver', at: 0, who: 'a@m', type: 'ask' }
  const send = (message: Plain, id: string, more = {}) => ({
    t: 'send',
    at: 0,
    id,
    from: 'a@m',
    to: 'b@m',
    message,
    ...more,
  })
  const fact = { t: 'fact', at: 0, who: 'a@m', fact: { type: 'resting' } }
  const record = { t: 'persist', at: 0, who: 'a@m', record: { type: 'begun' } }
  const [hi, size] = [{ type: 'hi' }, { type: 'size' }]
  const found = (...lines: readonly Line[]) => twiceIn([begins, ...lines]).map(({ text }) => text)
  assert.equal(found(send(hi, '1.0.0'), send(hi, '1.0.1')), ['a@m: send b@m {"type":"hi"}'])
  assert.equal(found(fact, record, fact, record).length, 2)
  assert.equal(found(send(hi, '1.0.0'), fact, record, begins, send(hi, '1.0.1'), fact, record), [], 'two steps')
  assert.equal(found(send(hi, '1.0.0'), send(hi, '1.0.1', { copyOf: '1.0.0' })), [], 'a copy of the network')
  assert.equal(
    found(send(hi, '1.0.0'), { ...begins, who: 'c@m' }, send(hi, '1.0.1')).length,
    1,
    'a step of another actor',
  )
  assert.equal(found(send(size, '1.0.0'), send(size, '1.0.1')), [])
})

test('that let a timer fire which no answer is missing for are found by the trace', () => {
  const timer = (type: string) => ({ t: 'timer', at: 7, who: 'a@m', event: { type } })
  assert.equal(
    missedIn([timer('arrive'), timer('unanswered')]).map(({ text }) => text),
    ['a@m at 7'],
  )
})

test('have a score with the interval of Wilson', () => {
  // from Wilson's example as tabulated by Newcombe (1998): 81 of 263, and 0 of 20
  assert.equal(
    wilson(81, 263).map((bound) => bound.toFixed(4)),
    ['0.2553', '0.3662'],
  )
  assert.equal(
    wilson(0, 20).map((bound) => bound.toFixed(4)),
    ['0.0000', '0.1611'],
  )
  assert.equal(wilson(0, 0), [0, 1])
})

test.run()
