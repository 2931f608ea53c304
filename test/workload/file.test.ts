import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tallyText } from '../../lib/core/tally.ts'
import { units } from '../../lib/core/time.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import { readCsv } from '../../lib/workload/csv.ts'
import { type FileReading, readWorkload } from '../../lib/workload/file.ts'
import { jobsCsv } from '../../lib/workload/jobs-out.ts'
import { serialTasks } from '../../lib/workload/serial.ts'
import { processorsOf, readLog } from '../../lib/workload/swf.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/workload', import.meta.url))
const read = (name: string, reading?: FileReading) => readWorkload(join(FIXTURES, name), reading)

const said = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof UsageError) return error.message.replace(`${FIXTURES}/`, '')
    throw error
  }
  return 'no error'
}

test('a CSV file gives jobs sorted by arrival; an empty estimate equals the work, and an empty client is none', () => {
  const { jobs, dropped } = read('jobs.csv')
  assert.equal(jobs, [
    { id: 'a', arrival: 0, work: units(40), estimate: units(35.5) },
    { id: 'b', arrival: units(1), work: units(8), estimate: units(8), client: 'c2' },
    { id: 'c', arrival: units(1), work: 20_000_001, estimate: units(20), client: 'c1' },
  ])
  assert.is(dropped.size, 0)
})

test('a CSV text may lack the optional columns, have any line ends, blank lines and a byte order mark', () => {
  const { jobs } = readCsv('\uFEFFid,arrival,work\r\n1,0,40\r\n\r\n2,1,8', 'x')
  assert.equal(jobs, [
    { id: '1', arrival: 0, work: units(40), estimate: units(40) },
    { id: '2', arrival: units(1), work: units(8), estimate: units(8) },
  ])
})

test('the optional columns of a CSV text may be in any order, and an empty cell leaves its value out', () => {
  const { jobs, odd } = readCsv(
    [
      'id,arrival,work,restartable,files,client,value,estimate',
      '1,0,40,no,  data.txt  lib/x.so ,c2,-0.125,30',
      '2,1,8,yes,,,2.5e3,',
      '3,2,8,,,,,',
    ].join('\n'),
    'x',
  )
  assert.equal(jobs, [
    {
      id: '1',
      arrival: 0,
      work: units(40),
      estimate: units(30),
      client: 'c2',
      value: -0.125,
      files: ['data.txt', 'lib/x.so'],
      restartable: false,
    },
    { id: '2', arrival: units(1), work: units(8), estimate: units(8), value: 2500 },
    { id: '3', arrival: units(2), work: units(8), estimate: units(8) },
  ])
  assert.is(odd.size, 0)
  const [, , third] = readCsv('id,arrival,work,restartable\na,0,1,\nb,0,1,no\nc,0,1,yes', 'x').jobs
  assert.equal(third, { id: 'c', arrival: 0, work: units(1), estimate: units(1) })
})

test('a bad CSV text is refused with line and column', () => {
  const rows = (...lines: string[]) =>
    said(() => readCsv(['id,arrival,work,estimate,client', ...lines].join('\n'), 'x'))
  const header = 'a header id,arrival,work and then any of estimate,client,value,files,restartable'
  assert.is(
    rows('a,0,1,1,c1', 'b,0,one,1,c1'),
    'x, line 3, column work must be a number from 0 to 1000000000, not "one"',
  )
  assert.is(rows('a,-1,1,1,c1'), 'x, line 2, column arrival must be a number from 0 to 1000000000, not "-1"')
  assert.is(rows('a,0,,1,c1'), 'x, line 2, column work must be a number from 0 to 1000000000, not ""')
  assert.is(rows('a,0,1,1e10,c1'), 'x, line 2, column estimate must be a number from 0 to 1000000000, not "1e10"')
  assert.is(rows('a,0,1,1'), 'x, line 2 must have 5 columns as the header has, not 4')
  assert.is(rows('a,0,1,1,c1,'), 'x, line 2 must have 5 columns as the header has, not 6')
  assert.is(rows('a,0,1,1,c1', '', 'a,1,1,1,c1'), 'x, line 4, column id repeats the id "a" of line 2')
  assert.is(rows(',0,1,1,c1'), 'x, line 2, column id must be a name without spaces and quotes, not ""')
  assert.is(rows('a,0,1,1,c*'), 'x, line 2, column client must be the name of a machine, not "c*"')
  assert.is(rows(), 'x needs at least one job, but has only a header')
  assert.is(
    said(() => readCsv('', 'x')),
    `x needs ${header}, but is empty`,
  )
  const headed = (line: string) => said(() => readCsv(`${line}\n1,2,3`, 'x'))
  for (const line of ['id,work,arrival', 'id,arrival', '1,0,40', 'id,arrival,estimate,work'])
    assert.is(headed(line), `x, line 1 must be ${header}, not "${line}"`)
  assert.is(headed('id,arrival,work,estimate,Client'), `x, line 1 must be ${header}, not "Client"`)
  assert.is(headed('id,arrival,work,'), `x, line 1 must be ${header}, not ""`)
  assert.is(headed('id,arrival,work,work'), `x, line 1 must be ${header}, not "work"`)
  assert.is(headed('id,arrival,work,files,value,files'), 'x, line 1 may name "files" only once')
})

