/** The use of processors by jobs, from made-up facts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/core/time.ts'
import { chargedStayOf, periods, stayOf, Usage } from '../../scenarios/shares/usage.ts'

const ran = (job: string, used: number) => ({ type: 'ran', job, used: units(used), switching: 0, pass: 0 })

/** B, A and B on m1, with switches of 0.5 between them; B at the same time on m2. */
function folded(...cuts: readonly number[]): Usage {
  const usage = new Usage(cuts.map(units))
  usage.fold(ran('B', 20), 'processor@m1', units(20))
  usage.fold(ran('B', 30), 'processor@m2', units(30))
  usage.fold(ran('A', 20), 'processor@m1', units(40.5))
  usage.fold(ran('B', 20), 'processor@m1', units(61))
  return usage
}

const all = () => true
const isB = (job: string) => job === 'B'

test('a stay is without the switch before it, but charged with it', () => {
  const stay = { job: 'A', machine: 'm1', from: units(20.5), until: units(40.5) }
  const fact = { ...ran('A', 20), switching: units(0.5) }
  assert.equal(stayOf(fact, 'processor@m1', units(40.5)), stay)
  assert.equal(chargedStayOf(fact, 'processor@m1', units(40.5)), { ...stay, from: units(20) })
})

test('only facts of processors about jobs are stays', () => {
  assert.is(stayOf(ran('A', 20), 'client@m1', units(40)), undefined)
  assert.is(stayOf({ type: 'joined', job: 'A' }, 'processor@m1', 0), undefined)
  assert.is(stayOf({ type: 'ran', task: 1 }, 'processor@m1', 0), undefined)
})

test('totals list each job on each machine, in the order of their first runs', () => {
  const totals = folded().totals.map(({ job, machine, cpu }) => [job, machine, cpu])
  assert.equal(totals, [
    ['B', 'm1', units(40)],
    ['B', 'm2', units(30)],
    ['A', 'm1', units(20)],
  ])
  assert.is(
    folded().between(0, Infinity, (_, machine) => machine === 'm2'),
    units(30),
  )
})

test('a stay counts in every span that it touches, and spans count separately', () => {
  const usage = folded(50, 10, 10)
  const spans = [
    [0, 10],
    [10, 50],
    [50, Infinity],
    [0, 50],
  ] as const
  const used = spans.map(([from, until]) => usage.between(units(from), until === Infinity ? until : units(until), isB))
  assert.equal(used, [20, 39, 11, 59].map(units))
  assert.is(folded(25).between(units(25), Infinity, all), units(5 + 15.5 + 20))
})

test('a span that does not end at cuts is an error', () => {
  assert.throws(() => folded(10).between(0, units(11), all), /not cut at 11000000/)
})

test('only whole periods count', () => {
  assert.equal(periods(10, 35), [10, 20, 30])
})

test.run()
