/** Which systems survive failing disks: each cell of the table in scenarios/README.md is what a short search finds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { sampled } from '../repeats.ts'
import { nameOf, ROWS, TABLE } from './disks.ts'

/** A scenario with these faults. */
type Staged = (faults: readonly string[]) => Specification

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

test('the table has all rows, and no others', () => {
  assert.equal(TABLE.map(nameOf), [...ROWS.keys()])
})

for (const cells of TABLE) {
  const [system = '', actor = '', slow = '', loss = ''] = cells
  const row = ROWS.get(nameOf(cells))
  if (!row) continue
  const { run, flags, role, writeTime } = row
  test(`${system}, ${actor}: what the table says`, async () => {
    const stage = staged(run, flags)
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

const stages = new Map([...ROWS.values()].map(({ run, flags }) => [`${run} ${flags}`, staged(run, flags)]))
for (const [name, stage] of sampled([...stages])) {
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
