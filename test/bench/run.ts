/** Prints one table: the costs of the runtime and of its alternatives, with the target of each ratio. */
import { parseArgs } from 'node:util'
import { textOf } from '../../lib/core/table.ts'
import { patternOf, runTool } from '../tool.ts'
import { engine } from './engine.ts'
import { engines } from './engines.ts'
import { erlang } from './erlang.ts'
import { exploring } from './exploring.ts'
import { FAMILY_MEASURES } from './families.ts'
import { hosts } from './hosts.ts'
import { kill } from './kill.ts'
import { log } from './log.ts'
import { digits, isMet, type Measure, type Row, type Settings } from './measure.ts'
import { messages } from './messages.ts'
import { Noise } from './noise.ts'
import { pool } from './pool.ts'
import { recording } from './recording.ts'
import { replications } from './replications.ts'
import { report } from './report.ts'
import { roundTrip } from './round-trip.ts'
import { lockStep } from './rounds.ts'
import { simulations } from './simulations.ts'
import { spawn } from './spawn.ts'

const MEASURES: readonly Measure[] = [
  ...spawn,
  ...messages,
  ...roundTrip,
  ...lockStep,
  ...pool,
  ...Object.values(FAMILY_MEASURES).flatMap(({ measures }) => measures),
  ...recording,
  ...report,
  ...exploring,
  ...log,
  ...engine,
  ...engines,
  ...kill,
  ...simulations,
  ...erlang,
  ...hosts,
  ...replications,
]

const HELP = `npm run bench -- [--only PATTERN] [--quick]
  --only PATTERN  only the measures whose name matches (a regular expression); the word alone will do: npm run bench -- peers
  --quick         less work and fewer repeats: shows that the measures run, not how fast they are
Measures: ${MEASURES.map(({ name }) => name).join('; ')}`

function shown({ name, ours, other, ratio, target }: Row, quick: boolean): string[] {
  const bound = target === undefined ? '' : 'most' in target ? `<= ${target.most}` : `>= ${target.least}`
  // Cold code says nothing about a target.
  const verdict = target === undefined || ratio === undefined || quick ? '' : isMet(ratio, target) ? 'met' : 'missed'
  return [name, ours, other, ratio === undefined ? '' : digits(ratio), bound, verdict]
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) return console.log(HELP)
  const quick = values.quick ?? false
  const settings: Settings = { quick, repeats: quick ? 2 : 5 }
  const pattern = patternOf('--only', values.only ?? positionals.join('|'), 'i')
  const rows: Row[] = []
  const noise = new Noise()
  const began = performance.now()
  for (const { name, run } of MEASURES.filter((measure) => pattern.test(measure.name))) {
    const start = performance.now()
    process.stderr.write(`${name} ...`)
    await noise.probe()
    try {
      rows.push(...(await run(settings)))
    } catch (error) {
      process.exitCode = 1
      rows.push({
        name,
        ours: `failed: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`,
        other: '',
      })
    }
    process.stderr.write(` ${digits((performance.now() - start) / 1000)} s\n`)
  }
  console.log(
    textOf({
      columns: ['what', 'ours', 'other', 'ratio', 'target', 'verdict'].map((name) => ({ name })),
      rows: rows.map((row) => shown(row, quick)),
    }).trimEnd(),
  )
  console.log(`Node ${process.version}, ${digits((performance.now() - began) / 1000)} s`)
  if (rows.length > 0) console.log(noise.said)
}

await runTool(main)
