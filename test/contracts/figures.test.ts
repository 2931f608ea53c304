/** Statements of the figures that already show in short runs, the comparison with converged values, and the commands. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FIGURE_4, FIGURE_5 } from '../../scenarios/contracts/paper/figures-4-5.ts'
import { FIRST_PRICE, firstReward, gainOfOffered, type Point, runPoint } from '../../scenarios/contracts/study/point.ts'
import { casesOf } from '../../scenarios/contracts/study/weights.ts'
import { FIGURES_6_AND_7, figures4And5 } from '../../scenarios/contracts/workload/mixes.ts'
import { runScenario } from '../bidding/command.ts'

const SHORT = { seed: 1, tasks: 300, processors: 1, load: 1, preempt: 0, threshold: null } as const

const ALPHAS = [0, 0.3, 0.7, 1] as const

/** The gain of FirstReward over FirstPrice in percent of the value offered, by alpha. */
async function gains(bound: 0 | null): Promise<number[]> {
  const point: Point = { ...SHORT, mix: figures4And5(7, bound, 1), heuristic: FIRST_PRICE }
  const other = await runPoint(point)
  const all: number[] = []
  for (const alpha of ALPHAS)
    all.push(gainOfOffered(await runPoint({ ...point, heuristic: firstReward(alpha) }), other))
  return all
}

test('figures 4 and 5: with bounded penalties an alpha between 0 and 1 is best, with unbounded ones 0 is, by far', async () => {
  const [bounded, unbounded] = [await gains(0), await gains(null)]
  assert.is(bounded.indexOf(Math.max(...bounded)), 1, bounded.join(', '))
  assert.ok(
    unbounded.every((gain, i) => i === 0 || gain < (unbounded[i - 1] ?? 0)),
    unbounded.join(', '),
  )
  assert.ok((unbounded[0] ?? 0) > 10 * Math.max(...bounded))
})

const rateAt = async (load: number, threshold: number | null): Promise<number> => {
  const { rate } = await runPoint({ ...SHORT, mix: FIGURES_6_AND_7, heuristic: firstReward(0.3), load, threshold })
  return rate
}

test('figure 6: the rate rises with the load with admission control, and sinks below 0 without it', async () => {
  assert.ok((await rateAt(2, 180)) > (await rateAt(0.5, 180)))
  assert.ok((await rateAt(2, null)) < 0)
})

test('figure 7: at a low load a low threshold is better, at a high load a high one', async () => {
  assert.ok((await rateAt(0.5, -400)) > (await rateAt(0.5, 700)))
  assert.ok((await rateAt(3, -400)) < (await rateAt(3, 700)))
})

test('without a bound only percentages of the value offered are compared, not those of the yield of FirstPrice', () => {
  const ran = { yield: 1, offered: 1, rate: 1, accepted: 1, messages: 1 }
  for (const [figure, isHeld] of [[FIGURE_4, true] as const, [FIGURE_5, false] as const]) {
    const quantities = casesOf(figure).flatMap((one) => one.quantities([ran], [ran]))
    for (const { of, converged } of quantities) assert.is(converged !== null, of === 'gain of offered' || isHeld, of)
  }
})

const files = mkdtempSync(join(tmpdir(), 'bourse-contracts-figures-'))
const file = (name: string) => join(files, name)

const FIGURES: readonly (readonly [name: string, args: readonly string[], rows: number, charts: readonly string[]])[] =
  [
    ['figure-3', ['--only', ' 9 '], 5, ['figure-3']],
    ['figure-4', ['--only', '1 0 5'], 2 * 4, ['figure-4-1', 'figure-4-16']],
    ['figure-5', ['--only', '1 0 5'], 2 * 4, ['figure-5-1', 'figure-5-16']],
    ['figure-6', ['--loads', '1.5', '--only', '1 1.5'], 3 * 3, ['figure-6-1', 'figure-6-16']],
    ['figure-7', ['--loads', '2', '--only', '1 2 '], 11, ['figure-7-1', 'figure-7-16']],
  ]

for (const [name, args, rows, charts] of FIGURES) {
  test(`a short run of ${name} is not compared, and writes numbers, shapes and charts`, async () => {
    const written = ['--csv', file(`${name}.csv`), '--markdown', file(`${name}.md`), '--svg', file(name)]
    const short = ['--tasks', '10', '--seeds', '2', '--quiet', '--json']
    const { code, stdout, stderr } = await runScenario(`contracts/${name}`, [...args, ...short, ...written])
    assert.is(code, 0, stderr)
    const { results, checks } = JSON.parse(stdout)
    assert.equal(checks, [])
    assert.is(results.values.rows.length, rows)
    const lines = readFileSync(file(`${name}.csv`), 'utf8')
      .trim()
      .split('\r\n')
    assert.match(lines[0] ?? '', /,agrees,shape$/)
    assert.is(lines.length, 1 + rows + results.verdicts.length)
    assert.is(lines.filter((line) => /,shape,.*,open$/.test(line)).length, results.verdicts.length)
    assert.match(readFileSync(file(`${name}.md`), 'utf8'), /Not compared: the converged values are of/)
    for (const chart of charts) assert.match(readFileSync(join(file(name), `${chart}.svg`), 'utf8'), /^<svg /)
  })
}

test.after(() => rmSync(files, { recursive: true }))
test.run()
