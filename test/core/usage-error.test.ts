import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { UsageError } from '../../lib/core/usage-error.ts'

test('every constructor makes one ordinary sentence', () => {
  const cases: [error: UsageError, sentence: string][] = [
    [UsageError.invalid('--load', 'a number > 0', '"x"'), '--load must be a number > 0, not "x"'],
    [UsageError.invalid('jobs.csv, line 2', 'a kept result'), 'jobs.csv, line 2 must be a kept result'],
    [
      UsageError.invalid('--time', 'virtual', '"real"', 'exploration uses no clock'),
      '--time must be virtual, not "real": exploration uses no clock',
    ],
    [
      UsageError.invalid('--time', 'virtual', undefined, 'there is no clock'),
      '--time must be virtual: there is no clock',
    ],
    [UsageError.tooMany('jobs.csv', '2 rows'), 'jobs.csv may have at most 2 rows, but has more'],
    [UsageError.tooMany('--hosts', '32 hosts', '33'), '--hosts may have at most 32 hosts, but has 33'],
    [UsageError.requires('--stretch', '--workload'), '--stretch needs --workload'],
    [UsageError.conflicts('--quick', '--full'), '--quick cannot be combined with --full'],
    [
      UsageError.conflicts('--gang', '--spin', 'it never spins'),
      '--gang cannot be combined with --spin: it never spins',
    ],
    [UsageError.repeated('--seed'), '--seed may be given only once'],
    [UsageError.repeated('--clients', '"A"'), '--clients may name "A" only once'],
    [UsageError.cannot('read jobs.csv', 'no such file'), 'cannot read jobs.csv: no such file'],
  ]
  for (const [error, sentence] of cases) assert.is(error.message, sentence)
})

test('an unknown name comes with a similar one, or with the first known ones', () => {
  const list = '--help lists all flags'
  const flags = ['--seed', '--tasks']
  assert.is(
    UsageError.unknown('flag', '--tesks', flags, { list }).message,
    'unknown flag --tesks; did you mean --tasks? (--help lists all flags)',
  )
  assert.is(
    UsageError.unknown('flag', '--zebra', flags, { list }).message,
    'unknown flag --zebra; --help lists all flags',
  )
  const machines = Array.from({ length: 9 }, (_, i) => `m${i + 1}`)
  assert.is(
    UsageError.unknown('machine', 'm99', machines, { where: '--jobs' }).message,
    'unknown machine "m99" in --jobs; known: m1, m2, m3, m4, m5, m6, m7, m8, ...',
  )
  assert.is(UsageError.unknown('state', 'on', []).message, 'unknown state "on"; known: none')
})

test('only the error of a wrong value can be extended by a further allowed value', () => {
  assert.is(UsageError.invalid('--cap', 'a number', '"x"').or('off').message, '--cap must be a number, or off, not "x"')
  assert.is(
    UsageError.invalid('--cap', 'a number', '"x"', 'it is a sum').or('off').message,
    '--cap must be a number, or off, not "x": it is a sum',
  )
  assert.is(UsageError.requires('--cap', '--load').or('off').message, '--cap needs --load')
})

test.run()
