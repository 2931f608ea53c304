/** All figures of all papers take the same flags, or their help says why one of them is missing or changes nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CommandRun, runScenario } from '../bidding/command.ts'

const SCENARIOS = fileURLToPath(new URL('../../scenarios', import.meta.url))

/** The programs of the figures: the modules that call `figureMain` when they are loaded. */
const PROGRAMS = readdirSync(SCENARIOS, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && /^await figureMain\(/m.test(readFileSync(join(SCENARIOS, path), 'utf8')))
  .map((path) => path.replace(/\.ts$/, ''))
  .toSorted()

const EVERY = ['quick', 'full', 'csv', 'markdown', 'svg', 'json', 'report', 'quiet']
const OF_RUNS = ['keep', 'parallel', 'workers']

const isListed = (help: string, flag: string): boolean => new RegExp(`^  --${flag}\\b`, 'm').test(help)

test('there is a figure in every family', () => {
  const families = new Set(PROGRAMS.map((name) => name.split('/')[0]))
  assert.equal([...families], ['bidding', 'contracts', 'economy', 'mesh', 'shares'])
})

test('every figure has every flag of a figure, or its help says why not', async () => {
  const left = [...PROGRAMS]
  const helps = new Map<string, CommandRun>()
  const next = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      helps.set(name, await runScenario(name, ['--help']))
    }
  }
  await Promise.all([next(), next()])
  for (const [name, { code, stdout: help }] of helps) {
    assert.is(code, 0, name)
    const missing = EVERY.filter((flag) => !isListed(help, flag))
    assert.equal(missing, [], name)
    const calculates = help.includes('Calculates without running actors, so that no run can be kept or given to hosts.')
    const ofRuns = OF_RUNS.filter((flag) => isListed(help, flag))
    assert.equal(ofRuns, calculates ? [] : OF_RUNS, name)
    if (calculates) assert.match(help, 'one scale: all numbers are calculated', name)
  }
})

test('a figure with one scale takes --quick and --full, one of them at a time', async () => {
  const all = ['--mesh', '4x2', '--deltas', '0', '--json']
  const [standard, quick, full] = await Promise.all(
    [[], ['--quick'], ['--full']].map((flags) => runScenario('mesh/efficiency', [...all, ...flags])),
  )
  const resultsOf = ({ code, stdout }: CommandRun) => {
    assert.is(code, 0, stdout)
    return JSON.parse(stdout).results
  }
  assert.ok(standard && quick && full)
  assert.equal(resultsOf(quick), resultsOf(standard))
  assert.equal(resultsOf(full), resultsOf(standard))
  const { code, stderr } = await runScenario('mesh/efficiency', ['--quick', '--full'])
  assert.is(code, 2)
  assert.match(stderr, /--quick.*--full/)
})

test.run()
