/** The page of the laboratory shows the real output of its commands. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('lib/explore/README.md')

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'lib/explore/README.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'bourse-page-'))
test.after(() => rmSync(folder, { recursive: true }))

interface Shown {
  readonly command: string
  readonly lines: readonly string[]
}

/** Commands in the order of the page, each with the lines below it. */
const shown: Shown[] = [...page.matchAll(/```console\n([\s\S]*?)\n```/g)].flatMap(([, block = '']) =>
  block.split(/^\$ /m).flatMap((part) => {
    const [command = '', ...lines] = part.trimEnd().split('\n')
    return command === '' ? [] : [{ command, lines }]
  }),
)

const words = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

/** Puts traces into a folder of the test. */
const placed = (word: string): string => (word.endsWith('.jsonl') ? join(folder, word) : word)
const timeless = (text: string): string =>
  text.replace(/per second \d+/, 'per second N').replaceAll(join(folder, '/'), '')

async function printed(command: string): Promise<string> {
  const [npx, tsx, script = '', ...args] = words(command)
  assert.equal([npx, tsx], ['npx', 'tsx'])
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args.map(placed)], {
    cwd: root,
  })
  return timeless(stdout.trimEnd())
}

for (const { command, lines } of shown) {
  test(command, async () => {
    const said = await printed(command)
    const parts = timeless(lines.join('\n')).split(/^\.\.\.$/m)
    // a line of three dots marks an omission
    if (parts.length === 1 && lines.length > 0) assert.is(said, parts[0]?.trimEnd())
    for (const part of parts) assert.ok(said.includes(part.trim()), `${part.trim()}\n\nis not in\n\n${said}`)
  })
}

test('shows a run of each command of the laboratory', () => {
  for (const name of ['explore', 'races', 'trace', 'replay']) {
    assert.ok(
      shown.some(({ command }) => command.includes(`scenarios/lab/${name}.ts`)),
      name,
    )
  }
})

test.run()