test('a bad cell of an optional column is refused with line and column', () => {
  const row = (column: string, cell: string) => said(() => readCsv(`id,arrival,work,${column}\n1,2,3,${cell}`, 'x'))
  const where = 'x, line 2, column'
  for (const cell of ['1e999', 'NaN', 'many', '0x10'])
    assert.is(row('value', cell), `${where} value must be a number, not "${cell}"`)
  assert.is(row('files', 'a "b"'), `${where} files must be names separated by spaces, without quotes, not "a \\"b\\""`)
  assert.is(row('files', 'a b a'), `${where} files must be names that differ, not "a b a"`)
  for (const cell of ['true', 'No', '0'])
    assert.is(row('restartable', cell), `${where} restartable must be yes or no, not "${cell}"`)
})

test('a log gives its serial jobs: the run time is the work, the requested time is the estimate, and time begins at the first submit', () => {
  const { jobs, dropped } = read('log.swf')
  assert.equal(jobs, [
    { id: '1', arrival: 0, work: units(60), estimate: units(120) },
    { id: '3', arrival: units(50), work: 0, estimate: 0 },
    { id: '7', arrival: units(80), work: units(12.5), estimate: units(10) },
    { id: '9', arrival: units(100), work: units(25), estimate: units(40) },
  ])
  assert.equal(Object.fromEntries(dropped), {
    'not serial': 1,
    'cancelled before the start': 1,
    'without a run time': 1,
    'without a number of processors': 1,
    'part of another job': 1,
  })
  assert.match(tallyText(dropped), '1 not serial, 1 cancelled before the start')
})

test('oddities of a log are counted separately from omitted jobs', () => {
  assert.equal(Object.fromEntries(read('log.swf').odd), {
    'failed or cancelled while they ran': 2,
    'with zero run time': 1,
    'without a requested time (the estimate is the run time)': 1,
    'ran longer than requested': 1,
    'rows fewer than the header counts': 90,
  })
  const row = '1 0 0 5 1 -1 -1 1 9 -1 1 1 1 -1 0 -1 -1 -1'
  const oddOf = (...lines: string[]) => tallyText(serialTasks(readLog(lines.join('\n'), 'x'), 'x').odd)
  assert.is(oddOf(row), '')
  assert.is(oddOf('; MaxJobs: 1', row), '')
  assert.is(oddOf('; MaxJobs: many', row), '')
  assert.is(oddOf('; MaxJobs: 5', '; MaxRecords: 1', row), '', 'records are rows, jobs may have several')
  assert.is(oddOf('; MaxJobs: 0', row), '1 rows more than the header counts')
})

test('entries beyond the limit do not count as odd', () => {
  assert.is(read('log.swf', { first: 2 }).odd.has('ran longer than requested'), false)
})

test('a stretch multiplies the gaps between arrivals and nothing else', () => {
  const plain = read('log.swf').jobs
  const stretched = read('log.swf', { stretch: 2.5 }).jobs
  assert.equal(
    stretched,
    plain.map((job) => ({ ...job, arrival: 2.5 * job.arrival })),
  )
  assert.equal(
    read('jobs.csv', { stretch: 0.5 }).jobs,
    read('jobs.csv').jobs.map((job) => ({ ...job, arrival: job.arrival / 2 })),
  )
})

test('the log unit converts the seconds of a log, for arrivals, work and estimates; a CSV file is in units', () => {
  assert.equal(
    read('log.swf', { logUnit: 60, stretch: 3 }).jobs.map(({ arrival, work, estimate }) => [arrival, work, estimate]),
    [
      [0, units(1), units(2)],
      [units(2.5), 0, 0],
      [units(4), 208_333, 166_667],
      [units(5), 416_667, 666_667],
    ],
  )
  assert.equal(read('jobs.csv', { logUnit: 60 }), read('jobs.csv'))
})

test('a time is rounded once, after it is stretched', () => {
  const arrival = (stretch: number) => readCsv('id,arrival,work\n1,0.0000004,1', 'x', { stretch }).jobs[0]?.arrival
  assert.equal([arrival(1), arrival(10)], [0, 4])
})

