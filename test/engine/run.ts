/**
 * \`npm run differential\`: both engines on 100,000 histories of each of our machines, and on 20,000 machines drawn at
 * random; exit 1 at the first difference of any. Run it when xstate is upgraded.
 */
import { parseArgs } from 'node:util'
import { table } from '../../lib/table.ts'
import type { Tally } from './compare.ts'
import { compareOwn, compareRandom } from './rounds.ts'
import { species } from './specimens.ts'

const HELP = `npm run differential -- [--sequences N] [--machines N] [--seed N] [--only PATTERN]
  --sequences N   histories of each of our own machines (default 100000)
  --machines N    machines drawn at random (default 20000)
  --seed N        of the histories, and number of the first machine (default 1)
  --only PATTERN  only the modules whose name matches (a regular expression); 'random' for the drawn ones`

const number = (text: string | undefined, fallback: number): number => (text === undefined ? fallback : Number(text))

const { values } = parseArgs({
  options: {
    sequences: { type: 'string' },
    machines: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
})

async function main(): Promise<void> {
  if (values.help) return console.log(HELP)
  const seed = number(values.seed, 1)
  const only = new RegExp(values.only ?? '')
  const own = await species(true)
  const rows: string[][] = []
  const compare = (name: string, run: () => Tally): void => {
    if (!only.test(name)) return
    process.stderr.write(`${name} ...`)
    const start = performance.now()
    const show = ({ sequences, events, taken, effects, unhandled, failed }: Tally) => [
      ...[name, sequences, events, taken, effects, unhandled, failed].map(String),
      'none',
    ]
    try {
      rows.push(show(run()))
    } catch (error) {
      process.exitCode = 1
      rows.push([name, '', '', '', '', '', '', error instanceof Error ? error.message : String(error)])
    }
    process.stderr.write(` ${((performance.now() - start) / 1000).toFixed(0)} s: ${rows.at(-1)?.at(-1)}\n`)
  }
  for (const one of own) compare(one.module, () => compareOwn(one, number(values.sequences, 100_000), seed))
  compare('random machines', () => compareRandom(seed, number(values.machines, 20_000)))
  console.log(
    table(['machine', 'sequences', 'events', 'changed', 'effects', 'unhandled', 'failed', 'differences'], rows),
  )
}

await main()
