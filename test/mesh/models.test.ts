/** The models of chapter 5: efficiency preservation, overhead of rotations, fairness, birth and death. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { EQUI_RULES } from '../../actors/mesh/equi.ts'
import { fraction } from '../../actors/mesh/fraction.ts'
import { meanSlowest } from '../../actors/mesh/job/pace.ts'
import type { Mesh } from '../../actors/mesh/mesh.ts'
import { BASELINE, stepTime } from '../../actors/mesh/model.ts'
import { units } from '../../lib/actor.ts'
import { stream } from '../../lib/core/random.ts'
import { blowUp, idealBlowUp } from '../../scenarios/mesh/formulas/birth-death.ts'
import { fairnessOf, rotatingFairness } from '../../scenarios/mesh/formulas/fairness.ts'
import { type Overhead, overheadOf } from '../../scenarios/mesh/formulas/overhead.ts'
import { efficiencyOf, exchangesOf, periodOf, policiesOf, sizesOf } from '../../scenarios/mesh/formulas/policies.ts'
import { BLOW_UPS, EFFICIENCY, FAIRNESS, LIMITED, UNEVEN } from '../../scenarios/mesh/paper/converged.ts'
import { ROTATING } from './golden/rotating.ts'

const POLICIES = policiesOf()
const TIES = policiesOf(EQUI_RULES.H)

const SQUARE: Mesh = { m: 4, n: 4 }
const EVEN = { ...BASELINE, mesh: SQUARE }

const near = (one: number, other: number | undefined, tolerance: number, what: string) =>
  assert.ok(one === other || Math.abs(one - (other ?? Number.NaN)) <= tolerance, `${what}: ${one}, expected ${other}`)

test('a step consists of computing, messages along the fullest row and column, and switches', () => {
  assert.is(stepTime(EVEN, { rows: 16, columns: 16 }, 1), 102_000)
  assert.is(stepTime(EVEN, { rows: 4, columns: 5 }, 13), 1_314_000)
})

test('how many jobs are small and large, and after how many rotations sizes repeat, up to 64 jobs', () => {
  assert.is(ROTATING.length, 64)
  for (const { jobs = 0, ...expected } of ROTATING) {
    const { small, large } = sizesOf(jobs)
    assert.equal({ n: periodOf(jobs), f: exchangesOf(jobs), s: small, b: large }, expected, `${jobs} jobs`)
  }
})

const equiPlus = efficiencyOf(EVEN, POLICIES['EQUI+'])
const fold = efficiencyOf(EVEN, POLICIES.FOLD)

/** The efficiency of folding that rotates, with the interval in seconds. */
const rotating = (seconds: number, formula: Overhead) => (jobs: number) =>
  fold(jobs) * (1 - overheadOf(EVEN, jobs, units(seconds), formula))

test('efficiency preservation of equal threads agrees with the specification to 6 digits', () => {
  assert.is(EFFICIENCY.length, 32)
  const ours: Readonly<Record<string, (jobs: number) => number>> = {
    equi: efficiencyOf(EVEN, POLICIES.EQUI),
    equiPlus,
    equiTies: efficiencyOf(EVEN, TIES.EQUI),
    equiPlusTies: efficiencyOf(EVEN, TIES['EQUI+']),
    fold,
    fold20: rotating(20, 'derived'),
    fold50: rotating(50, 'derived'),
    fold200: rotating(200, 'derived'),
    printed20: rotating(20, 'printed'),
    printed50: rotating(50, 'printed'),
    printed200: rotating(200, 'printed'),
    overhead20: (jobs) => overheadOf(EVEN, jobs, units(20), 'derived'),
    overheadPrinted20: (jobs) => overheadOf(EVEN, jobs, units(20), 'printed'),
  }
  for (const { jobs = 0, ...expected } of EFFICIENCY) {
    assert.equal(Object.keys(ours), Object.keys(expected))
    for (const [name, of] of Object.entries(ours)) near(of(jobs), expected[name], 1e-6, `${name}, ${jobs} jobs`)
  }
})

test('with uneven threads the efficiency is within 0.004 of values from draws', () => {
  assert.is(UNEVEN.length, 4 * 32)
  for (const delta of [0, 5, 10, 20]) {
    const machine = { ...EVEN, delta: units(delta / 1000) }
    const [equi, plus, folding] = ([POLICIES.EQUI, POLICIES['EQUI+'], POLICIES.FOLD] as const).map((policy) =>
      efficiencyOf(machine, policy),
    )
    for (const { jobs = 0, ...expected } of UNEVEN.filter((row) => row['delta'] === delta)) {
      near(equi?.(jobs) ?? Number.NaN, expected['equi'], 0.004, `EQUI, ${jobs} jobs, delta ${delta}`)
      near(plus?.(jobs) ?? Number.NaN, expected['equiPlus'], 0.004, `EQUI+, ${jobs} jobs, delta ${delta}`)
      near(folding?.(jobs) ?? Number.NaN, expected['fold'], 0.004, `FOLD, ${jobs} jobs, delta ${delta}`)
    }
  }
})

