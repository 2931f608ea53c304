/** The picture of the share of continuations that fail, by the step from which they go on. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { InevitableShare } from '../../lib/explore/inevitable.ts'
import { curvePicture } from '../../scenarios/lab/curve.ts'

const test = suite('lab/curve')

const shareOf = (step: number, after: string, failed: number): InevitableShare => ({
  step,
  after,
  at: 0,
  failed,
  runs: 50,
  low: 0,
  high: 1,
})

test('names each dot by what came before its continuations: nothing, a fault or a step', () => {
  const curve = [
    shareOf(-1, '', 7),
    shareOf(-1, 'the fault "kill r at 0" strikes', 9),
    shareOf(3, 'at 4 register@r handles read from client@c1 (2.0.0)', 50),
  ]
  const [picture] = curvePicture({ inevitable: { sentences: [], step: 3, curve, isCut: false } })
  const dots = picture?.series.find(({ shape }) => shape === 'dots')
  assert.equal(
    dots?.points.map(({ name }) => name),
    [
      '7 of 50 fail from the beginning',
      '9 of 50 fail after the fault "kill r at 0" strikes',
      '50 of 50 fail after step 3: at 4 register@r handles read from client@c1 (2.0.0)',
    ],
  )
})

test.run()
