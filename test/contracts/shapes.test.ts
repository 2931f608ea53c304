/** The value function that the chapter on contracts adds: sites, clients and the ledger use it without other changes. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Copy } from '../copies.ts'
import { TYPESCRIPT } from '../typescript.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const END = '} satisfies Readonly<Record<string, Shape>>'

test('a shape that loses value in steps is one entry, and a workload names it', async () => {
  const chapter = readFileSync(join(root, 'scenarios/contracts/README.md'), 'utf8')
  const [, entry] = chapter.match(/```ts\n( {2}steps: \{\n[\s\S]*?\n {2}\},\n)```/) ?? []
  assert.ok(entry, 'the chapter has an entry of SHAPES')
  const copy = new Copy(['actors', 'scenarios'])
  const { folder } = copy
  copy.change('actors/contracts/values.ts', END, `${entry}${END}`)
  const rows = ['a,0,15,50,0,0,', 'b,0,10,100,1,0,steps', 'c,0,10,100,1,0,linear']
  copy.write('tasks.csv', ['id,arrival,runtime,value,decay,bound,shape', ...rows, ''].join('\n'))
  const flags = [
    '--workload',
    'tasks.csv',
    '--jobs-out',
    'jobs.csv',
    '--processors',
    '1',
    '--heuristic',
    'FCFS',
    '--quiet',
  ]
  await promisify(execFile)(process.execPath, [...TYPESCRIPT, 'scenarios/contracts/run.ts', ...flags], {
    cwd: folder,
  })
  const lines = readFileSync(join(folder, 'jobs.csv'), 'utf8').trim().split('\n').slice(1)
  assert.equal(
    lines.map((line) => line.split(',').slice(-2)),
    [
      ['50', '50'],
      ['90', '90'],
      ['75', '75'],
    ],
  )
})

test.run()
