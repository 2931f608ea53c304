import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tallyText } from '../../lib/core/tally.ts'
import { units } from '../../lib/core/time.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import type { Reading } from '../../lib/workload/reading.ts'
import { readLog } from '../../lib/workload/swf.ts'
import { jobsOfLog, readCsv, readWorkload } from '../../scenarios/economy/workload/read.ts'

const said = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'no error'
}

const HEADER = 'id,arrival,user,class,processors,service'
const csv = (lines: readonly string[], reading?: Reading, header = HEADER) =>
  readCsv([header, ...lines].join('\n'), 'x', reading)

test('a CSV text gives jobs by arrival with ids of their order, and keeps its own ids as labels', () => {
  const { jobs, users, dropped, odd } = csv(
    ['late,2.5,u2,3,64,100,,', 'early,0,u1,1,1,0.25,12.5,0.5', 'too,2.5,u1,2,16,7,0,'],
    {},
    `${HEADER},deposit,actual`,
  )
  assert.equal(jobs, [
    {
      id: 0,
      user: 'u1',
      class: 1,
      arrival: 0,
      processors: 1,
      service: units(0.25),
      actual: units(0.5),
      deposit: 12.5,
      label: 'early',
    },
    {
      id: 1,
      user: 'u2',
      class: 3,
      arrival: units(2.5),
      processors: 64,
      service: units(100),
      deposit: 0,
      label: 'late',
    },
    { id: 2, user: 'u1', class: 2, arrival: units(2.5), processors: 16, service: units(7), deposit: 0, label: 'too' },
  ])
  assert.equal(users, ['u1', 'u2'])
  assert.equal([dropped.size, odd.size], [0, 0])
})

test('the optional columns of a CSV text come in any order or not at all', () => {
  assert.equal(csv(['a,0,u1,1,1,1,2,3'], {}, `${HEADER},actual,deposit`).jobs, [
    {
      id: 0,
      user: 'u1',
      class: 1,
      arrival: 0,
      processors: 1,
      service: units(1),
      actual: units(2),
      deposit: 3,
      label: 'a',
    },
  ])
  assert.equal(csv(['a,0,u1,1,1,1']).jobs, [
    { id: 0, user: 'u1', class: 1, arrival: 0, processors: 1, service: units(1), deposit: 0, label: 'a' },
  ])
})

test('a bad cell is refused with file, line, column and what was expected', () => {
  const rows = (...lines: string[]) => said(() => csv(lines, {}, `${HEADER},deposit,actual`))
  const cell = (row: string) => rows('a,0,u1,1,1,1,0,1', row)
  const minutes = 'must be a number of minutes from 0.000001 to 1000000000'
  for (const wrong of ['0', '4', '1.0', '', 'small'])
    assert.is(cell(`b,0,u1,${wrong},1,1,,`), `x, line 3, column class must be 1, 2 or 3, not "${wrong}"`)
  for (const wrong of ['0', '-1', '1.5', '1000001', ''])
    assert.is(
      cell(`b,0,u1,1,${wrong},1,,`),
      `x, line 3, column processors must be a whole number from 1 to 1000000, not "${wrong}"`,
    )
  for (const wrong of ['0', '-1', '1e-7', '1e10', '', 'long'])
    assert.is(cell(`b,0,u1,1,1,${wrong},,`), `x, line 3, column service ${minutes}, not "${wrong}"`)
  for (const wrong of ['0', '-1', 'x'])
    assert.is(cell(`b,0,u1,1,1,1,,${wrong}`), `x, line 3, column actual ${minutes}, not "${wrong}"`)
  for (const wrong of ['-1', '1e10', ''])
    assert.is(
      cell(`b,${wrong},u1,1,1,1,,`),
      `x, line 3, column arrival must be a number from 0 to 1000000000, not "${wrong}"`,
    )
  for (const wrong of ['-0.01', '1e10', 'much'])
    assert.is(
      cell(`b,0,u1,1,1,1,${wrong},`),
      `x, line 3, column deposit must be a number from 0 to 1000000000, not "${wrong}"`,
    )
  for (const wrong of ['', 'u 1', 'u@1', '*'])
    assert.is(
      cell(`b,0,${wrong},1,1,1,,`),
      `x, line 3, column user must be the name of a user, such as u1, not "${wrong}"`,
    )
  assert.is(cell('a,1,u1,1,1,1,,'), 'x, line 3, column id repeats the id "a" of line 2')
  assert.is(cell(',1,u1,1,1,1,,'), 'x, line 3, column id must be a name without spaces and quotes, not ""')
  assert.is(cell('b,1,u1,1,1,1'), 'x, line 3 must have 8 columns as the header has, not 6')
  assert.is(cell('b,0,u1,1,1,1,,'), 'no error')
})

test('a header that lacks a column, names an unknown one or is alone is refused', () => {
  const header = `a header ${HEADER} and then any of deposit,actual`
  const row = 'a,0,u1,1,1,1'
  assert.is(
    said(() => readCsv(row, 'x')),
    `x, line 1 must be ${header}, not "${row}"`,
  )
  assert.is(
    said(() => csv([row], {}, `${HEADER},work`)),
    `x, line 1 must be ${header}, not "work"`,
  )
  assert.is(
    said(() => csv([])),
    'x needs at least one job, but has only a header',
  )
  assert.is(
    said(() => readCsv('', 'x')),
    `x needs ${header}, but is empty`,
  )
})

