/** Which of the five systems survive failing disks: each cell of the table in scenarios/README.md is what a short search finds. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import { rehearse, type Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { SCENES } from '../bugs/scenes.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const MARKET = '--tasks 4 --speeds 1,2 --clients 2 --load 2 --latency 1 --protocol dsp --query 3 --timeout 3'
const ECONOMY = '--processors 4 --users 2 --load 2 --span 300 --jobs 6 --latency 1 --policy ECON'
const CONTRACTS = `--workload ${at('../bugs/contracts.csv')} --latency 1 --sites 2 --processors 1`
const MESH = '--mesh 4x4 --jobs 6 --leaders 4 --load 4 --short 1 --short-mean 10 --latency 0.1'
const SHARES = '--machines 2 --period 100 --until 1000 --latency 1 --jobs A@m1,m2,P@m1 --currency P=A:1'

/** A scenario with these faults. */
type Staged = (faults: readonly string[]) => Specification

/** The rows of the table, with the scenario or scene, the flags of a scenario, the role, and the time of a slow write. */
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
  ['shares `placer`', ['placements', '', 'placer', 2]],
])

function staged(name: string, args: string): Staged {
  const scene = SCENES[name]
  if (scene) return (faults) => ({ ...scene(), faults: faults.map((text) => parseFault(text)) })
  const scenario = scenarioNamed(name)
  const given = scenario.prepared(collect(scenario.flags, args.split(' ')).given)
  return (faults) => scenario.specification(new Map([...given, ['fault', faults]]))
}

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
    const stage = staged(name, args)
    const cast = await rehearse(stage([]))
    const slowly = cast.flatMap(({ address }) =>
      address.startsWith(`${role}@`) ? [`slow ${address} by ${writeTime} at 0 until 100000`] : [],
    )
    const verdict = async (text: string, faults: readonly string[], allowed: string): Promise<string> => {
      const expected = text.startsWith('kept') ? 'kept' : 'broken'
      const { options, ...rest } = stage(faults)
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

const stages = new Map([...ROWS.values()].map(([name, args]) => [`${name} ${args}`, staged(name, args)]))
for (const [name, stage] of stages) {
  test(`${name}: a second run on the log of the first keeps its promises, too`, async () => {
    const log = mkdtempSync(join(tmpdir(), 'bourse-log-'))
    try {
      for (const run of ['first', 'second']) {
        const { options, faults, until, open } = stage([])
        const judged = await runScenario({ options: { ...options, log, runtime: 'inline' }, faults, until, open })
        const violations = judged.oracle.violations(judged).map(({ property, text }) => `${property}: ${text}`)
        assert.equal([run, violations, judged.crashes], [run, [], []])
      }
    } finally {
      rmSync(log, { recursive: true })
    }
  })
}

test.run()
