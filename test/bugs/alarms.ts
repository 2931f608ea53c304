/**
 * Searches the protocols as they are: a failing run is a false alarm, or an unknown fault of a protocol.
 *
 * ```
 * npx tsx test/bugs/alarms.ts [SCHEDULES [SEED [STRATEGY,...]]]     default 50 schedules of each stage and strategy
 * ```
 *
 * The stages are those of the mutants and of the seeded bugs, with their faults, and the small instance of each scenario: once
 * without faults, once with `--faults any`.
 */
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { SCENARIOS } from '../../scenarios/lab/scenarios.ts'
import { STAGES } from '../mutants/stages.ts'
import { BUGS } from './bugs.ts'
import { stageOf } from './hunt.ts'

const [schedules = '50', seed = '1', named = 'portfolio,guided,pos,random,pct:3,delay:2,fifo'] = process.argv.slice(2)

const ofMutants = Object.values(STAGES).flatMap((stages) =>
  stages.flatMap((stage) => {
    if ('plans' in stage) return []
    return [{ ...stage, allowed: (stage.faults ?? []).map((text) => parseAllowed(text, 'a stage')) }]
  }),
)
/** Each stage of the mutants and of the bugs once. */
const ofTests = new Map(
  [...ofMutants, ...BUGS].map((stage) => {
    const { scenario, args, allowed } = stage
    return [JSON.stringify([scenario, args, allowed]), { scenario, args, allowed, specification: stageOf(stage) }]
  }),
)
const ofInstances = Object.entries(SCENARIOS).flatMap(([scenario, { small, prepared, specification }]) => {
  const given = small(new Map())
  return [
    { scenario, args: '(small)', allowed: [], specification: specification(given) },
    {
      scenario,
      args: '(small) --faults any',
      allowed: [parseAllowed('any', 'a stage')],
      specification: specification(prepared(given)),
    },
  ]
})
const stages = [...ofTests.values(), ...ofInstances]

let runs = 0
let failed = 0
for (const { specification, ...stage } of stages) {
  const baseline = await baselineOf(specification)
  for (const name of named.split(',')) {
    const search = { specification, strategy: strategyOf(name, 'STRATEGY'), seed: Number(seed), allowed: stage.allowed }
    const found = await explore({ ...search, from: 0, until: Number(schedules) }, baseline)
    runs += found.schedules
    for (const { run, violations } of found.failures) {
      failed++
      const [{ property, text } = { property: '', text: '' }] = violations
      console.log(`${stage.scenario} ${stage.args}, ${name}, run ${run}: ${property}: ${text}`)
    }
  }
}
console.log(`${stages.length} stages, ${runs} schedules, ${failed} failed`)
if (failed > 0) process.exitCode = 1