test('only the first jobs are read if so asked, at another pace, and a limit on rows is named', () => {
  const rows = ['a,4,u3,1,1,1', 'b,2,u2,1,1,1', 'c,0,u1,1,1,1']
  const { jobs, users, dropped } = csv(rows, { first: 2, stretch: 2.5 })
  assert.equal(
    jobs.map(({ id, label, arrival, service }) => [id, label, arrival, service]),
    [
      [0, 'c', 0, units(1)],
      [1, 'b', units(5), units(1)],
    ],
  )
  assert.equal(users, ['u1', 'u2'])
  assert.is(tallyText(dropped), '1 beyond the first 2')
  assert.is(
    said(() => csv(rows, { maxRows: 2 })),
    'x may have at most 2 rows, but has more',
  )
})

interface Line {
  readonly number: number
  readonly submit?: number
  readonly run?: number
  readonly allocated?: number
  readonly requested?: number
  readonly status?: number
  readonly user?: number
}

const line = ({ number, submit = 0, run = 60, allocated = 4, requested = 4, status = 1, user = 7 }: Line): string =>
  [number, submit, 5, run, allocated, -1, -1, requested, 999, -1, status, user, 1, -1, 0, -1, -1, -1].join(' ')

const log = (lines: readonly Line[], reading?: Reading) =>
  jobsOfLog(readLog(lines.map(line).join('\n'), 'x'), 'x', reading)

test('a log gives its jobs: the run time is the service, seconds are minutes, users have numbers of their own', () => {
  const { jobs, users, odd } = log([
    { number: 5, submit: 220, run: 90, allocated: 33, user: 2 },
    { number: 3, submit: 100, allocated: 16, user: 40 },
    { number: 4, submit: 130, run: 1, allocated: -1, requested: 17, user: 2, status: 0 },
    { number: 6, submit: 400, run: 0.5, allocated: 32, user: -1 },
    { number: 7, submit: 400, allocated: 1, user: 40 },
  ])
  assert.equal(
    jobs.map(({ id, label, user, arrival, service }) => [id, label, user, arrival, service]),
    [
      [0, '3', 'u1', 0, units(1)],
      [1, '4', 'u2', units(0.5), 16_667],
      [2, '5', 'u2', units(2), units(1.5)],
      [3, '6', 'u3', units(5), 8_333],
      [4, '7', 'u1', units(5), units(1)],
    ],
  )
  assert.equal(
    jobs.map((job) => [job.processors, job.class]),
    [
      [16, 1],
      [17, 2],
      [33, 3],
      [32, 2],
      [1, 1],
    ],
  )
  assert.ok(jobs.every((job) => job.deposit === 0 && job.actual === undefined))
  assert.equal(users, ['u1', 'u2', 'u3'])
  assert.equal(Object.fromEntries(odd), { 'without a user': 1, 'failed or cancelled while they ran': 1 })
})

test('records of a log that are no jobs are left out and counted by reason', () => {
  const { jobs, dropped } = log([
    { number: 1, run: 0 },
    { number: 2, run: -1 },
    { number: 3, allocated: -1, requested: 0 },
    { number: 4, allocated: 1.5 },
    { number: 5, status: 2 },
    { number: 6, run: -1, status: 5 },
    { number: 7 },
    { number: 8, submit: -1 },
    { number: 9, submit: 3 },
  ])
  assert.equal(
    jobs.map(({ label }) => label),
    ['7', '9'],
  )
  assert.equal(Object.fromEntries(dropped), {
    'with zero run time': 1,
    'without a run time': 1,
    'without a number of processors': 1,
    'with a part of a processor': 1,
    'part of another job': 1,
    'cancelled before the start': 1,
    'without a submit time': 1,
  })
  assert.is(
    said(() => log([{ number: 1, run: 0 }])),
    'x needs at least one job with a run time and processors, but has none among 1 jobs',
  )
  assert.is(
    said(() => log([{ number: 1 }, { number: 1 }])),
    'x has the job number 1 twice',
  )
})

test('the pace, the unit and the number of jobs of a log can be chosen; the default unit is a minute', () => {
  const lines = [{ number: 1 }, { number: 2, submit: 60 }, { number: 3, submit: 120 }]
  const times = (reading: Reading) => log(lines, reading).jobs.map(({ arrival, service }) => [arrival, service])
  const minutes = [
    [0, units(1)],
    [units(1), units(1)],
    [units(2), units(1)],
  ]
  assert.equal(times({}), minutes)
  assert.equal(times({ logUnit: undefined, first: undefined, stretch: undefined }), minutes)
  assert.equal(times({ logUnit: 1, stretch: 2, first: 2 }), [
    [0, units(60)],
    [units(120), units(60)],
  ])
  assert.is(tallyText(log(lines, { first: 2 }).dropped), '1 beyond the first 2')
})

test('the name of a file decides how it is read: as a log, packed or not, or as CSV; an error names the file and its flag', () => {
  const path = (name: string): string => fileURLToPath(new URL(`../fixtures/workload/${name}`, import.meta.url))
  const plain = readWorkload(path('log.swf'))
  assert.equal(readWorkload(path('log.swf.gz')), plain)
  assert.ok(plain.jobs.length > 0)
  assert.match(
    said(() => readWorkload(path('jobs.csv'))),
    /^--workload .*jobs\.csv, line 1 must be a header id,arrival,user,class,processors,service and then any of /,
  )
  assert.match(
    said(() => readWorkload(path('missing.csv'))),
    /^cannot read .*: no such file$/,
  )
  assert.match(
    said(() => readWorkload(path('log.swf'), { maxBytes: 100 })),
    / may have at most 0\.0001 MB of text \(option maxBytes\), but has \d+$/,
  )
})

test.run()
