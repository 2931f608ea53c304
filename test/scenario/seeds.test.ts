/**
 * The seeds of random plans of faults: in all families a seed and a number are one plan, and the seed is shown with it.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PERFECT_NETWORK } from '../../lib/actor/network.ts'
import { isObject } from '../../lib/core/data.ts'
import { units } from '../../lib/core/time.ts'
import { planSeed } from '../../lib/scenario/fault-plans.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { planOf as marketPlan } from '../../scenarios/bidding/fault-plans.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { FAMILIES } from '../../scenarios/families.ts'
import { exampleOf } from '../../scenarios/family.ts'
import { caseText, faultBlock } from '../../scenarios/lab/faults/block.ts'
import { TYPESCRIPT } from '../typescript.ts'

for (const family of FAMILIES) {
  const [scenario, { faultPlans }] = exampleOf(family)
  test(`${scenario}: two seeds give two plans, and one seed gives one`, async () => {
    const [kind = ''] = faultPlans(new Map()).kinds
    const first = { scenario, given: [], kind, runtime: 'inline', seed: 1, from: 3, until: 4 } as const
    const one = await faultBlock(first)
    assert.equal(await faultBlock(first), one)
    assert.not.equal(await faultBlock({ ...first, seed: 2 }), one)
  })
}

test('many plans of a few seeds all draw from different numbers', () => {
  const seeds = Array.from({ length: 10 }, (_, seed) => Array.from({ length: 1000 }, (_, n) => planSeed({ seed, n })))
  assert.is(new Set(seeds.flat()).size, 10_000)
})

test('a failing plan is told once, with its first violations, its faults and the command that repeats it', () => {
  const block = { scenario: 'bidding/market', kind: 'eager kills', runtime: 'inline' } as const
  const violations = [4, 5, 6, 7, 8].map((task) => `task ${task} was never done`)
  const found = { violations, faults: [parseFault('kill @m1 at 3')], given: undefined }
  assert.equal(caseText(biddingMarket, block, { seed: 7, n: 12 }, found).split('\n'), [
    'eager kills, plan 12 of seed 7:',
    '  task 4 was never done',
    '  task 5 was never done',
    '  task 6 was never done',
    '  and 2 more',
    '  faults: kill @m1 at 3',
    "  again: npx tsx scenarios/lab/faults.ts bidding/market --seed 7 --only 'eager kills' --from 12 --plans 1 --threads 0",
  ])
})

test('plans draw from 2 to 12 machines, speeds of 0.1 to 10, delays up to 11 units and their jitter, loss and duplication', () => {
  const plans = Array.from({ length: 3000 }, (_, seed) => marketPlan('eager', 'loss', seed))
  const range = (numbers: readonly number[]) => [Math.min(...numbers), Math.max(...numbers)]
  assert.equal(range(plans.map(({ model }) => model.speeds.length)), [2, 12])
  assert.equal(range(plans.flatMap(({ model }) => model.speeds)), [0.1, 10])
  const network = plans.map(({ options }) => ({ ...PERFECT_NETWORK, ...options.network }))
  assert.equal(range(network.map(({ latency }) => latency)), [0, units(11)])
  assert.is(range(network.map(({ jitter }) => jitter))[0], 0)
  assert.ok(network.some(({ latency, jitter }) => latency > units(10) && jitter === latency))
  assert.equal(range(network.map(({ loss }) => loss)), [0.01, 0.2])
  assert.equal(range(network.map(({ duplicate }) => duplicate)), [0, 0.4])
})

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = (...command: readonly string[]) =>
  promisify(execFile)(process.execPath, [...TYPESCRIPT, ...command], { cwd: root })

async function faults(...args: readonly string[]): Promise<{ readonly text: string; readonly table: unknown }> {
  const shared = ['--only', 'kills', '--plans', '1', '--threads', '0', '--quiet', '--json']
  const { stdout } = await run('scenarios/lab/faults.ts', 'economy/run', ...shared, ...args)
  const document: unknown = JSON.parse(stdout)
  const results = isObject(document) && isObject(document['results']) ? document['results'] : {}
  return { text: stdout, table: results['table'] }
}

test('--seed chooses the plans and is shown in the table, and --from chooses the first plan', async () => {
  const [one, two, later] = [await faults('--seed', '1'), await faults('--seed', '2'), await faults('--from', '1')]
  assert.match(one.text, 'Costs of faults in economy/run, seed 1')
  assert.not.equal(two.table, one.table)
  assert.not.equal(later.table, one.table)
  assert.equal((await faults('--seed', '1')).table, one.table)
})

/** Runs a soak of one plan, and returns its output. */
async function soak(...args: readonly string[]): Promise<string> {
  const shared = ['--only', 'kills', '--plans', '1', '--threads', '0', '--parallel', '1']
  const { stdout, stderr } = await run('scenarios/soak.ts', 'economy', ...shared, ...args)
  return `${stderr}${stdout}`
}
const seedIn = (said: string) => /^seed (\d+)/m.exec(said)?.[1] ?? 'no seed'

test('a soak draws a fresh seed, shows it, and --seed repeats it', async () => {
  const [one, two] = [await soak(), await soak()]
  const seed = seedIn(one)
  assert.not.equal(seedIn(two), seed)
  assert.match(one, `Costs of faults in economy/run, seed ${seed}`)
  const again = await soak('--seed', seed)
  assert.is(again.slice(again.indexOf('Costs')), one.slice(one.indexOf('Costs')))
})

test('a soak with --keep continues with the seed of its file, and repeats nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-soak-'))
  const keep = join(folder, 'kept.jsonl')
  try {
    const first = await soak('--keep', keep)
    const kept = readFileSync(keep, 'utf8')
    const second = await soak('--keep', keep)
    assert.is(seedIn(second), seedIn(first))
    assert.is(readFileSync(keep, 'utf8'), kept)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a soak of an unknown family is refused in one line', async () => {
  const refused = await soak('bank').catch((error: unknown) => error)
  assert.match(isObject(refused) ? String(refused['stderr']) : '', 'known: bidding, shares, economy')
})

test.run()