test('a stretch or unit that takes a time beyond the limit is refused', () => {
  const csv = (arrival: string, stretch: number) =>
    said(() => readCsv(`id,arrival,work\n1,${arrival},1`, 'x', { stretch }))
  assert.is(
    csv('6e8', 2),
    'x, line 2, column arrival must be a number from 0 to 1000000000 when stretched by 2, not "6e8"',
  )
  assert.is(csv('5e8', 2), 'no error')
  assert.is(csv('2e9', 0.5), 'no error')
  const log = (reading: FileReading) => said(() => read('log.swf', reading))
  assert.is(log({ stretch: 1.25e7 }), '--workload log.swf has a time of more than 1000000000 units in job 9')
  assert.is(log({ logUnit: 1e-7 }), '--workload log.swf has a time of more than 1000000000 units in job 1')
  assert.is(log({ stretch: 1.25e7, logUnit: 2 }), 'no error')
})

test('a compressed log gives the same jobs as the plain one', () => {
  assert.equal(read('log.swf.gz'), read('log.swf'))
})

test('the tasks up to the limit are taken, and the others are counted', () => {
  const { jobs, dropped } = read('log.swf', { first: 2 })
  assert.equal(
    jobs.map(({ id }) => id),
    ['1', '3'],
  )
  assert.is(dropped.get('beyond the first 2'), 2)
  const csv = read('jobs.csv', { first: 1 })
  assert.equal([csv.jobs[0]?.id, csv.dropped.get('beyond the first 1')], ['a', 2])
})

test('a log keeps its header, with repeated keys, and every field', () => {
  const { header, entries } = readLog(readFileSync(join(FIXTURES, 'log.swf'), 'utf8'), 'x')
  assert.equal(header.get('Computer'), ['A made-up cluster'])
  assert.equal(header.get('Note'), ['no space before this key', 'a second note'])
  assert.equal(header.get('Queues'), [''])
  assert.is(entries.length, 9)
  const seventh = entries[6]
  assert.ok(seventh)
  assert.equal([seventh.number, seventh.cpu, seventh.user, seventh.thinkTime], [7, 0.25, 3, -1])
  assert.is(processorsOf(seventh), 1)
})

test('a bad log is refused with line and column', () => {
  const row = (number: number, run = '5') => `${number} 0 0 ${run} 1 -1 -1 1 9 -1 1 1 1 -1 0 -1 -1 -1`
  const log = (...lines: string[]) => said(() => serialTasks(readLog(lines.join('\n'), 'x'), 'x'))
  assert.is(log('; Note: n', row(1), `${row(2)} 7`), 'x, line 3 must have 18 columns, not 19')
  assert.is(log(row(1).slice(0, -3)), 'x, line 1 must have 18 columns, not 17')
  assert.is(log(row(1, '{5}')), 'x, line 1, column 4 (run) must be a number, not "{5}"')
  assert.is(log(row(1), row(1)), 'x has the job number 1 twice')
  assert.is(log(row(1, '-1'), row(2, '-1')), 'x needs at least one serial job, but has none among 2 jobs')
  assert.is(log(row(1, '1e10')), 'x has a time of more than 1000000000 units in job 1')
})

test('a file that cannot be read as a workload is refused in one line', () => {
  assert.is(
    said(() => read('missing.csv')),
    'cannot read --workload missing.csv: no such file',
  )
  assert.is(
    said(() => readWorkload(FIXTURES)),
    `--workload ${FIXTURES} must be a regular file, not a directory`,
  )
  assert.is(
    said(() => read('empty.csv')),
    '--workload empty.csv needs at least one job, but is empty',
  )
  assert.is(
    said(() => read('broken.swf.gz')),
    '--workload broken.swf.gz must be gzip data, not other data (Z_DATA_ERROR)',
  )
  assert.is(
    said(() => read('cut.swf.gz')),
    '--workload cut.swf.gz must be gzip data, not other data (Z_BUF_ERROR)',
  )
})

test('every limit is named in the error that reports it', () => {
  const bytes = { maxBytes: 100 }
  const size = (name: string): number => readFileSync(join(FIXTURES, name)).length
  assert.is(
    said(() => read('log.swf', bytes)),
    `--workload log.swf may have at most 0.0001 MB of text (option maxBytes), but has ${size('log.swf')}`,
  )
  assert.is(
    said(() => read('log.swf.gz', { maxBytes: 400 })),
    '--workload log.swf.gz may have at most 0.0004 MB of text (option maxBytes), but has more',
  )
  assert.is(
    said(() => read('log.swf', { maxRows: 8 })),
    '--workload log.swf may have at most 8 rows, but has more',
  )
  assert.is(
    said(() => read('jobs.csv', { maxRows: 2 })),
    '--workload jobs.csv may have at most 2 rows, but has more',
  )
})

test('the jobs of a run are written with times in units, and empty cells where a job did not finish', () => {
  const text = jobsCsv([
    { id: 't1', arrival: 0, start: units(1), finish: units(11.5), flow: units(11.5), machine: 'm1', attempts: 1 },
    { id: 't2', arrival: 1, attempts: 3 },
  ])
  assert.is(text, 'id,arrival,start,finish,flow,machine,attempts\nt1,0,1,11.5,11.5,m1,1\nt2,0.000001,,,,,3\n')
})

test.run()
