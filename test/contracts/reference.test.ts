/** Random markets compared with a simulator of one plain loop, task by task. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { keyedDraws } from '../../lib/core/random.ts'
import { toUnits, units } from '../../lib/core/time.ts'
import type { ContractsMarket } from '../../scenarios/contracts/model.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { repeats } from '../repeats.ts'
import { simulate, type Task, type Terms } from './reference/simulator.ts'

interface Case {
  readonly tasks: readonly Task[]
  readonly terms: readonly Terms[]
  readonly preference: 'earliest' | 'cheapest'
}

/** A few dozen tasks at one to three small sites; many come together, and many are alike. */
function caseOf(seed: number): Case {
  const draw = keyedDraws(seed, 'reference', 0)
  const below = (limit: number) => Math.floor(draw() * limit)
  const oneOf = <T>(first: T, ...more: readonly T[]): T => [first, ...more][below(1 + more.length)] ?? first
  /** Times are multiples of a part of a unit, which is exact in binary and in millionths. Whole units often coincide. */
  const parts = oneOf(1, 1, 4, 64)
  const span = oneOf(0, 5, 20, 40, 80)
  const fixed = {
    value: oneOf(null, 20),
    decay: oneOf(null, 0, 1.5),
    bound: oneOf(null, 0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  }
  const tasks = Array.from({ length: 5 + below(30) }, () => ({
    arrival: below(span * parts) / parts,
    runtime: (1 + below(20 * parts)) / parts,
    value: fixed.value ?? oneOf(0, below(100), below(1000) / 7),
    decay: fixed.decay ?? oneOf(0, below(5), below(50) / 7),
    bound: fixed.bound ?? oneOf(0, below(30), Number.POSITIVE_INFINITY),
  }))
  tasks.sort((one, other) => one.arrival - other.arrival)
  const terms = Array.from({ length: oneOf(1, 1, 2, 3) }, () => ({
    processors: oneOf(1, 1, 2, 3, 4),
    name: oneOf<Terms['name']>('FirstReward', 'FirstReward', 'FirstPrice', 'FirstPrice', 'PV', 'FCFS', 'SRPT', 'SWPT'),
    alpha: oneOf(0, 0.3, 0.5, 1),
    discount: oneOf(0, 0.01, 0.1),
    threshold: oneOf(null, null, 0, 5),
    preempt: oneOf<Terms['preempt']>(0, 1, 1, 2),
  }))
  return { tasks: tasks.map((task, i) => ({ task: i, ...task })), terms, preference: oneOf('earliest', 'cheapest') }
}

const marketOf = ({ tasks, terms, preference }: Case): ContractsMarket => ({
  sites: terms.map(({ name, alpha, discount, ...rest }) => ({
    ...rest,
    heuristic: { name, alpha, discount },
    stale: 'honour',
    expiry: null,
    allowance: 0,
  })),
  broker: { preference, rounds: 'one by one', wait: null, rebids: 0 },
  tasks: tasks.map(({ task, arrival, runtime, value, decay, bound }) => ({
    task,
    arrival: units(arrival),
    runtime: units(runtime),
    worth: { shape: 'linear', value, decay, bound: bound === Number.POSITIVE_INFINITY ? null : bound },
  })),
  patience: null,
  claimCap: 0,
})

const isNear = (one: number, other: number) =>
  one === other || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))

const inUnits = (time: number | null) => (time === null ? Number.NaN : toUnits(time))

/** The seeds of the full run. */
const ALL = 60

test('every task is promised, run and paid as in a simulator that is one plain loop', async () => {
  const seen = { refused: 0, taken: 0, preempted: 0, late: 0 }
  // among these seeds are rare cases that differ if every waiting task may preempt, not only a new one
  const seeds = repeats(ALL)
  for (let seed = 301; seed <= 300 + seeds; seed++) {
    const one = caseOf(seed)
    const expected = simulate(one.tasks, one.terms, one.preference)
    const {
      broken,
      crashes,
      oracle: { ledger },
    } = await contractsRun.run(marketOf(one), { runtime: 'inline', seed })
    assert.equal([...broken, ...crashes], [], `seed ${seed}`)
    for (const { task } of one.tasks) {
      const theirs = expected.get(task)
      const story = ledger.tasks.get(task)
      assert.ok(story, `seed ${seed}, task ${task}: unknown`)
      const site = story.site === null ? -1 : Number(story.site.slice(1)) - 1
      assert.is(site, theirs?.site ?? -1, `seed ${seed}, task ${task}: site`)
      if (!theirs) {
        seen.refused++
        continue
      }
      const ours = {
        site,
        promised: inUnits(story.promised),
        price: story.price,
        slack: story.slack,
        start: inUnits(story.start),
        finish: inUnits(story.finish),
        yield: story.yield,
        paid: story.paid,
        preempted: story.preempted,
      }
      for (const [key, value] of Object.entries(ours)) {
        const right = Object.entries(theirs).find(([name]) => name === key)?.[1] ?? Number.NaN
        const what = `seed ${seed}, task ${task}: ${key} ${value}, expected ${right}`
        assert.ok(isNear(value ?? Number.NaN, right), what)
      }
      seen.taken++
      if (theirs.preempted > 0) seen.preempted++
      if (theirs.finish > theirs.promised) seen.late++
    }
  }
  for (const [what, count] of Object.entries(seen))
    assert.ok(count > (seeds < ALL ? seeds / 2 : 50), `${what}: ${count}`)
})

test.run()
