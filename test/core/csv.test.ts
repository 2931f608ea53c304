/** CSV: what is written opens safely in a spreadsheet, and is read back as it was. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cellsOf, csvLine } from '../../lib/core/csv.ts'
import { csvOf } from '../../lib/experiment/report.ts'
import { readCsv } from '../../lib/workload/csv.ts'
import { jobsCsv } from '../../lib/workload/jobs-out.ts'

const FORMULAS = ["=cmd|'/c calc'!A0", '+1+2', '-2+3', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''=1"]

test('cells that a spreadsheet would take for a formula get an apostrophe, and are read back as they were', () => {
  assert.is(csvLine(['=1+1', 'a', '-x']), `"'=1+1",a,"'-x"`)
  for (const text of FORMULAS) {
    assert.match(csvLine([text]), /^"'/)
    assert.equal(cellsOf(csvLine(['a', text, 'b'])), ['a', text, 'b'])
  }
})

test('numbers stay numbers, and other cells as they are', () => {
  assert.is(csvLine([-1.5, '-1.5', '+2', '-1e-7', null, 'a-b', "it's"]), "-1.5,-1.5,+2,-1e-7,,a-b,it's")
  const others = ['', 'a,b', 'say "no"', "'a'", 'x=1']
  assert.equal(cellsOf(csvLine(others)), others)
})

test('the id of a task goes through a table of results and back', () => {
  const id = '=cmd|calc'
  const written = jobsCsv([{ id, arrival: 0, attempts: 1 }])
  assert.match(written, `\n"'=cmd|calc",0,`)
  const [cell = ''] = (written.split('\n')[1] ?? '').split(',')
  assert.is(readCsv(`id,arrival,work\n${cell},0,3\n`, '--workload jobs.csv').jobs[0]?.id, id)
})

test('tables of results are written likewise', () => {
  const table = csvOf({ columns: [{ name: '@user' }, { name: 'n' }], rows: [['=1', -1]] })
  assert.is(table, `"'@user",n\r\n"'=1",-1\r\n`)
})

test.run()
