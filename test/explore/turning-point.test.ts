/** The search for a turning point, with continuations that are made up. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { turningPointOf } from '../../lib/explore/turning-point.ts'

const RUNS = 50

/** Continuations of which a given number fails at each moment; of 50, those with the lowest numbers pass. */
const failing = (failed: (moment: number) => number) => {
  const asked = new Set<number>()
  const fails = async (moment: number, run: number): Promise<boolean> => {
    asked.add(moment)
    return run >= RUNS - failed(moment)
  }
  return { asked, fails }
}

test('the turning point is the first moment at which all continuations fail', async () => {
  for (const at of [1, 2, 63, 64, 99, 100]) {
    const { asked, fails } = failing((moment) => (moment < at ? 12 : RUNS))
    const { moment, passing, curve, isCut } = await turningPointOf({ last: 100, runs: RUNS, fails })
    assert.equal([moment, passing, isCut], [at, at - 1, false])
    assert.equal(
      curve.filter((share) => share.moment === at || share.moment === at - 1),
      [
        { moment: at - 1, failed: 12, runs: RUNS },
        { moment: at, failed: RUNS, runs: RUNS },
      ],
    )
    assert.ok(asked.size < 25, `${asked.size} moments`)
  }
})

test('the shares before the turning point need not rise steadily', async () => {
  const { fails } = failing((moment) => (moment >= 70 ? RUNS : moment % 2 === 0 ? 49 : 0))
  const { moment, curve } = await turningPointOf({ last: 100, runs: RUNS, fails })
  assert.is(moment, 70)
  assert.ok(curve.some(({ failed }) => failed === 0) && curve.some(({ failed }) => failed === 49))
})

test('a continuation that passes after the turning point moves it on', async () => {
  // at moments 40 to 54 a sample happens to show failures alone
  const { fails } = failing((moment) => (moment < 40 ? 10 : moment < 55 ? RUNS : moment < 80 ? 48 : RUNS))
  const { moment, passing } = await turningPointOf({ last: 100, runs: RUNS, fails })
  assert.equal([moment, passing], [80, 79])
})

test('a run may fail on all continuations from its beginning, and on some even after its end', async () => {
  const always = await turningPointOf({ last: 10, runs: RUNS, fails: async () => true })
  assert.equal([always.moment, always.passing], [0, null])
  const never = await turningPointOf({ last: 10, runs: RUNS, fails: async () => false })
  assert.equal([never.moment, never.passing], [null, 10])
  const short = await turningPointOf({ last: 0, runs: 1, fails: async () => true })
  assert.equal([short.moment, short.curve], [0, [{ moment: 0, failed: 1, runs: 1 }]])
})

test('a search that runs out of time tells what it knows', async () => {
  const late = new AbortController()
  let asked = 0
  const fails = async (moment: number): Promise<boolean> => {
    if (++asked === 3 * RUNS) late.abort()
    return moment >= 30
  }
  const found = await turningPointOf({ last: 100, runs: RUNS, fails, late: late.signal })
  assert.ok(found.isCut)
  const { moment, passing } = found
  assert.ok(moment !== null && passing !== null && passing < 30 && moment >= 30 && moment - passing > 1)
  assert.ok(found.curve.every(({ runs }) => runs === RUNS))
  const none = await turningPointOf({ last: 100, runs: RUNS, fails, late: AbortSignal.abort() })
  assert.equal(none, { moment: null, passing: null, curve: [], isCut: true })
})

test('less than one continuation is refused', async () => {
  const refusal = await turningPointOf({ last: 1, runs: 0, fails: async () => true }).then(() => '', String)
  assert.match(refusal, 'option runs')
})

test.run()
