import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tallyText } from '../../lib/core/tally.ts'
import { units } from '../../lib/core/time.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import type { Reading } from '../../lib/workload/reading.ts'
import { readCsv, readWorkload } from '../../scenarios/contracts/workload/read.ts'

const said = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'no error'
}

const HEADER = 'id,arrival,runtime,value,decay,bound'
const csv = (lines: readonly string[], reading?: Reading) => readCsv([HEADER, ...lines].join('\n'), 'x', reading)

test('a CSV text gives tasks by arrival, numbered in that order, and keeps its own ids as labels', () => {
  const { tasks, labels, dropped } = csv(['late,2.5,10,40,1.5,inf', 'early,0,0.25,0,0,0', 'too,2.5,8,120.5,2,20'])
  assert.equal(tasks, [
    { task: 0, arrival: 0, runtime: units(0.25), worth: { shape: 'linear', value: 0, decay: 0, bound: 0 } },
    {
      task: 1,
      arrival: units(2.5),
      runtime: units(10),
      worth: { shape: 'linear', value: 40, decay: 1.5, bound: null },
    },
    {
      task: 2,
      arrival: units(2.5),
      runtime: units(8),
      worth: { shape: 'linear', value: 120.5, decay: 2, bound: 20 },
    },
  ])
  assert.equal(labels, ['early', 'late', 'too'])
  assert.is(dropped.size, 0)
})

test('a bad cell is refused with file, line, column and what was expected', () => {
  const cell = (row: string) => said(() => csv(['a,0,1,1,1,0', row]))
  const refused = (
    column: string,
    row: (wrong: string) => string,
    expected: string,
    wrongs: readonly string[],
  ): void => {
    for (const wrong of wrongs)
      assert.is(cell(row(wrong)), `x, line 3, column ${column} must be ${expected}, not "${wrong}"`)
  }
  const most = 1_000_000_000
  refused('arrival', (wrong) => `b,${wrong},1,1,1,0`, `a number from 0 to ${most}`, ['-1', '1e10', '', 'NaN'])
  refused('runtime', (wrong) => `b,0,${wrong},1,1,0`, `a number of units from 0.000001 to ${most}`, [
    ...['0', '-1', '1e-7', '1e10', '', 'long', 'NaN'],
  ])
  refused('value', (wrong) => `b,0,1,${wrong},1,0`, `a number from 0 to ${most}`, ['NaN', '-1', 'inf', '', '1e10'])
  refused('decay', (wrong) => `b,0,1,1,${wrong},0`, `a number from 0 to ${most}`, ['-0.1', 'NaN', 'inf', '', '1e10'])
  refused('bound', (wrong) => `b,0,1,1,1,${wrong}`, `a number from 0 to ${most}, or inf`, [
    '-1',
    '-inf',
    'NaN',
    '',
    'Inf',
  ])
  assert.is(cell('a,1,1,1,1,0'), 'x, line 3, column id repeats the id "a" of line 2')
  assert.is(cell(',1,1,1,1,0'), 'x, line 3, column id must be a name without spaces and quotes, not ""')
  assert.is(cell('b,1,1,1,1'), 'x, line 3 must have 6 columns as the header has, not 5')
  assert.is(cell('b,0,1,1,1,inf'), 'no error')
})

test('the column shape gives the value function of a task, which is linear by default', () => {
  const { tasks } = readCsv(`${HEADER},shape\na,0,1,9,1,0,cliff\nb,1,1,9,1,0,`, 'x')
  assert.equal(
    tasks.map(({ worth }) => worth.shape),
    ['cliff', 'linear'],
  )
  assert.is(
    said(() => readCsv(`${HEADER},shape\na,0,1,9,1,0,toString`, 'x')),
    'x, line 2, column shape must be linear or cliff, not "toString"',
  )
})

test('every spelling of zero is read as 0, not -0', () => {
  const [task] = csv(['a,-0,1,-0,-0,-0']).tasks
  assert.ok(task)
  for (const zero of [task.arrival, task.worth.value, task.worth.decay, task.worth.bound]) assert.ok(Object.is(zero, 0))
})

test('a header that lacks a column, names another one or is alone is refused', () => {
  const row = 'a,0,1,1,1,0'
  assert.is(
    said(() => readCsv(row, 'x')),
    `x, line 1 must be a header ${HEADER} and then any of shape, not "${row}"`,
  )
  assert.is(
    said(() => readCsv(`${HEADER},site\n${row},s1`, 'x')),
    `x, line 1 must be a header ${HEADER} and then any of shape, not "site"`,
  )
  assert.is(
    said(() => csv([])),
    'x needs at least one job, but has only a header',
  )
})

test('only the first tasks are read if so asked, arrivals are stretched, and the limit on rows is named', () => {
  const rows = ['a,4,1,1,1,0', 'b,2,1,1,1,0', 'c,0,1,1,1,0']
  const { tasks, labels, dropped } = csv(rows, { first: 2, stretch: 2.5 })
  assert.equal(
    tasks.map(({ task, arrival, runtime }) => [task, labels[task], arrival, runtime]),
    [
      [0, 'c', 0, units(1)],
      [1, 'b', units(5), units(1)],
    ],
  )
  assert.is(tallyText(dropped), '1 beyond the first 2')
  assert.is(
    said(() => csv(rows, { maxRows: 2 })),
    'x may have at most 2 rows, but has more',
  )
})

test('an error of a workload names its flag and file, and a log is refused because it has no values', () => {
  const path = (name: string): string => fileURLToPath(new URL(`../fixtures/workload/${name}`, import.meta.url))
  assert.match(
    said(() => readWorkload(path('jobs.csv'))),
    /^--workload .*jobs\.csv, line 1 must be a header id,arrival,runtime,value,decay,bound and then any of shape, not /,
  )
  assert.match(
    said(() => readWorkload(path('log.swf'))),
    /log\.swf must be a CSV file, not a log: a log has no values$/,
  )
  assert.match(
    said(() => readWorkload(path('missing.csv'))),
    /^cannot read .*: no such file$/,
  )
})

test.run()
