/** CSV files: they open safely in a spreadsheet, and are read back unchanged. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { csvText, readCells } from '../../lib/core/csv.ts'
import { csvOf } from '../../lib/core/table.ts'
import { readCsv } from '../../lib/workload/csv.ts'
import { jobsCsv } from '../../lib/workload/jobs-out.ts'
import { throwsSaying } from '../throws.ts'

const FORMULAS = ["=cmd|'/c calc'!A0", '+1+2', '-2+3', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''=1"]

const lineOf = (cells: readonly (string | number | null)[]): string => csvText([cells], '')

function rowsOf(text: string): (readonly string[])[] {
  const rows: (readonly string[])[] = []
  readCells(text, 'x', (cells) => rows.push(cells))
  return rows
}

test('cells that a spreadsheet would take for a formula get an apostrophe, and are read back unchanged', () => {
  assert.is(lineOf(['=1+1', 'a', '-x']), `"'=1+1",a,"'-x"`)
  for (const text of FORMULAS) {
    assert.match(lineOf([text]), /^"'/)
    assert.equal(rowsOf(csvText([['a', text, 'b']])), [['a', text, 'b']])
  }
})

test('numbers stay numbers, and other cells are written unchanged', () => {
  assert.is(lineOf([-1.5, '-1.5', '+2', '-1e-7', null, 'a-b', "it's"]), "-1.5,-1.5,+2,-1e-7,,a-b,it's")
  const others = ['', 'a,b', 'say "no"', "'a'", 'x=1', 'two\nlines', 'two\r\nlines']
  assert.equal(rowsOf(csvText([others, ['a'], others])), [others, ['a'], others])
})

test('a cell in quotes may have spaces around it and line breaks in it, and errors name the line of a bad quote', () => {
  assert.equal(rowsOf('\uFEFFa , "b "\t,c"d"\r\n\r  \n"e\nf",g'), [
    ['a', 'b ', 'c"d"'],
    ['e\nf', 'g'],
  ])
  const said = 'x, line 2 needs a closing quote at the end of a cell that begins with one'
  throwsSaying(() => rowsOf('a,b\n"c"d,e\n'), said)
  throwsSaying(() => rowsOf('a,b\n"c,d\ne,f\n'), said)
})

test('the id of a task survives a table of results', () => {
  const id = '=cmd|calc'
  const written = jobsCsv([{ id, arrival: 0, attempts: 1 }])
  assert.match(written, `\n"'=cmd|calc",0,`)
  const [cell = ''] = (written.split('\n')[1] ?? '').split(',')
  assert.is(readCsv(`id,arrival,work\n${cell},0,3\n`, '--workload jobs.csv').jobs[0]?.id, id)
})

test('a table of results also protects its cells from being formulas', () => {
  const table = csvOf({ columns: [{ name: '@user' }, { name: 'n' }], rows: [['=1', -1]] })
  assert.is(table, `"'@user",n\r\n"'=1",-1\r\n`)
})

test.run()
