/** The README's programs run as they stand there, and its table of flags is the declared one. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { flagTable } from '../lib/cli.ts'
import { flags } from '../scenarios/bidding/flags.ts'
import { studyFlags } from '../scenarios/bidding/study/flags.ts'
import { ownFlags as contractsFlags } from '../scenarios/contracts/flags.ts'
import { studyFlags as contractsFigureFlags } from '../scenarios/contracts/study/flags.ts'
import { ownFlags as economyFlags } from '../scenarios/economy/flags.ts'
import { studyFlags as figureFlags } from '../scenarios/economy/study/flags.ts'
import { responseFlags } from '../scenarios/mesh/response/flags.ts'
import { ownFlags as meshFlags } from '../scenarios/mesh/run/flags.ts'
import { sharedModelFlags } from '../scenarios/mesh/study/flags.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** ```ts blocks by the file name in their first line. */
const programs = [...readme.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, name = '', code = '']) => ({
  name,
  code,
}))

/** What the README says that a command prints. */
const outputOf = (name: string): string =>
  readme.match(new RegExp(`\\$ npx tsx scenarios/my/${name}\\n([\\s\\S]*?)\`\`\``))?.[1] ?? `no output of ${name}`

const folder = mkdtempSync(join(root, 'scenarios', 'readme-'))
for (const { name, code } of programs) writeFileSync(join(folder, name), code)

for (const name of ['main.ts', 'market.ts', 'patient.ts']) {
  test(`scenarios/${basename('my')}/${name} prints what the README says`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', join(folder, name)], {
      cwd: root,
    })
    assert.is(stdout, outputOf(name))
  })
}

test('the README has these programs', () => {
  assert.equal(
    programs.map(({ name }) => name),
    ['pong.ts', 'ping.ts', 'main.ts', 'market.ts', 'patient-contractor.ts', 'patient-client.ts', 'patient.ts'],
  )
})

for (const [name, declared] of [
  ['flags', flags],
  ['study flags', studyFlags],
  ['economy flags', economyFlags],
  ['figure flags', figureFlags],
  ['contracts flags', contractsFlags],
  ['contracts figure flags', contractsFigureFlags],
  ['mesh flags', meshFlags],
  ['mesh response flags', responseFlags],
  ['mesh model flags', sharedModelFlags],
] as const) {
  test(`the table of ${name} is made from their declarations`, () => {
    const table = readme.match(new RegExp(`<!-- ${name}:.*-->\\n([\\s\\S]*?)<!-- /${name} -->`))?.[1]
    assert.is(table?.trim(), flagTable(declared).trim())
  })
}

test.after(() => rmSync(folder, { recursive: true }))
test.run()
