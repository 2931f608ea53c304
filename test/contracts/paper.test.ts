/** The converged values of the figures have the shapes that the claims of the paper and our remarks describe. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Converged, toleranceOf } from '../../lib/experiment/converged.ts'
import { DISCOUNTS, FIGURE_3, FIGURE_3_OTHERWISE } from '../../scenarios/contracts/paper/figure-3.ts'
import { ALPHAS, FIGURE_6 } from '../../scenarios/contracts/paper/figure-6.ts'
import { FIGURE_7 } from '../../scenarios/contracts/paper/figure-7.ts'
import { FIGURE_4, FIGURE_5, type Weighted } from '../../scenarios/contracts/paper/figures-4-5.ts'
import { POLICIES } from './policies.ts'

const rises = (values: readonly number[], what: string): void =>
  assert.ok(
    values.every((value, i) => i === 0 || value > (values[i - 1] ?? 0)),
    `${what}: ${values.join(', ')}`,
  )

const at = (study: Weighted, alpha: number): number => {
  const found = study.gains.find((one) => one.alpha === alpha)
  assert.ok(found, `alpha ${alpha}`)
  return found.ofOffered.value
}

const bestAlpha = ({ gains }: Weighted): number | undefined => {
  const most = Math.max(...gains.map(({ improvement }) => improvement.value))
  return gains.find(({ improvement }) => improvement.value === most)?.alpha
}

/** The rows of a figure for a number of processors, without preemption, by decay skew. */
const ofMachine = (figure: readonly Weighted[], processors: number): Weighted[] =>
  figure.filter((one) => one.processors === processors && one.preempt === 0)

test('a tolerance is three standard errors of the difference, also for other numbers of traces', () => {
  const one: Converged = { value: 0, tolerance: 3 * Math.sqrt(1 / 12 + 1 / 8), ofSeeds: 12, seeds: 8 }
  assert.is(toleranceOf(one, 12), one.tolerance)
  assert.ok(Math.abs(toleranceOf(one, 2) - 3 * Math.sqrt(1 / 2 + 1 / 8)) < 1e-12)
})

test('figure 3: PV is ahead by less than 10 %, and more for higher skews, but behind on sixteen processors', () => {
  const best = FIGURE_3.map(({ improvements }) => Math.max(...DISCOUNTS.map((rate) => improvements[rate].value)))
  rises(best, 'best improvement by value skew')
  assert.ok(best.every((percent) => percent > 1 && percent < 6))
  for (const { improvements } of FIGURE_3) assert.ok(improvements[0.0003].value > 0 && improvements[0.001].value > 0)
  assert.ok((FIGURE_3[0]?.improvements[0.01].value ?? 0) < 0)
  assert.is(FIGURE_3_OTHERWISE.processors.value.toFixed(1), '-1.6')
  assert.is(FIGURE_3_OTHERWISE.mean.value.toFixed(1), '4.4')
  assert.is(FIGURE_3.at(-1)?.improvements[0.01].value.toFixed(1), '5.7')
})

test('figure 4: the best alpha is 0.3 or 0.4, better than either end, and the gain grows with the decay skew', () => {
  for (const processors of [16, 1]) {
    const studies = ofMachine(FIGURE_4, processors)
    assert.equal(studies.map(bestAlpha), [0.4, 0.3, 0.3])
    rises(
      studies.map((study) => at(study, 0.3)),
      'at 0.3 by decay skew',
    )
    for (const study of studies) assert.ok(at(study, 0.3) > at(study, 0) && at(study, 0.3) > at(study, 1))
    assert.equal(
      studies.map((study) => at(study, 0) > 0),
      [false, false, processors === 16],
    )
  }
  const [skew3] = ofMachine(FIGURE_4, 16)
  assert.ok(skew3 && at(skew3, 0.4) - Math.min(at(skew3, 0.3), at(skew3, 0.5)) < 0.05)
  const preempting = FIGURE_4.find(({ preempt }) => preempt === 1)
  assert.ok(preempting && at(preempting, 0.7) > at(preempting, 0.3))
})

test('figure 5: the gain falls with alpha, and is at least ten times that with bounded penalties', () => {
  for (const processors of [16, 1]) {
    for (const [i, study] of ofMachine(FIGURE_5, processors).entries()) {
      const bounded = ofMachine(FIGURE_4, processors)[i]
      assert.is(bestAlpha(study), 0)
      rises(study.gains.map(({ ofOffered }) => ofOffered.value).reverse(), 'by falling alpha')
      assert.ok(bounded && at(study, 0) > 10 * Math.max(...bounded.gains.map(({ ofOffered }) => ofOffered.value)))
    }
  }
})

test('the converged values of the policies agree with those of the figures: PV is an alpha of 1', () => {
  for (const [figure, bound] of [[FIGURE_4, 0] as const, [FIGURE_5, null] as const]) {
    const study = ofMachine(figure, 16).find(({ decaySkew }) => decaySkew === 5)
    const gains = POLICIES.find((one) => one.bound === bound)?.gains
    assert.ok(study && gains)
    assert.is(gains.PV.ofOffered.value, at(study, 1))
    assert.is(gains.FirstReward.ofOffered.value, at(study, 0.3))
  }
})

test('figure 6: the rate rises with the load with admission control, and sinks below 0 without it', () => {
  for (const [processors, negativeFrom, ahead] of [[1, 1, 1.015] as const, [16, 1.5, 1.03] as const]) {
    const loads = FIGURE_6.filter((one) => one.processors === processors)
    assert.is(loads.length, 5)
    for (const alpha of ALPHAS) {
      rises(
        loads.map(({ rates }) => rates[alpha].admitting.value),
        `alpha ${alpha}`,
      )
      for (const { load, rates } of loads) assert.is(rates[alpha].takingAll.value < 0, load >= negativeFrom)
    }
    for (const { load, rates } of loads) {
      assert.ok(rates[0].admitting.value < ahead * Math.min(rates[0.3].admitting.value, rates[0.9].admitting.value))
      if (load >= 1) rises([rates[0.9].takingAll.value, rates[0.3].takingAll.value, rates[0].takingAll.value], 'cost')
    }
  }
})

test('figure 7: with one processor the best threshold rises with the load, with sixteen it does not', () => {
  const lossAt = ({ rates }: (typeof FIGURE_7)[number], threshold: number): number => {
    const most = Math.max(...rates.map(({ rate }) => rate.value))
    return 1 - (rates.find((one) => one.threshold === threshold)?.rate.value ?? Number.NaN) / most
  }
  for (const processors of [1, 16]) {
    const loads = FIGURE_7.filter((one) => one.processors === processors)
    assert.is(loads.length, 5)
    for (const one of loads) assert.ok(one.best.some((threshold) => lossAt(one, threshold) === 0))
    rises(
      loads.map((one) => lossAt(one, -400)),
      'loss at -400 by load',
    )
  }
  const [alone, many] = [1, 16].map((processors) => FIGURE_7.filter((one) => one.processors === processors))
  assert.ok(alone && many)
  const least = alone.map(({ best }) => Math.min(...best))
  assert.equal([least[0], least.at(-1)], [0, 700])
  assert.ok(least.every((threshold, i) => threshold >= (least[i - 1] ?? 0)))
  assert.equal(
    many.slice(1).map((one) => one.rates.find(({ threshold }) => lossAt(one, threshold) === 0)?.threshold),
    [50, 100, 100, 50],
  )
})

test.run()
