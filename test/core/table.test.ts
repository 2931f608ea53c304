import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { csvOf, markdownOf, plainOf, type ResultTable, textOf, withoutEmpty } from '../../lib/core/table.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('table')

const results: ResultTable = {
  title: 'Table 1',
  columns: [
    { name: 'speeds' },
    { name: 'load', unit: '%', digits: 0 },
    { name: 'flow', unit: 'units', digits: 2 },
    { name: 'messages' },
    { name: 'verdict', align: 'left' },
  ],
  rows: [
    ['4,1,1', 50, { mean: 37.607, halfWidth: 0.0661 }, 17.123456789, 'agrees'],
    ['8', 90, { mean: 131.5, halfWidth: 12.2 }, 0, 'differs, "far" | off'],
    ['1', 10, { mean: 60, halfWidth: null }, null, ''],
  ],
  notes: ['90 % intervals'],
}

test('columns without any value can be left out', () => {
  const columns = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
  const { columns: kept, rows } = withoutEmpty({
    columns,
    rows: [
      ['', 0, null, ''],
      ['', 1, '', { mean: 1, halfWidth: null }],
    ],
  })
  assert.equal(
    kept.map(({ name }) => name),
    ['b', 'd'],
  )
  assert.equal(rows[0], [0, ''])
  assert.equal(withoutEmpty({ columns, rows: [] }).columns, columns)
})

test('text: rounded, units in the head, means under means and half-widths under half-widths', () => {
  assert.is(
    textOf(results),
    [
      'Table 1',
      '',
      'speeds  load [%]    flow [units]  messages  verdict',
      '4,1,1         50   37.61 ±  0.07   17.1235  agrees',
      '8             90  131.50 ± 12.20         0  differs, "far" | off',
      '1             10   60.00                 -',
      '',
      '90 % intervals',
      '',
    ].join('\n'),
  )
})

test('Markdown: the same cells, with special characters escaped', () => {
  assert.is(
    markdownOf(results),
    [
      '**Table 1**',
      '',
      '| speeds | load [%] | flow [units] | messages | verdict |',
      '| --- | ---: | ---: | ---: | --- |',
      '| 4,1,1 | 50 | 37.61 ± 0.07 | 17.1235 | agrees |',
      '| 8 | 90 | 131.50 ± 12.20 | 0 | differs, "far" \\| off |',
      '| 1 | 10 | 60.00 | - |  |',
      '',
      '90 % intervals',
      '',
    ].join('\n'),
  )
})

test('CSV: exact numbers, half-widths in a column of their own, empty cells for missing values', () => {
  assert.is(
    csvOf(results),
    [
      'speeds,load [%],flow [units],flow half-width [units],messages,verdict',
      '"4,1,1",50,37.607,0.0661,17.123456789,agrees',
      '8,90,131.5,12.2,0,"differs, ""far"" | off"',
      '1,10,60,,,',
      '',
    ].join('\r\n'),
  )
})

test('plain data: a record per row, exact, and the same after a trip through JSON', () => {
  const plain = plainOf(results)
  assert.equal(JSON.parse(JSON.stringify(plain)), {
    title: 'Table 1',
    columns: [
      { name: 'speeds' },
      { name: 'load', unit: '%' },
      { name: 'flow', unit: 'units' },
      { name: 'messages' },
      { name: 'verdict' },
    ],
    rows: [
      {
        speeds: '4,1,1',
        load: 50,
        flow: { mean: 37.607, halfWidth: 0.0661 },
        messages: 17.123456789,
        verdict: 'agrees',
      },
      { speeds: '8', load: 90, flow: { mean: 131.5, halfWidth: 12.2 }, messages: 0, verdict: 'differs, "far" | off' },
      { speeds: '1', load: 10, flow: { mean: 60, halfWidth: null }, messages: null, verdict: '' },
    ],
    notes: ['90 % intervals'],
  })
})

test('a table without title, notes or rows has its head in every format', () => {
  const empty = { columns: [{ name: 'a' }, { name: 'b', unit: 's' }], rows: [] }
  assert.is(textOf(empty), 'a  b [s]\n')
  assert.is(markdownOf(empty), '| a | b [s] |\n| --- | ---: |\n')
  assert.is(csvOf(empty), 'a,b [s]\r\n')
})

test('a cell of Markdown stays one cell with any content', () => {
  const odd = { columns: [{ name: 'a|b' }], rows: [['c\\|d'], ['e\\'], ['f\r\ng\rh']] }
  assert.is(markdownOf(odd), '| a\\|b |\n| --- |\n| c\\\\\\|d |\n| e\\\\ |\n| f g h |\n')
})

test('a row that does not fit the columns is refused in every format', () => {
  const wrong = { columns: [{ name: 'a' }], rows: [[1], [1, 2]] }
  for (const form of [textOf, markdownOf, csvOf, plainOf])
    throwsSaying(() => form(wrong), 'row 1 must have 1 values, not 2')
})

test('two columns of one name are refused in every format', () => {
  const wrong = { columns: [{ name: 'a' }, { name: 'b', unit: 's' }, { name: 'b' }], rows: [] }
  for (const form of [textOf, markdownOf, csvOf, plainOf]) throwsSaying(() => form(wrong), 'two columns are named "b"')
})

test.run()
