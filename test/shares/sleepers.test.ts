/** Figure 3 as runs of a processor, compared with the converged values. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FIGURE_3, INTERACTIVE, SLEEPERS, TOLERANCE } from '../../scenarios/shares/paper/figure-3.ts'
import {
  type Found,
  foundIn,
  interactiveRuns,
  type LivesPoint,
  manySleepers,
  measure,
  POLICIES,
  shortRuns,
} from '../../scenarios/shares/sleepers/study.ts'
import { checksOf, crowdTable, figureTable, latencyTable } from '../../scenarios/shares/sleepers/tables.ts'
import { runScenario } from '../bidding/command.ts'

const test = suite('figure 3')

const INLINE = { runtime: 'inline', seed: 1 } as const

const isNear = (measured: number, expected: number | undefined, tolerance: number, what: string) => {
  if (expected === undefined) throw new Error(`nothing is expected of ${what}`)
  assert.ok(Math.abs(measured - expected) <= tolerance, `${what}: ${measured}, expected ${expected} ± ${tolerance}`)
}

const foundAt = async (point: LivesPoint) => foundIn(await measure(point))

test('in bursts of three quanta values agree within 0.12, because it matters which client goes first', async () => {
  for (const [i, point] of shortRuns(INLINE, 30).entries()) {
    const row = FIGURE_3[i]
    for (const { policy, toSleeper } of await foundAt(point)) {
      assert.ok(policy !== 'adaptive')
      isNear(toSleeper, row?.short[policy], TOLERANCE.short, `${policy}, asleep ${row?.asleep}`)
    }
  }
})

/** The others take a while: `sleepers.ts --full`. */
const MOST = 4

test('the unfairness to each of five clients converges if four sleep half of the time that they do not wait', async () => {
  for (const [i, point] of manySleepers(INLINE).entries()) {
    const row = SLEEPERS[i]
    if (row?.sleepers !== MOST) continue
    for (const { policy, toEach } of await foundAt(point)) {
      assert.ok(policy === 'none' || policy === 'system')
      for (const [client, unfair] of toEach.entries())
        isNear(unfair, row[policy][client], row.tolerance, `${policy}, ${row.sleepers} asleep, client ${client + 1}`)
    }
  }
})

test('credit halves the time until an interactive client is served', async () => {
  for (const [i, point] of interactiveRuns(INLINE, 200).entries()) {
    const row = INTERACTIVE[i]
    for (const { policy, firstRun, response } of await foundAt(point)) {
      assert.ok(row && (policy === 'none' || policy === 'system'))
      const expected = row[policy]
      isNear(firstRun, expected.firstRun, expected.firstRun / 10, `${policy}, first run of ${row.ran}`)
      isNear(response, expected.response, expected.response / 10, `${policy}, response of ${row.ran}`)
    }
  }
})

test('threads give the same numbers', async () => {
  for (const point of shortRuns(INLINE, 5).slice(8, 9))
    assert.equal(await measure({ ...point, runtime: 'threads' }), await measure(point))
})

const exact = FIGURE_3.map(({ long }) =>
  POLICIES.map((policy): Found => ({ policy, toSleeper: long[policy], toEach: [], firstRun: 0, response: 0 })),
)

test('a value beyond its tolerance is named, in the table and among the checks', () => {
  const agreed = figureTable('long', exact)
  assert.equal(
    checksOf('figure', agreed.held).map(({ ok, measured }) => [ok, measured]),
    [[true, 0]],
  )
  const off = exact.map((row, i) =>
    row.map((found) => (i === 5 && found.policy === 'loan' ? { ...found, toSleeper: found.toSleeper + 0.021 } : found)),
  )
  const { held, table } = figureTable('long', off)
  assert.is(table.rows[4]?.at(-1), 'yes')
  assert.is(table.rows[5]?.at(-1), 'NO: loan, asleep 50 %')
  assert.equal(
    checksOf('figure', held).map(({ name, ok, measured }) => [name, ok, measured]),
    [
      ['figure: values beyond the tolerance of their converged value, of 52', false, 1],
      ['loan, asleep 50 %', false, 1.0003 + 0.021],
    ],
  )
})

test('the unfairness to one sleeper in bursts of 100 quanta has all converged values, its chart and the statements', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-sleepers-'))
  try {
    const args = ['--cycles', '1', '--json', '--quiet', '--svg', folder]
    const { code, stdout, stderr } = await runScenario('shares/sleepers', args)
    assert.is(code, 0, stderr)
    const { results, checks } = JSON.parse(stdout)
    assert.match(checks[0].name, /of 52$/)
    assert.is(results.tables[0].rows.length, FIGURE_3.length)
    // every column has its own name: asleep, three curves, two of each policy, agree
    assert.is(Object.keys(results.tables[0].rows[0]).length, 5 + 2 * POLICIES.length)
    assert.equal(
      results.remarks.rows.map((row: Record<string, unknown>) => row['fact']),
      ['P4', 'P5', 'P6', 'P7'],
    )
    const chart = readFileSync(join(folder, 'figure-3.svg'), 'utf8')
    for (const name of ['ideal', 'no credit, fluid', 'C = S, fluid', ...POLICIES]) assert.match(chart, `>${name}<`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('tables of several sleepers and of interactive clients have every value under a name of its own', () => {
  const one = (policy: 'none' | 'system'): Found => {
    return { policy, toSleeper: 1, toEach: [1, 1, 1, 1, 1], firstRun: 1, response: 1 }
  }
  for (const { table } of [crowdTable([[one('none')]]), latencyTable([[one('system')]])]) {
    const names = table.columns.map(({ name }) => name)
    assert.is(new Set(names).size, names.length)
  }
})

test('if the file of kept results cannot be written, only that is reported', async () => {
  const { code, stderr } = await runScenario('shares/sleepers', ['--keep', join(tmpdir(), 'bourse', 'none', 'k')])
  assert.is(code, 2)
  assert.match(stderr, /^bourse: .*ENOENT\n$/)
})

test.run()
