import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseFlags } from '../../lib/cli/index.ts'
import { ReusedMemory } from '../../lib/memory/memory.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import { flags } from '../../scenarios/bidding/flags.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { setUp } from '../../scenarios/bidding/setup.ts'

/** The trace of an inline market with the given flags. */
async function hashOf(line: string, options: SystemInit): Promise<string> {
  const given = parseFlags(flags, [...line.split(' '), ...KILLED]).options
  const { model: market } = setUp(given)
  const small = { actors: 31, memoryMB: 8, ...options }
  const { traceHash } = await biddingMarket.run(market, { ...small, runtime: 'inline', trace: true }, given.kill)
  return traceHash
}

const KILLED = ['--query', '20', '--timeout', '10', '--kill', 'contractor@m1 at 300']

const LINES = [
  '--tasks 20 --speeds 1,2',
  '--tasks 40 --speeds 4,1,1 --clients 2 --protocol eager',
  '--tasks 30 --speeds 1,1,1 --loss 0.05 --reliable',
  '--tasks 20 --speeds 1,2',
]

test('a system that reuses the memory of another has the same trace as in fresh memory', async () => {
  const reuse = new ReusedMemory()
  for (const line of LINES) assert.is(await hashOf(line, { reuse }), await hashOf(line, {}), line)
})

test('a system of another size gets new memory', async () => {
  const reuse = new ReusedMemory()
  const line = '--tasks 20 --speeds 1,2'
  const fresh = await hashOf(line, {})
  for (const actors of [7, 100, 31]) assert.is(await hashOf(line, { reuse, actors }), fresh, String(actors))
})

test('memory can be reused inline only', () => {
  const expected = 'option reuse needs runtime inline, not threads'
  assert.throws(() => new System({ runtime: 'threads', reuse: new ReusedMemory() }), expected)
})

test.run()