test('the mean time of the slowest processor is exact where it is known, and elsewhere agrees with draws', () => {
  near(meanSlowest([{ processors: 256, fixed: 0, count: 1 }], 1), 256 / 257, 1e-5, '256 processors')
  near(meanSlowest([{ processors: 1, fixed: 3, count: 7 }], 2), 10, 1e-5, 'one processor')
  // two sums of two: 1 + the integral of F (1 - F) over [0, 2], which is 7/30
  near(meanSlowest([{ processors: 2, fixed: 0, count: 2 }], 1), 1 + 7 / 30, 1e-4, 'two processors')
  const groups = [
    { processors: 4, fixed: 10, count: 6 },
    { processors: 8, fixed: 12, count: 3 },
  ]
  const draw = stream(1, 'slowest')
  const rounds = 100_000
  let total = 0
  for (let i = 0; i < rounds; i++) {
    let most = 0
    for (const { processors, fixed, count } of groups) {
      for (let p = 0; p < processors; p++) {
        let time = fixed
        for (let n = 0; n < count; n++) time += 2 * draw()
        most = Math.max(most, time)
      }
    }
    total += most
  }
  near(meanSlowest(groups, 2), total / rounds, 0.01, 'draws')
})

test('the least and the largest share are those of the specification', () => {
  assert.is(FAIRNESS.length, 32)
  for (const { jobs = 0, ...expected } of FAIRNESS) {
    const ours = {
      equi: fairnessOf(SQUARE, POLICIES.EQUI, jobs),
      equiPlus: fairnessOf(SQUARE, POLICIES['EQUI+'], jobs),
      fold: fairnessOf(SQUARE, POLICIES.FOLD, jobs),
      'fold8/15': rotatingFairness(SQUARE, jobs, fraction(8, 15)),
      'fold4/15': rotatingFairness(SQUARE, jobs, fraction(4, 15)),
    }
    for (const [name, { least, most }] of Object.entries(ours)) {
      near(least, expected[name], 1e-5, `${name}, ${jobs} jobs, least`)
      near(most, expected[name.toUpperCase()], 1e-5, `${name}, ${jobs} jobs, most`)
    }
  }
})

test('a job that ends before the first rotation has the share of a job that sees no rotation', () => {
  for (let jobs = 1; jobs <= 64; jobs++) {
    const [still, never] = [rotatingFairness(SQUARE, jobs, fraction(1)), fairnessOf(SQUARE, POLICIES.FOLD, jobs)]
    assert.equal(still, never, `${jobs} jobs`)
  }
})

test('blow-ups by birth and death are those of the specification', () => {
  const P = 256
  const perJob = (formula: Overhead) => (jobs: number) => rotating(20 * jobs, formula)(jobs)
  const ours: Readonly<Record<string, (load: number) => number>> = {
    ideal: idealBlowUp,
    equi: (load) => blowUp(load, efficiencyOf(EVEN, POLICIES.EQUI), P),
    equiPlus: (load) => blowUp(load, equiPlus, P),
    equiTies: (load) => blowUp(load, efficiencyOf(EVEN, TIES.EQUI), P),
    equiPlusTies: (load) => blowUp(load, efficiencyOf(EVEN, TIES['EQUI+']), P),
    fold: (load) => blowUp(load, fold, P),
    fold20: (load) => blowUp(load, rotating(20, 'derived'), P),
    fold200: (load) => blowUp(load, rotating(200, 'derived'), P),
    fold20PerJob: (load) => blowUp(load, perJob('derived'), P),
    printed20: (load) => blowUp(load, rotating(20, 'printed'), P),
    printed200: (load) => blowUp(load, rotating(200, 'printed'), P),
    printed20PerJob: (load) => blowUp(load, perJob('printed'), P),
  }
  assert.is(BLOW_UPS.length, 11)
  for (const { load = 0, ...expected } of BLOW_UPS) {
    assert.equal(Object.keys(ours), Object.keys(expected))
    for (const [name, of] of Object.entries(ours)) {
      near(of(load), expected[name], 1e-4, `${name}, load ${load}`)
    }
  }
})

test('blow-ups with a multiprogramming limit are those of the specification; three jobs under EQUI+ cannot bear a load of 0.9', () => {
  assert.is(LIMITED.length, 80)
  for (const { load = 0, limit = 0, ...expected } of LIMITED) {
    near(blowUp(load, equiPlus, limit), expected['equiPlus'], 1e-4, `EQUI+, load ${load}, limit ${limit}`)
    near(blowUp(load, fold, limit), expected['fold'], 1e-4, `FOLD, load ${load}, limit ${limit}`)
  }
  assert.is(blowUp(0.9, equiPlus, 3), Number.POSITIVE_INFINITY)
})

test('without loss the blow-up is that of a queue, for any limit and any number of jobs', () => {
  for (const limit of [1, 7, 1000])
    near(
      blowUp(0.75, () => 1, limit),
      idealBlowUp(0.75),
      1e-9,
      `limit ${limit}`,
    )
  // states are ever more likely up to the limit of 500 jobs, so that nearly all the time there are about 500
  near(
    blowUp(10, (jobs) => (jobs < 500 ? 1 : 1e9), 1000),
    49.9,
    0.1,
    'scaled',
  )
})

test.run()
