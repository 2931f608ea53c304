/**
 * Searches the protocols as they are: a failing run is a false alarm, or an unknown fault of a protocol.
 *
 * ```
 * npx tsx test/bugs/alarms.ts [SCHEDULES [SEED [STRATEGY,...]]]     default 50 schedules of each stage and strategy
 * ```
 *
 * The stages are those of the mutants and of the seeded bugs, with their faults.
 */
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
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
const all = [...ofMutants, ...BUGS]
/** Each stage once. */
const stages = [
  ...new Map(
    all.map((stage) => [JSON.stringify([stage.scenario, stage.args, stage.allowed]), stage] as const),
  ).values(),
]

let runs = 0
let failed = 0
for (const stage of stages) {
  const specification = stageOf(stage)
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
