/** Which of the five systems survive failing disks: each cell of the table in scenarios/README.md is what a short search finds. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { rehearse, type Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const MARKET = '--tasks 4 --speeds 1,2 --clients 2 --load 2 --latency 1 --protocol dsp --query 3 --timeout 3'
const ECONOMY = '--processors 4 --users 2 --load 2 --span 300 --jobs 6 --latency 1 --policy ECON'
const CONTRACTS = `--workload ${at('../bugs/contracts.csv')} --latency 1 --sites 2 --processors 1`
const MESH = '--mesh 4x4 --jobs 6 --leaders 4 --load 4 --short 1 --short-mean 10 --latency 0.1'
const SHARES = '--machines 2 --period 100 --until 1000 --latency 1 --jobs A@m1,m2,P@m1 --currency P=A:1'

/** The rows of the table, with the scenario, its flags, the role, and the time of a slow write. */
const ROWS: ReadonlyMap<string, readonly [name: string, args: string, role: string, writeTime: number]> = new Map([
  ['market `client`', ['bidding/market', MARKET, 'client', 2]],
  ['economy `bank`', ['economy/run', ECONOMY, 'bank', 3]],
  ['economy `scheduler`', ['economy/run', ECONOMY, 'scheduler', 3]],
  ['economy `user`', ['economy/run', ECONOMY, 'user', 3]],
  ['contracts `site`', ['contracts/run', CONTRACTS, 'site', 2]],
  ['contracts `broker`', ['contracts/run', CONTRACTS, 'broker', 2]],
  ['contracts `client`', ['contracts/run', CONTRACTS, 'client', 2]],
  ['mesh (fold) `allocator`', ['mesh/run', `${MESH} --policy fold --interval 2`, 'allocator', 0.2]],
  ['mesh (equi) `allocator`', ['mesh/run', `${MESH} --policy equi`, 'allocator', 0.2]],
  ['shares `ticket-server`', ['shares/cluster', SHARES, 'ticket-server', 2]],
])

/** A run that takes more rounds does not come to rest. */
const ROUNDS = 20_000
/** The most runs that look for a broken invariant, and the number of runs that must keep all. */
const RUNS = { broken: 60, kept: 5 }

const table = readFileSync(at('../../scenarios/README.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, system = '', actor = '']) => ROWS.has(`${system} ${actor}`))

test('the table has all systems and their actors with records', () => {
  assert.equal(
    table.map(([, system, actor]) => `${system} ${actor}`),
    [...ROWS.keys()],
  )
})

for (const [, system = '', actor = '', slow = '', loss = ''] of table) {
  const row = ROWS.get(`${system} ${actor}`)
  if (!row) continue
  const [name, args, role, writeTime] = row
  test(`${system}, ${actor}: what the table says`, async () => {
    const scenario = scenarioNamed(name)
    const given = scenario.prepared(collect(scenario.flags, args.split(' ')).given)
    const cast = await rehearse(scenario.specification(given))
    const slowly = cast.flatMap(({ address }) =>
      address.startsWith(`${role}@`) ? [`slow ${address} by ${writeTime} at 0 until 100000`] : [],
    )
    const verdict = async (text: string, faults: readonly string[], allowed: string): Promise<string> => {
      const expected = text.startsWith('kept') ? 'kept' : 'broken'
      const { options, ...rest } = scenario.specification(new Map([...given, ['fault', faults]]))
      const specification: Specification = { ...rest, options: { ...options, rounds: ROUNDS } }
      const { failures } = await explore(
        {
          specification,
          strategy: strategyOf('fifo', '--strategy'),
          seed: 1,
          allowed: [parseAllowed(allowed, '--faults')],
          from: 0,
          until: RUNS[expected],
          isEnough: () => true,
        },
        await baselineOf(specification),
      )
      return failures.length === 0 ? 'kept' : 'broken'
    }
    const restarts = `restart any ${role} 2`
    assert.equal(
      [await verdict(slow, slowly, restarts), await verdict(loss, [], `${restarts} losing 3 torn`)],
      [slow, loss].map((text) => text.split(':')[0]),
    )
  })
}

test.run()
