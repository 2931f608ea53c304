import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { localOnly, mg1, mm1, mmc, optimalAssignment, sptByEstimate } from '../../lib/experiment/closed-forms.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('closed forms')
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `expected ${expected}, got ${actual}`)

const speedsOf = (text: string): number[] => text.split(',').map(Number)

test('M/M/1 waits rho / (mu (1 - rho))', () => {
  near(mm1(0.5, 1).wait, 1, 1e-15)
  near(mm1(0.9, 1).flow, 10, 1e-13)
})

test('M/M/m has the mean flow times of Malone et al. 1986, Table 2, to four digits', () => {
  for (const [machines, load, flow] of [
    ...([[1, 0.1, 66.6667] as const, [1, 0.5, 120], [1, 0.9, 600]] as const),
    ...([[2, 0.1, 60.6061] as const, [2, 0.5, 80], [2, 0.9, 315.7895]] as const),
    ...([[4, 0.1, 60.0132] as const, [4, 0.5, 65.2174], [4, 0.9, 178.163]] as const),
    ...([[8, 0.1, 60.0] as const, [8, 0.5, 60.8857], [8, 0.9, 112.615]] as const),
  ])
    near(mmc(load / 60, 1 / 60, machines).flow, flow, 5e-4)
})

test('M/M/m agrees with its printed form, a sum of factorials', () => {
  const [m, r] = [5, 0.7]
  let term = 1
  let sum = 0
  for (let i = 0; i < m; i++) {
    sum += term
    term *= (m * r) / (i + 1)
  }
  const empty = 1 / (sum + term / (1 - r))
  const waiting = (term * r * empty) / ((1 - r) * (1 - r))
  near(mmc(r, 1, m).wait, waiting / (m * r), 1e-14)
})

test('M/G/1 is M/M/1 for exponential work, and half the wait for constant work', () => {
  near(mg1(0.8, 1, 2).wait, mm1(0.8, 1).wait, 1e-14)
  near(mg1(0.8, 1, 1).wait, mm1(0.8, 1).wait / 2, 1e-14)
  near(mg1(0.5, 1, 5).flow, 3.5, 1e-14)
})

test('optimal assignment has the thirty values of Malone et al. 1986, Table 1', () => {
  for (const [speeds, at90, at50, at10] of [
    ['8', 75.0, 15.0, 8.3333],
    ['4,4', 78.9474, 20.0, 15.1515],
    ['4,2,2', 81.7623, 22.5, 16.0141],
    ['4,2,1,1', 83.6259, 23.5417, 16.0888],
    ['2,2,2,2', 89.0815, 32.6087, 30.0066],
    ['4,1,1,1,1', 88.945, 27.5725, 16.9202],
    ['2,2,2,1,1', 91.0289, 33.6364, 30.0382],
    ['2,2,1,1,1,1', 96.6156, 37.7814, 30.4237],
    ['2,1,1,1,1,1,1', 104.3258, 47.012, 33.958],
    ['1,1,1,1,1,1,1,1', 112.615, 60.8857, 60.0],
  ] as const) {
    const rates = speedsOf(speeds).map((speed) => speed / 60)
    const flow = (load: number) => optimalAssignment((load * 8) / 60, rates)
    near(flow(0.9), at90, 5e-4)
    near(flow(0.5), at50, 5e-4)
    near(flow(0.1), at10, 5e-4)
    near(optimalAssignment(4 / 60, [...rates].reverse()), flow(0.5), 1e-12)
  }
})

test('shortest task first has the exact mean times, with right and with wrong estimates', () => {
  // perfect: to the four digits of the reference; mult: E1 and quadrature in 30 digits (mpmath)
  for (const [load, perfect, mult] of [
    [0.1, 66.3256, 66.400374],
    [0.3, 81.5556, 82.391255],
    [0.5, 102.7612, 105.833907],
    [0.7, 138.7318, 147.79885],
    [0.8, 172.9331, 189.12591],
    [0.9, 251.8148, 286.19045],
  ] as const) {
    near(sptByEstimate(load, 'perfect'), perfect, 5e-5)
    near(sptByEstimate(load, 'mult'), mult, 5e-6)
    near(sptByEstimate(load, 'perfect', 60, 4), perfect / 4, 5e-5)
  }
})

test('wrong estimates of exponential work cost less than no estimates, and more than right ones', () => {
  for (const load of [0.2, 0.5, 0.95]) {
    const unknown = mm1(load / 60, 1 / 60).flow
    assert.ok(sptByEstimate(load, 'perfect') < sptByEstimate(load, 'mult'))
    assert.ok(sptByEstimate(load, 'mult') < unknown)
    // work that is an exponential estimate times U(0, 2) varies more: E[S^2] = 8/3
    assert.ok(sptByEstimate(load, 'gen') < mg1(load / 60, 60, (3600 * 8) / 3).flow)
  }
})

test('the time of local processing is that of one machine of speed 1, divided by the speed', () => {
  near(localOnly([4, 1, 1, 1, 1], sptByEstimate(0.5, 'perfect')), 64.226, 5e-4)
  near(localOnly([4, 4], sptByEstimate(0.1, 'perfect')), 16.581, 5e-4)
  near(localOnly(new Array<number>(8).fill(1), sptByEstimate(0.5, 'perfect')), 102.761, 5e-4)
})

test('a load of one and more, and no machines, are refused', () => {
  for (const form of [
    () => mm1(1, 1),
    () => mg1(1, 1, 2),
    () => optimalAssignment(2, [1, 1]),
    () => sptByEstimate(0, 'gen'),
  ])
    throwsSaying(form, 'the load must be between 0 and 1')
  throwsSaying(() => mmc(0.5, 1, 0), 'machines must be an integer >= 1, not 0')
})

test.run()
