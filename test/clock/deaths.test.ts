import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { How } from '../fixtures/actors/mortal.ts'
import { repeats } from '../repeats.ts'
import { planDeaths, runDeaths } from './deaths.ts'

const RUNS = repeats(6)

for (const [how, seeds] of [
  ['throw', RUNS],
  ['exit', RUNS],
  ['memory', Math.ceil(RUNS / 3)],
  ['loop', Math.ceil(RUNS / 3)],
] as const) {
  test(`actors that die by ${how} at any point of a round do not change the actions of the others`, async () => {
    assert.ok((await deathsOf(seeds, [how], 1000)) > seeds / 2)
  })
}

for (const how of ['throw', 'exit', 'loop'] as const) {
  test(`actors of a pool that die by ${how} at any point of a round do not change the actions of those on other threads`, async () => {
    const seeds = Math.ceil(RUNS / 2)
    assert.ok((await deathsOf(seeds, [how], 1000, 'pool')) > seeds / 2)
  })
}

test('threads that are terminated at any time, and others that die meanwhile, do not change the actions of the rest', async () => {
  await deathsOf(RUNS, ['exit', 'throw'], 5000)
})

async function deathsOf(
  seeds: number,
  hows: readonly How[],
  first: number,
  runtime: 'threads' | 'pool' = 'threads',
): Promise<number> {
  let deaths = 0
  for (let seed = first; seed < first + seeds; seed++) {
    const plan = planDeaths(seed, hows)
    const { causes, faults } = await runDeaths(first === 1000 ? { ...plan, terminate: [] } : plan, runtime)
    assert.equal(faults, [], `seed ${seed}: ${faults.join('\n')}`)
    deaths += causes.size
  }
  return deaths
}

test.run()
