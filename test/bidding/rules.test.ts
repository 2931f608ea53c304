import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Agenda, attemptOf, awardOf, enqueue, type Request, without } from '../../actors/bidding/agenda.ts'
import { collect, earliest, type Offer } from '../../actors/bidding/conversation.ts'
import { afterLapse, improvement, isWorthMoving } from '../../actors/bidding/dsp/rules.ts'
import { choose, firstLate, quotedStart } from '../../actors/bidding/eager/rules.ts'
import { POLICIES, pointsLeft } from '../../actors/bidding/priority.ts'
import { duration } from '../../actors/processor/messages.ts'
import { ref } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'

const queue = suite('the queue of a contractor')

const ranked = (name: string, priority: number, arrival = 0) => ({ name, priority, arrival })
const names = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name).join(' ')

queue('smaller priorities go first, then earlier arrivals; equals keep the order of their requests', () => {
  const entries = [ranked('a', 20), ranked('b', 8), ranked('c', 20), ranked('d', 8), ranked('e', -1), ranked('f', 9)]
  assert.is(
    names([ranked('a', 1, 5), ranked('b', 1, 7)].reduce(enqueue<ReturnType<typeof ranked>>, [ranked('c', 1, 6)])),
    'a c b',
  )
  assert.is(names(entries.reduce(enqueue<ReturnType<typeof ranked>>, [])), 'e b d f a c')
})

queue('inserting leaves the old queue as it was', () => {
  const before = Object.freeze([ranked('a', 1), ranked('b', 3)])
  assert.is(names(enqueue(before, ranked('c', 2))), 'a c b')
  assert.is(names(before), 'a b')
})

const request = (task: number, priority: number, attempt = 1): Request => ({
  task,
  attempt,
  priority,
  arrival: task,
  client: ref('client@c1'),
  estimate: priority,
  files: [],
})
const tasks = (entries: readonly Request[]) => entries.map(({ task }) => task).join(' ')

queue('a lapsed request goes behind all others, also later ones, and is dropped when it lapses again', () => {
  const once = afterLapse([request(1, 8), request(2, 20)], 1)
  assert.is(tasks(once), '2 1')
  assert.is(tasks(enqueue(once, request(3, 99))), '2 3 1')
  assert.is(tasks(afterLapse(once, 2)), '1 2', 'lapsed both: by priority again')
  assert.is(tasks(afterLapse(once, 1)), '2')
  assert.is(tasks(afterLapse(once, 7)), '2 1', 'a bid for what was not queued')
})

queue.run()

const bids = suite('bids')

const offer = (index: number, completion: number, start = 0): Offer => ({
  contractor: ref(`contractor@m${index}`),
  index,
  start,
  completion,
})

const collected = (...offers: Offer[]) => offers.reduce<readonly Offer[]>(collect, [])

bids('the time of a task is rounded once, to a millionth', () => {
  assert.is(duration(units(10), 3), 3_333_333)
  assert.is(duration(units(0), 4), 0)
})

bids('the earliest completion wins; ties are listed by index, in whatever order they arrived', () => {
  const indices = (...offers: Offer[]) => earliest(collected(...offers)).map(({ index }) => index)
  assert.equal(indices(offer(2, 40), offer(1, 10), offer(3, 12)), [1])
  assert.equal(indices(offer(10, 5), offer(2, 5), offer(1, 6)), [2, 10])
  assert.equal(indices(), [])
})

bids('the latest bid of a contractor counts', () => {
  assert.equal(collected(offer(1, 9), offer(2, 8), offer(1, 7)), [offer(1, 7), offer(2, 8)])
})

bids.run()

const eager = suite('eager assignment')

const reservation = (task: number, priority: number, promise: number) => ({
  ...request(task, priority),
  work: priority,
  promise,
  points: 0,
  heard: 0,
})
const atSpeed4 = ({ estimate }: { estimate: number }) => duration(estimate, 4)

eager('quotes a start after the tasks that go before, without the task itself (golden trace g5)', () => {
  const reservations = [reservation(2, units(13), units(10))]
  assert.is(quotedStart(units(10), [], request(2, units(13)), atSpeed4), units(10))
  assert.is(quotedStart(units(10), reservations, request(3, units(11)), atSpeed4), units(10))
  assert.is(quotedStart(units(10), reservations, request(4, units(13)), atSpeed4), units(13.25), 'behind its equals')
  assert.is(quotedStart(units(10), reservations, request(2, units(13)), atSpeed4), units(10))
})

