/** Figure 3 as runs of a processor, compared with the converged values. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FIGURE_3 } from '../../scenarios/shares/paper/figure-3.ts'
import { POLICIES, type Ran, ranOf, runPoint } from '../../scenarios/shares/sleepers/study.ts'
import {
  interactive,
  longBursts,
  type Part,
  severalSleepers,
  shortBursts,
} from '../../scenarios/shares/sleepers/tables.ts'
import { foundOf } from '../../scenarios/study/figure.ts'
import { valueChecks } from '../../scenarios/study/main.ts'
import { runScenario } from '../bidding/command.ts'

const test = suite('figure 3')

/** Runs the cases, and checks that every quantity agrees with its converged value. */
async function assertAgrees(cases: Part['cases'], quantities: number): Promise<void> {
  let count = 0
  for (const one of cases) {
    const ran: Ran[][] = []
    for (const row of one.rows) ran.push([await runPoint({ ...row, seed: 1 })])
    for (const quantity of one.quantities(...ran)) {
      const { of, labels, ours, converged, tolerance, agrees } = foundOf(one, quantity)
      assert.ok(agrees, `${labels.join(' ')} ${of}: ${ours?.mean}, expected ${converged?.value} ± ${tolerance}`)
      count++
    }
  }
  assert.is(count, quantities)
}

test('in bursts of three quanta values agree within 0.12, because it matters which client goes first', () =>
  assertAgrees(shortBursts('inline', 30).cases, 3 * FIGURE_3.length))

test('the unfairness to each of five clients converges if four sleep half of the time that they do not wait', () =>
  // the others take a while: `sleepers.ts --full`
  assertAgrees(
    severalSleepers('inline').cases.filter(({ labels }) => labels[1] === 4),
    2 * 5,
  ))

test('credit halves the time until an interactive client is served', () =>
  assertAgrees(interactive('inline', 200).cases, 2 * 2 * 2))

test('threads give the same numbers', async () => {
  for (const row of shortBursts('inline', 5).cases[8]?.rows ?? []) {
    const ran = await runPoint({ ...row, seed: 1 })
    assert.equal(await runPoint({ ...row, seed: 1, runtime: 'threads' }), ran)
    assert.equal(ranOf(JSON.parse(JSON.stringify(ran))), ran)
  }
})

test('a value beyond its tolerance is named, in the table and among the checks', () => {
  const { cases, tableOf } = longBursts('inline', 1)
  const measured = (off: number) =>
    cases.map((one, i) => {
      const ran = POLICIES.map((policy): Ran[] => {
        const toSleeper = (FIGURE_3[i]?.long[policy] ?? 0) + (i === 5 && policy === 'loan' ? off : 0)
        return [{ toSleeper, toEach: [], firstRun: 0, response: 0, messages: 0 }]
      })
      return { case: one, ran, found: one.quantities(...ran).map((quantity) => foundOf(one, quantity)) }
    })
  const checksWith = (off: number) =>
    valueChecks(measured(off).flatMap(({ found }) => found)).map(({ name, ok, measured }) => [name, ok, measured])
  const all = 'values beyond the tolerance of what the model converges to, of 52'
  assert.equal(checksWith(0), [[all, true, 0]])
  assert.equal(checksWith(0.021), [
    [all, false, 1],
    ['bursts of 100 quanta 50 loan', false, 1.0003 + 0.021],
  ])
  const { rows } = tableOf(measured(0.021))
  assert.equal([rows[4]?.at(-1), rows[5]?.at(-1)], ['yes', 'no: loan'])
})

test('the unfairness to one sleeper in bursts of 100 quanta has all converged values, its chart and the statements', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-sleepers-'))
  try {
    const args = ['--cycles', '1', '--json', '--quiet', '--svg', folder]
    const { code, stdout, stderr } = await runScenario('shares/sleepers', args)
    assert.is(code, 0, stderr)
    const { results, checks } = JSON.parse(stdout)
    assert.match(checks[0].name, /of 52$/)
    assert.is(results.values.rows.length, FIGURE_3.length)
    // every column has its own name: asleep, three curves, two of each policy, agree
    assert.is(Object.keys(results.values.rows[0]).length, 5 + 2 * POLICIES.length)
    assert.is(results.verdicts.length, 4)
    const chart = readFileSync(join(folder, 'figure-3.svg'), 'utf8')
    for (const name of ['ideal', 'no credit, fluid', 'C = S, fluid', ...POLICIES]) assert.match(chart, `>${name}<`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('if the file of kept results cannot be written, only that is reported', async () => {
  const { code, stderr } = await runScenario('shares/sleepers', ['--keep', join(tmpdir(), 'bourse', 'none', 'k')])
  assert.is(code, 2)
  assert.match(stderr, /^bourse: .*ENOENT\n$/)
})

test.run()
