/** The commands of the figures of chapters 5 and 6: output, files and errors. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseFlags, UsageError } from '../../lib/cli/index.ts'
import { flags as efficiencyFlags } from '../../scenarios/mesh/efficiency/values.ts'
import { jobsOn, modelFlags } from '../../scenarios/mesh/model-flags.ts'
import { FACTS, openUnless, verdictsOf } from '../../scenarios/mesh/paper/facts.ts'
import { foundOf, known, rankedText } from '../../scenarios/study/figure.ts'
import { valueChecks, verdictChecks } from '../../scenarios/study/main.ts'
import { claimsOf, failedIn, longTable, tallyOf, verdictTable } from '../../scenarios/study/tables.ts'
import { runScenario } from '../bidding/command.ts'
import { throwsSaying } from '../throws.ts'

const files = mkdtempSync(join(tmpdir(), 'bourse-mesh-'))

const FIGURES = [
  { name: 'efficiency', args: [], values: 576, facts: 5, drawings: 3 },
  { name: 'fairness', args: [], values: 320, facts: 1, drawings: 2 },
  { name: 'birth-death', args: [], values: 226, facts: 2, drawings: 2 },
  { name: 'memory', args: [], values: 12, facts: 7, drawings: 10 },
] as const

for (const { name, values, facts, drawings } of FIGURES) {
  test(`mesh/${name}: all reference values and verdicts agree, and charts are drawn`, async () => {
    const [svg, csv] = [join(files, name), join(files, `${name}.csv`)]
    const { code, stdout, stderr } = await runScenario(`mesh/${name}`, ['--svg', svg, '--csv', csv])
    assert.is(code, 0, stderr)
    assert.match(stdout, `ok     values beyond the tolerance of what the model converges to, of ${values}: 0`)
    assert.match(stdout, `ok     verdicts that our numbers contradict, of ${facts}: none`)
    assert.is(readdirSync(svg).length, drawings)
    assert.ok(readFileSync(csv, 'utf8').split('\n').length > 30)
  })
}

test('numbers of another mesh are not compared with the values of 16x16', async () => {
  const { code, stdout, stderr } = await runScenario('mesh/efficiency', ['--mesh', '4x2', '--deltas', '0', '--json'])
  assert.is(code, 0, stderr)
  const { checks, results } = JSON.parse(stdout)
  assert.equal(checks, [])
  assert.is(results.values.rows.filter((row: { policy: string }) => row.policy === 'EQUI').length, 8)
})

test('given jobs are drawn with their processors and times', async () => {
  const { code, stdout, stderr } = await runScenario('mesh/memory', ['--processors', '8', '--minima', '1,1,3,8,2'])
  assert.is(code, 0, stderr)
  assert.match(stdout, '4 4 4 4\n3 3 2 1\n3 3 2 1\n5 5 2 1\n5 5 2 1\n')
  assert.match(stdout, '1 2\n1 2\n5 3\n5 3\n4 4\n')
})

test('a case that BUDDY cannot handle is reported', async () => {
  const { code, stdout, stderr } = await runScenario('mesh/memory', ['--processors', '12', '--minima', '1,2'])
  assert.is(code, 0, stderr)
  assert.match(stdout, '0 exchanged in a period, 1 epoch\n')
  assert.match(stdout, /minima 1 2 on 12 processors +- +0 +1\n.*-: BUDDY needs a power of two of processors/s)
})

test('a value that differs from its reference fails, and so does a contradicted verdict', () => {
  const found = [
    known('right', 1, 1 + 5e-7, 1e-6),
    known('wrong', 1, 1.1, 0.01),
    known('without bound', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0),
    known('nothing', Number.NaN, 1, 9),
  ].map((quantity) => foundOf({ labels: [] }, quantity))
  assert.equal(
    found.map(({ agrees }) => agrees),
    [true, false, true, false],
  )
  assert.equal(
    valueChecks(found.slice(0, 3)).map(({ name, ok, measured }) => [name, ok, measured]),
    [
      ['values beyond the tolerance of what the model converges to, of 3', false, 1],
      ['wrong', false, 1],
    ],
  )
  const verdicts = verdictsOf({ U2: { ours: '', holds: false }, U3: { ours: '', holds: true } })
  assert.equal(
    verdictChecks(verdicts, FACTS).map(({ name, ok, measured }) => [name, ok, measured]),
    [['verdicts that our numbers contradict, of 2', false, verdicts[0]?.says]],
  )
  assert.equal([...valueChecks([]), ...verdictChecks([], FACTS)], [])
})

test('the table has a verdict for every statement, and leaves it open for another machine', () => {
  assert.is(new Set(FACTS.map(({ id }) => id)).size, FACTS.length)
  assert.is(new Set(FACTS.map(({ says }) => says)).size, FACTS.length)
  assert.is(FACTS.length, 32)
  // a statement that does not hold as it stands needs a correction
  assert.ok(FACTS.every(({ verdict, remark }) => verdict === 'holds' || remark !== undefined))
  const ours = {
    U2: { ours: 'so', holds: true },
    U3: { ours: 'not', holds: false },
    E2: { ours: '', holds: 'settled' as const },
  }
  const shownIn = (told: typeof ours | ReturnType<typeof openUnless>) =>
    verdictTable(verdictsOf(told), FACTS).rows.map(([, , holds]) => holds)
  assert.equal(shownIn(ours), ['corrected', 'holds', 'CONTRADICTED'])
  assert.equal(shownIn(openUnless(false, ours)), ['corrected', 'open', 'open'])
})

test('on a page a claim that holds only with a correction does not hold, and one without numbers is open', () => {
  const [m1, m2, q1, q2] = FACTS
  assert.ok(m1 && m2 && q1 && q2)
  const told = verdictsOf({
    [m1.id]: { ours: '', holds: true },
    [m2.id]: { ours: '', holds: 'settled' },
    [q1.id]: { ours: '', holds: false },
    [q2.id]: { ours: '', holds: null },
  })
  assert.equal(
    claimsOf(told, FACTS).map(({ verdict, word }) => [verdict, word]),
    [
      ['fails', 'corrected'],
      ['holds', 'holds'],
      ['fails', 'our numbers contradict "holds"'],
      ['open', 'cannot be judged'],
    ],
  )
  assert.equal(claimsOf([{ says: 'so', ours: 'not', holds: false }], [])[0]?.word, 'does not hold')
})

test('values of runs that are too short are told apart from those that differ', () => {
  const of = (name: string, isComparable: boolean, ours: number) =>
    foundOf({ labels: [], isComparable }, known(name, ours, 1, 0.1))
  const found = [of('right', true, 1), of('wrong', true, 2), of('short', false, 2)]
  assert.equal(tallyOf(found, true), [
    'Of 2 values that can be judged, 1 agrees with what the model converges to.',
    '1 value is of a run too short to judge; runs with --full are long enough.',
  ])
  assert.equal(
    longTable([], found).rows.map((row) => row.at(-1)),
    ['yes', 'no', 'too short'],
  )
})

const WRONG: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--mesh', '12x16'], /--mesh must be rows x columns, powers of two up to 1024, such as 16x16, not "12x16"/],
  [['--mesh', '64x32'], /--mesh may have at most 1024 processors, but has 2048/],
  [['--rules', 'S'], /--rules must be standard, R or H/],
]
for (const [args, says] of WRONG) {
  test(`refuses ${args.join(' ')}`, () => {
    assert.throws(
      () => parseFlags(modelFlags, args),
      (error: unknown) => error instanceof UsageError && says.test(error.message),
    )
  })
}

test('refuses more jobs than processors, and deviations beyond the computing time', () => {
  assert.equal([jobsOn({ m: 2, n: 2 }, undefined), jobsOn({ m: 4, n: 4 }, undefined)], [16, 32])
  throwsSaying(() => jobsOn({ m: 2, n: 2 }, 17), '--jobs must be at most 16 on 4x4, not 17')
  throwsSaying(() => parseFlags(efficiencyFlags, ['--deltas', '101']), '--deltas must be a number from 0 to 100')
  throwsSaying(() => parseFlags(efficiencyFlags, ['--deltas', '5,5']), '--deltas may name each value only once')
})

for (const [args, says] of [
  [['memory', '--processors', '8'], '--processors needs --minima'],
  [['memory', '--processors', '8', '--minima', '9'], '--minima must be at most --processors (8), not 9'],
  [['fairness', '--intervals', '0/3'], '--intervals must be fractions above 0'],
  [['birth-death', '--loads', '0.5,1'], '--loads must be loads below 1'],
] as const) {
  test(`refuses ${args.join(' ')}, in one line`, async () => {
    const [name, ...rest] = args
    const { code, stderr } = await runScenario(`mesh/${name}`, rest)
    assert.is(code, 2)
    assert.match(stderr, says)
    assert.is(stderr.trim().split('\n').length, 1)
  })
}

test.after(() => rmSync(files, { recursive: true }))
test('a story says how many statements in words do not hold, so that values that agree are no contradiction', () => {
  const claim = (verdict: 'holds' | 'fails' | 'open') => ({ says: 's', ours: '', verdict, word: '', remark: '' })
  assert.equal(failedIn([claim('fails'), claim('fails'), claim('holds'), claim('open')]), [
    'Of the 3 statements of the paper in words that can be judged, 2 do not hold as printed: "s" and "s".',
  ])
  assert.equal(failedIn([claim('holds'), claim('open')]), [])
  assert.equal(failedIn([claim('fails'), claim('fails'), claim('fails')]), [
    'Of the 3 statements of the paper in words that can be judged, 3 do not hold as printed.',
  ])
})

test('a study tells its numbers in one sentence, the best first, and none if it has no two', () => {
  const numbers = [
    { name: 'under A', value: 4 },
    { name: 'under B', value: null },
    { name: 'under C', value: 3.126 },
  ]
  assert.equal(rankedText('Mean wait', numbers, { better: 'less' }), ['Mean wait: 3.13 under C, 4.00 under A.'])
  assert.equal(rankedText('Yield', numbers, { better: 'more', digits: 0 }), ['Yield: 4 under A, 3 under C.'])
  assert.equal(rankedText('Mean wait', numbers.slice(0, 2), { better: 'less' }), [])
})

test.run()
