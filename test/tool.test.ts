import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TYPESCRIPT } from './typescript.ts'

const tool = suite('the commands of developers')

/** Wrong flags of each command, and the line that they end with. */
const wrong: readonly (readonly [command: string, args: readonly string[], line: string])[] = [
  [
    'test/bench/curves/run.ts',
    ['--only', '('],
    '--only must be a regular expression, not "(": write \\ before a special character',
  ],
  [
    'test/bench/run.ts',
    ['--only', '['],
    '--only must be a regular expression, not "[": write \\ before a special character',
  ],
  [
    'test/engine/run.ts',
    ['--only', '*'],
    '--only must be a regular expression, not "*": write \\ before a special character',
  ],
  ['test/engine/run.ts', ['--machines', 'many'], '--machines must be a whole number from 0, not "many"'],
  ['test/coverage.ts', ['--parallel', '0'], '--parallel must be a whole number from 1, not "0"'],
  ['test/coverage.ts', ['--paralel', '1'], "Unknown option '--paralel'"],
]

for (const [command, args, line] of wrong) {
  tool(`${command} refuses ${args.join(' ')} in one line`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...TYPESCRIPT, command, ...args], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
    })
    assert.is(status, 2, stderr)
    assert.is(stdout, '')
    assert.ok(stderr.startsWith(line), stderr)
    assert.is(stderr.trim().split('\n').length, 1, stderr)
  })
}

tool.run()
