/** The files of a command: inputs are never overwritten, and results are whole or absent. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { execute, optional, outputFlags, resultFile, text, writeResult } from '../../lib/cli/index.ts'
import { finishResult, partFor } from '../../lib/core/result-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-files-'))
test.after(() => rmSync(folder, { recursive: true }))

const at = (name: string): string => join(folder, name)
function file(name: string, content = name): string {
  writeFileSync(at(name), content)
  return at(name)
}

const flags = {
  ...outputFlags,
  workload: optional({ metavar: 'FILE', file: 'input', parse: text, help: 'jobs' }),
  csv: optional({ metavar: 'FILE', file: 'result', parse: text, help: 'rows' }),
  keep: optional({ metavar: 'FILE', file: 'kept', parse: text, help: 'results' }),
  svg: optional({ metavar: 'FOLDER', file: 'folder', parse: text, help: 'drawings' }),
}

/** The stderr and exit code of a command with these arguments; `wasRun` tells whether its main was called. */
async function command(...args: string[]) {
  let err = ''
  let wasRun = false
  const code = await execute(
    {
      name: 'test/files',
      summary: 'Tests.',
      flags,
      args: { usage: '[FILE...]', least: 0, forms: [] },
      main: async ({ options }) => {
        wasRun = true
        resultFile(options.csv, '--csv')('written')
        return { results: {}, checks: [], messages: 0, text: '' }
      },
    },
    {
      args,
      stdout: { write: () => {} },
      stderr: { write: (said) => (err += said), isTerminal: false },
      onInterrupt: () => {},
    },
  )
  return { code, err, wasRun }
}

async function refuses(args: string[], said: string): Promise<void> {
  const { code, err, wasRun } = await command(...args)
  assert.equal([code, err, wasRun], [2, `bourse: ${said}\n`, false])
}

test('no result overwrites an input under any of its names', async () => {
  const input = file('jobs.csv', 'id,arrival,work\n')
  symlinkSync(input, at('link.csv'))
  linkSync(input, at('hard.csv'))
  const inputs: readonly (readonly [given: string[], name: string])[] = [
    [['--workload', input], '--workload'],
    [[input], `the argument ${JSON.stringify(input)}`],
  ]
  for (const [given, name] of inputs) {
    for (const path of [input, at('link.csv'), at('hard.csv'), `${folder}/./jobs.csv`]) {
      for (const flag of ['--csv', '--report', '--keep']) {
        await refuses(
          [...given, flag, path],
          `${flag} and ${name} name the same file, ${JSON.stringify(path)}: give each a file of its own`,
        )
      }
    }
  }
  assert.is(readFileSync(input, 'utf8'), 'id,arrival,work\n')
})

test('a result does not overwrite an input that is its part', async () => {
  const part = file('run.csv.part')
  await refuses(
    [part, '--csv', at('run.csv')],
    `--csv and the argument ${JSON.stringify(part)} name the same file, ${JSON.stringify(at('run.csv'))}: give each a file of its own`,
  )
})

test('two results never share a file, even a missing one or one behind links', async () => {
  const old = file('old.csv')
  symlinkSync(at('new.csv'), at('to-new.csv'))
  mkdirSync(at('real'))
  symlinkSync(at('real'), at('alias'))
  const pairs: readonly (readonly [string, string])[] = [
    [old, old],
    [at('new.csv'), at('new.csv')],
    [at('new.csv'), at('to-new.csv')],
    [at('real/a'), at('alias/a')],
    [at('a'), at('a.part')],
  ]
  for (const [one, other] of pairs) {
    await refuses(
      ['--report', one, '--csv', other],
      `--csv and --report name the same file, ${JSON.stringify(other)}: give each a file of its own`,
    )
  }
  await refuses(
    ['--csv', old, '--keep', old],
    `--keep and --csv name the same file, ${JSON.stringify(old)}: give each a file of its own`,
  )
  await refuses(
    ['--csv', at('new'), '--svg', at('new')],
    `--svg and --csv name the same file, ${JSON.stringify(at('new'))}: give each a file of its own`,
  )
})

test('the same input may be named twice, and results may share a device', async () => {
  const input = file('twice.csv')
  assert.is((await command(input, input, '--workload', input)).code, 0)
  assert.is((await command('--csv', '/dev/null', '--keep', '/dev/null')).code, 0)
})

test('a result that cannot be written is refused before the run, and the check leaves no file', async () => {
  await refuses(['--csv', at('no/rows.csv')], `cannot write --csv ${at('no/rows.csv')}: no such folder (ENOENT)`)
  await refuses(['--csv', folder], `cannot write --csv ${folder}: it is a folder (EISDIR)`)
  await refuses(
    ['--svg', '/dev/null/x'],
    'cannot make the folder --svg /dev/null/x: a part of the path is no folder (ENOTDIR)',
  )
  const kept = file('kept.csv', 'as it was')
  const names = readdirSync(folder)
  await refuses(
    ['--csv', kept, '--report', at('later.html'), '--svg', '/dev/null/x'],
    'cannot make the folder --svg /dev/null/x: a part of the path is no folder (ENOTDIR)',
  )
  assert.equal(readdirSync(folder), names)
  assert.is(readFileSync(kept, 'utf8'), 'as it was')
})

test('a result replaces an earlier one atomically: readers keep the old one, and mode and link stay', async () => {
  const earlier = file('result.csv', 'earlier')
  chmodSync(earlier, 0o640)
  linkSync(earlier, at('other-name.csv'))
  symlinkSync(earlier, at('result-link.csv'))
  assert.is((await command('--csv', at('result-link.csv'))).code, 0)
  assert.is(readFileSync(earlier, 'utf8'), 'written')
  assert.is(readFileSync(at('other-name.csv'), 'utf8'), 'earlier')
  assert.is(statSync(earlier).mode & 0o777, 0o640)
  assert.ok(lstatSync(at('result-link.csv')).isSymbolicLink())
  assert.not(existsSync(`${earlier}.part`))
})

test('an existing part stays: the new one has another number, and the mode of the result', () => {
  const earlier = file('half.csv', 'earlier')
  chmodSync(earlier, 0o600)
  const left = file('half.csv.part', 'of a run that was killed')
  const part = partFor(earlier, '--csv')
  assert.is(part, `${earlier}.part.2`)
  assert.is(statSync(part).mode & 0o777, 0o600)
  writeFileSync(part, 'new')
  finishResult(earlier, '--csv')
  assert.is(readFileSync(earlier, 'utf8'), 'new')
  assert.is(readFileSync(left, 'utf8'), 'of a run that was killed')
  assert.not(existsSync(part))
})

test('a result may go to a link that leads to no file yet', () => {
  symlinkSync('target.csv', at('dangling.csv'))
  writeResult(at('dangling.csv'), 'here', '--csv')
  assert.is(readFileSync(at('target.csv'), 'utf8'), 'here')
})

test('every flag that takes a file or a folder declares its role', () => {
  const root = new URL('../../', import.meta.url)
  const sources = ['lib', 'scenarios'].flatMap((place) =>
    readdirSync(new URL(place, root), { recursive: true, encoding: 'utf8' }).map((path) => `${place}/${path}`),
  )
  const silent = sources
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      [...readFileSync(new URL(path, root), 'utf8').matchAll(/metavar: '(?:FILE|FOLDER)',\s*(\S+)/g)]
        .filter(([, next]) => next !== 'file:')
        .map(([said]) => `${path}: ${said}`),
    )
  assert.equal(silent, [])
})

test.run()
