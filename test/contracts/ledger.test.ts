/** Each promise of the ledger is broken once, by a story that is told wrongly. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Ledger } from '../../actors/contracts/ledger.ts'
import type { Task } from '../../actors/contracts/values.ts'
import { type Address, type Message, type Time, units } from '../../lib/actor.ts'

const TASK: Task = {
  ...{ task: 1, arrival: units(5), runtime: units(10) },
  worth: { shape: 'linear', value: 50, decay: 2, bound: null },
}

type Line = readonly [who: Address, at: number, fact: Message]

const attempt = (incarnation = 1) => ({ task: 1, incarnation })
const start = (at: number, who: Address = 'processor@s1p1', incarnation = 1): Line => [
  ...([who, at] as const),
  { type: 'started', ...attempt(incarnation), work: units(10) },
]
const stop = (type: 'finished' | 'aborted', at: number, busy: number, who: Address = 'processor@s1p1'): Line => [
  ...([who, at] as const),
  { type, ...attempt(), busy: units(busy) },
]
const earned = (at: number, worth: number, paid: number): Line => [
  ...(['site@s1', at] as const),
  { type: 'earned', task: 1, finish: units(at), yield: worth, paid },
]
const paid = (at: number, amount: number): Line => [
  ...(['client@c1', at] as const),
  { type: 'paid', task: 1, finish: units(at), paid: amount },
]
const taken = (who: Address = 'site@s1'): Line => [who, 5, { type: 'taken', task: 1, completion: units(17), price: 46 }]
const REQUESTED: Line = ['client@c1', 5, { type: 'requested', task: 1, of: TASK }]
const PLACED: Line = ['client@c1', 5, { type: 'placed', task: 1, site: 'site@s1' }]

/** In time, to the unit: 2 late against the arrival, so 46. */
const TOLD: readonly Line[] = [
  ...[REQUESTED, taken(), PLACED, start(7), stop('finished', 17, 10), earned(17, 46, 46), paid(17, 46)],
]

function brokenBy(lines: readonly Line[]): string[] {
  const ledger = new Ledger()
  for (const [who, at, fact] of lines) ledger.fold(fact, who, timeOf(at))
  ledger.close()
  return [...new Set(ledger.broken.map(({ property }) => property))]
}

const timeOf = (at: number): Time => units(at)

/** With one line in the place of others. */
const told = (place: number, ...lines: readonly Line[]): Line[] => TOLD.toSpliced(place, 1, ...lines)

test('a task that is run and paid as agreed breaks no promise', () => assert.equal(brokenBy(TOLD), []))

test('nor does one that was preempted and went on elsewhere', () => {
  const lines = [
    start(7),
    stop('aborted', 9, 2),
    start(9, 'processor@s1p2', 2),
    stop('finished', 17, 8, 'processor@s1p2'),
  ]
  assert.equal(brokenBy([...TOLD.slice(0, 3), ...lines, ...TOLD.slice(5)]), [])
})

const WRONG: readonly (readonly [property: string, lines: readonly Line[]])[] = [
  ['only tasks that were requested are spoken of', told(0)],
  ['a task has one contract', told(1, taken(), taken('site@s2'))],
  ['no task begins before it arrives', told(3, start(4))],
  ['a task runs for its runtime', told(4, stop('finished', 17, 9))],
  ['a task runs on one processor at a time', told(3, start(7), start(7, 'processor@s1p2'))],
  ['a yield is what the value function says', told(5, earned(17, 47, 46))],
  ['what is due is the price, or the yield if it is less', told(5, earned(17, 46, 45))],
  ['what is paid is what is earned', told(6, paid(17, 45))],
  ['a task is paid once', told(6, paid(17, 46), paid(17, 46))],
  ['a task is done once', told(5, earned(17, 46, 46), earned(17, 46, 46))],
  ['a client hears what becomes of each task', [REQUESTED]],
  ['who is told of a contract has one', [REQUESTED, PLACED]],
  ['what is taken on is done', [REQUESTED, taken(), PLACED]],
  ['what is taken on is paid', TOLD.slice(0, 6)],
]

for (const [property, lines] of WRONG) {
  test(`seen to fail: ${property}`, () => {
    const broken = brokenBy(lines)
    assert.ok(broken.includes(property), broken.join('; ') || 'nothing was broken')
  })
}

test('seen to fail: a processor runs one task at a time', () => {
  const other: Line = ['processor@s1p1', 7, { type: 'started', task: 2, incarnation: 1, work: units(1) }]
  const second: Line = ['client@c1', 5, { type: 'requested', task: 2, of: { ...TASK, task: 2 } }]
  assert.ok(brokenBy([second, ...told(3, start(7), other)]).includes('a processor runs one task at a time'))
})

test.run()