eager('finds the first promise that will be broken', () => {
  const reservations = [reservation(3, units(11), units(10)), reservation(2, units(13), units(10))]
  assert.is(firstLate(units(10), reservations, 0, atSpeed4)?.task, 2)
  assert.is(firstLate(units(10), reservations, units(2.75), atSpeed4), undefined, 'within the tolerance')
  assert.is(firstLate(units(11), reservations, 0, atSpeed4)?.task, 3)
  assert.is(firstLate(units(10), [], 0, atSpeed4), undefined)
})

eager('takes the offer of the holder among equally early ones, or of the fastest machine, or the first', () => {
  const offers = collected(offer(3, 10, 5), offer(2, 10, 5), offer(1, 10, 2), offer(4, 11, 9))
  assert.is(choose(offers, undefined)?.index, 2)
  assert.is(choose(offers, 'contractor@m1')?.index, 1)
  assert.is(choose(offers, 'contractor@m4')?.index, 2, 'the holder is not among the earliest')
  assert.is(choose([], 'contractor@m1'), undefined)
})

eager.run()

const policies = suite('priorities')

policies('rank by size, by arrival, by value, or by what the client can spend', () => {
  const task = { arrival: 3, estimate: 7, value: 40 }
  assert.is(POLICIES.spt(task, 0), 7)
  assert.is(POLICIES.lpt(task, 0), -7)
  assert.is(POLICIES.fcfs(task, 0), 3)
  assert.is(POLICIES['best-first'](task, 0), 40)
  assert.is(POLICIES.points(task, 100), -40)
  assert.is(POLICIES.points(task, 25), -25)
  assert.is(POLICIES.points(task, -5) + 0, 0, 'a client without points ranks its tasks last')
})

policies('a purse fills with every period, and with what was earned', () => {
  const income = { points: 10, period: 100 }
  assert.is(pointsLeft({ earned: 0, spent: 0 }, income, 0), 10)
  assert.is(pointsLeft({ earned: 0, spent: 25 }, income, 99), -15)
  assert.is(pointsLeft({ earned: 4, spent: 25 }, income, 200), 9)
})

policies.run()

const late = suite('late bids')

const close = (actual: number | null, expected: number) => {
  assert.type(actual, 'number')
  assert.ok(Math.abs(Number(actual) - expected) < 0.0005, `${actual} is not about ${expected}`)
}

late('save the share of the remaining time that the golden traces have', () => {
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

const memory = suite('the agenda of a contractor')

const award = (task: number, attempt: number) => ({
  ...request(task, 1, attempt),
  work: 1,
  promise: 0,
  points: 0,
  heard: 0,
})
const agenda: Agenda = {
  executing: { ...award(1, 2), since: 0, isUnwanted: false },
  held: [award(2, 1)],
  queue: [request(3, 5, 4), request(4, 6)],
  question: { task: 3, attempt: 4, client: ref('client@c1') },
}

memory('knows the attempt of each task that it executes, holds, has queued or has bid for', () => {
  assert.equal(
    [1, 2, 3, 4, 5].map((task) => attemptOf(agenda, task)),
    [2, 1, 4, 1, 0],
  )
  assert.is(attemptOf({ ...agenda, queue: [] }, 3), 4)
})

memory('finds an award by its attempt', () => {
  assert.is(awardOf(agenda, { task: 1, attempt: 2 }), agenda.executing)
  assert.is(awardOf(agenda, { task: 1, attempt: 1 }), undefined)
  assert.is(awardOf(agenda, { task: 2, attempt: 1 }), agenda.held[0])
  assert.is(awardOf(agenda, { task: 3, attempt: 4 }), undefined, 'queued is not awarded')
})

memory('removes one task from all its lists and keeps the others', () => {
  assert.is(without(agenda, 1).executing, null)
  assert.equal(without(agenda, 2).held, [])
  assert.equal(without(agenda, 3), { ...agenda, queue: [request(4, 6)], question: null })
  assert.equal(without(agenda, 9), agenda)
})

memory.run()
