import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Agenda, afterLapse, awardOf, incarnationOf, type Request, without } from '../../actors/bidding/agenda.ts'
import { earliest, enqueue, improvement, isWorthMoving, predictCompletion } from '../../actors/bidding/dsp.ts'
import { duration } from '../../actors/processor/messages.ts'
import { units } from '../../lib/time.ts'

const queue = suite('the queue of a contractor')

const ranked = (name: string, priority: number) => ({ name, priority })
const names = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name).join(' ')

queue('smaller priorities go first, equals in the order in which they came', () => {
  const entries = [ranked('a', 20), ranked('b', 8), ranked('c', 20), ranked('d', 8), ranked('e', -1), ranked('f', 9)]
  assert.is(names(entries.reduce(enqueue<{ name: string; priority: number }>, [])), 'e b d f a c')
})

queue('inserting leaves the old queue as it was', () => {
  const before = Object.freeze([ranked('a', 1), ranked('b', 3)])
  assert.is(names(enqueue(before, ranked('c', 2))), 'a c b')
  assert.is(names(before), 'a b')
})

const request = (task: number, priority: number, incarnation = 1): Request => ({
  task,
  incarnation,
  priority,
  client: 'client@c1',
  estimate: priority,
})
const tasks = (entries: readonly Request[]) => entries.map(({ task }) => task).join(' ')

queue('a lapsed request goes behind all others, newcomers too, and is dropped when it lapses again', () => {
  const once = afterLapse([request(1, 8), request(2, 20)], 1)
  assert.is(tasks(once), '2 1')
  assert.is(tasks(enqueue(once, request(3, 99))), '2 3 1')
  assert.is(tasks(afterLapse(once, 2)), '1 2', 'lapsed both: by priority again')
  assert.is(tasks(afterLapse(once, 1)), '2')
  assert.is(tasks(afterLapse(once, 7)), '2 1', 'a bid for what was not queued')
})

queue.run()

const bids = suite('bids')

bids('promise the completion if awarded on arrival (golden traces g1, g3)', () => {
  assert.is(predictCompletion(units(0), units(0), units(40), 4), units(10))
  assert.is(predictCompletion(units(5), units(5), units(40), 4), units(25))
  assert.is(predictCompletion(units(6), units(5), units(8), 1), units(24))
})

bids('a negative estimate takes no time', () => {
  assert.is(predictCompletion(units(3), units(1), units(-7), 2), units(5))
})

bids('work is rounded once, to a millionth', () => {
  assert.is(duration(units(10), 3), 3_333_333)
  assert.is(duration(units(0), 4), 0)
})

bids('the earliest completion wins; ties are listed by index, however they came', () => {
  const offer = (index: number, completion: number) => ({ contractor: `contractor@m${index}`, index, completion })
  const indices = (...offers: ReturnType<typeof offer>[]) => earliest(offers).map(({ index }) => index)
  assert.equal(indices(offer(2, 40), offer(1, 10), offer(3, 12)), [1])
  assert.equal(indices(offer(10, 5), offer(2, 5), offer(1, 6)), [2, 10])
  assert.equal(indices(), [])
})

bids.run()

const late = suite('late bids')

const close = (actual: number | null, expected: number) => {
  assert.type(actual, 'number')
  assert.ok(Math.abs(Number(actual) - expected) < 0.0005, `${actual} is not about ${expected}`)
}

late('save the share of the remaining time that the golden traces tell', () => {
  close(improvement(units(10), units(29), units(15)), 0.737)
  close(improvement(units(70), units(186), units(115)), 0.612)
  close(improvement(units(40), units(63 + 10), units(50)), 1 - 10 / 33)
  close(improvement(units(30), units(33), units(37)), -1.333)
})

late('save at most 3/4 between speeds 4 and 1, right after the award', () => {
  assert.is(improvement(units(0), units(60), units(15)), 0.75)
})

late('are not weighed against a promise that is overdue or due now', () => {
  assert.is(improvement(units(20), units(20), units(21)), null)
  assert.is(improvement(units(21), units(20), units(22)), null)
  assert.not(isWorthMoving(null, 0))
  assert.not(isWorthMoving(null, -1000))
})

late('move a task only if they save strictly more than the criterion', () => {
  assert.ok(isWorthMoving(0.612, 0.6))
  assert.not(isWorthMoving(0.612, 0.65))
  assert.not(isWorthMoving(0.5, 0.5))
  assert.not(isWorthMoving(0.999, null), 'a criterion of null admits none')
})

late.run()

const memory = suite('what a contractor remembers')

const award = (task: number, incarnation: number) => ({ task, incarnation, priority: 1, client: 'client@c1', work: 1 })
const agenda: Agenda = {
  executing: award(1, 2),
  held: [award(2, 1)],
  queue: [request(3, 5, 4), request(4, 6)],
  openBid: { task: 3, incarnation: 4, client: 'client@c1' },
}

memory('knows the incarnation of whatever it executes, holds, has queued or has bid for', () => {
  assert.equal(
    [1, 2, 3, 4, 5].map((task) => incarnationOf(agenda, task)),
    [2, 1, 4, 1, 0],
  )
  assert.is(incarnationOf({ ...agenda, queue: [] }, 3), 4)
})

memory('finds an award by its incarnation', () => {
  assert.is(awardOf(agenda, { task: 1, incarnation: 2 }), agenda.executing)
  assert.is(awardOf(agenda, { task: 1, incarnation: 1 }), undefined)
  assert.is(awardOf(agenda, { task: 2, incarnation: 1 }), agenda.held[0])
  assert.is(awardOf(agenda, { task: 3, incarnation: 4 }), undefined, 'queued is not awarded')
})

memory('forgets one task everywhere and leaves the others', () => {
  assert.is(without(agenda, 1).executing, null)
  assert.equal(without(agenda, 2).held, [])
  assert.equal(without(agenda, 3), { ...agenda, queue: [request(4, 6)], openBid: null })
  assert.equal(without(agenda, 9), agenda)
})

memory.run()
