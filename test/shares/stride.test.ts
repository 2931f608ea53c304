/** Stride scheduling by hand: schedules worked out beforehand, to the quantum and to the last digit of a pass. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FIGURE_1, TICKETS } from './golden/figure-1.ts'
import { ASLEEP, FIGURE_2 } from './golden/figure-2.ts'
import { ABSENCE, EXPIRY, QUARTERS, RICHER } from './golden/stride.ts'
import { Node } from './node.ts'

const test = suite('stride scheduling')

const node = (stride1: number, tickets: Readonly<Record<string, number>>, start: 'stride' | 'zero' = 'stride') =>
  Object.entries(tickets).reduce((node, [name, amount]) => node.create(name, amount, start), new Node(stride1))

const count = (schedule: string, name: string) => schedule.split(name).length - 1

for (const { start, schedule, passes } of FIGURE_1) {
  test(`figure 1: tickets 1:2:3 where the first pass is ${start}`, () => {
    const abc = node(6, TICKETS, start)
    for (const [i, [A, B, C]] of passes.entries()) {
      assert.is(abc.pick(), schedule[i])
      assert.equal(abc.passes, { A, B, C }, `after quantum ${i + 1}`)
    }
    assert.is(abc.queue.globalPass, 12)
  })
}

for (const { policy, schedule, steady, extra } of FIGURE_2) {
  test(`figure 2 with ${policy}: a sleep of six quanta is made up for in the next six`, () => {
    const abc = node(6, { A: 1, B: 1, C: 1 })
    const awake = abc.picks(ASLEEP.from)
    abc.leave('C')
    if (policy === 'loan') abc.change('B', { extra: 1 })
    const asleep = abc.picks(ASLEEP.until - ASLEEP.from)
    // with its one ticket lent to C, B cannot compete
    if (policy === 'loan') abc.leave('B')
    const caughtUp = abc.comeBack('C', { extra: extra.C }).picks(ASLEEP.caughtUp - ASLEEP.until)
    assert.is(awake + asleep + caughtUp, schedule)
    for (const name of 'ABC') assert.is(count(schedule, name), 6)
    assert.equal(
      (schedule.match(/.../g) ?? []).map((block) => count(block, 'A')),
      steady,
    )
  })
}

test('a client that uses a quarter of a quantum is charged for a quarter', () => {
  const ab = node(QUARTERS.stride1, { A: 1, B: 1 })
  const part = (): number => (ab.of('A').pass <= ab.of('B').pass ? 1 : 1 / 4)
  const cpu = new Map<string, number>()
  for (const expected of QUARTERS.schedule) {
    const used = part()
    assert.is(ab.pick(used), expected)
    cpu.set(expected, (cpu.get(expected) ?? 0) + used)
  }
  assert.equal(Object.fromEntries(cpu), QUARTERS.cpu)
  assert.equal(ab.passes, QUARTERS.passes)
})

test('a client that leaves comes back as far beyond the others as it left', () => {
  const abc = node(ABSENCE.stride1, ABSENCE.tickets)
  const { before, away, after, remain } = ABSENCE
  assert.is(abc.picks(3), before.schedule)
  assert.equal(abc.passes, { A: before.pass, B: before.pass, C: before.pass })
  assert.is(abc.queue.globalPass, before.globalPass)
  assert.is(abc.of('B').pass - abc.queue.globalPass, remain)
  abc.leave('B')
  assert.is(abc.net, 4)
  assert.is(abc.picks(4), away.schedule)
  assert.is(abc.queue.globalPass, away.globalPass)
  abc.comeBack('B')
  assert.equal(abc.passes, { A: away.pass, B: away.pass, C: away.pass })
  assert.is(abc.picks(6), after.schedule)
  assert.equal(abc.passes, { A: after.pass, B: after.pass, C: after.pass })
  assert.is(abc.queue.globalPass, after.globalPass)
})

test('more tickets shorten the rest of a stride', () => {
  const ab = node(RICHER.stride1, RICHER.tickets)
  assert.is(ab.picks(2), RICHER.before.schedule)
  assert.is(ab.queue.globalPass, RICHER.before.globalPass)
  assert.is(ab.of('B').pass, RICHER.before.pass)
  ab.change('B', { tickets: RICHER.amount })
  assert.is(ab.of('B').pass, RICHER.after.pass)
  assert.is(ab.queue.total, 6)
  assert.is(ab.picks(6), RICHER.after.schedule)
})

test('exhaustible tickets count until they are gone', () => {
  const ab = new Node(EXPIRY.stride1).create('A', 1, 'stride', EXPIRY.extra).create('B', 1)
  const before = ab.picks(8)
  const after = ab.change('A', { extra: 0 }).picks(6)
  assert.is(before, EXPIRY.before)
  assert.is(after, EXPIRY.after)
  for (const [name, quanta] of Object.entries(EXPIRY.cpu)) assert.is(count(before + after, name), quanta)
})

test('the global pass stands still while no client competes', () => {
  const a = node(6, { A: 3 })
  assert.is(a.pick(), 'A')
  assert.is(a.leave('A').queue.globalPass, 2)
  a.now += 100
  a.create('B', 1)
  assert.is(a.of('B').pass, 2 + 6)
})

test.run()
