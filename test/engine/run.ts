/**
 * `npm run differential`: both engines on 100,000 histories of each of our machines, and on 20,000 machines drawn at
 * random; exit 1 at the first difference of any. Run it when xstate is upgraded.
 */
import { parseArgs } from 'node:util'
import { isObject } from '../../lib/core/data.ts'
import { table } from '../../lib/core/table.ts'
import { Checkpoint, keyOf } from '../../lib/experiment/checkpoint.ts'
import type { Tally } from './compare.ts'
import { compareOwn, compareRandom } from './rounds.ts'
import { sourcesDigest } from './sources.ts'
import { species } from './specimens.ts'

const HELP = `npm run differential -- [--sequences N] [--machines N] [--seed N] [--only PATTERN] [--keep FILE]
  --sequences N   histories of each of our own machines (default 100000)
  --machines N    machines drawn at random (default 20000)
  --seed N        of the histories, and number of the first machine (default 1)
  --only PATTERN  only the modules whose name matches (a regular expression); 'random' for the drawn ones
  --keep FILE     write what is done there, and do not do it again: a run that was ended goes on where it was, until
                  xstate, an engine or a machine changes`

const number = (text: string | undefined, fallback: number): number => (text === undefined ? fallback : Number(text))

const { values } = parseArgs({
  options: {
    sequences: { type: 'string' },
    machines: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'string' },
    help: { type: 'boolean' },
  },
})

const COLUMNS = ['sequences', 'events', 'taken', 'effects', 'unhandled', 'failed'] as const

async function main(): Promise<void> {
  if (values.help) return console.log(HELP)
  const seed = number(values.seed, 1)
  const sequences = number(values.sequences, 100_000)
  const machines = number(values.machines, 20_000)
  const only = new RegExp(values.only ?? '')
  const keep = values.keep === undefined ? undefined : new Checkpoint(values.keep)
  const version = sourcesDigest()
  const rows: string[][] = []
  const compare = (name: string, count: number, run: () => Tally): void => {
    if (!only.test(name)) return
    const origin = { study: 'differential', point: { name, count, seed }, version }
    const key = keyOf(origin)
    const kept = keep?.get(key)
    process.stderr.write(`${name} ...`)
    const start = performance.now()
    try {
      const found = isObject(kept) ? kept : { ...run() }
      if (!kept) keep?.add(key, origin, found)
      rows.push([name, ...COLUMNS.map((column) => String(found[column])), 'none'])
    } catch (error) {
      process.exitCode = 1
      rows.push([name, ...COLUMNS.map(() => ''), error instanceof Error ? error.message : String(error)])
    }
    const took = kept ? 'kept' : `${((performance.now() - start) / 1000).toFixed(0)} s`
    process.stderr.write(` ${took}: ${rows.at(-1)?.at(-1)}\n`)
  }
  const own = await species(true)
  for (const one of own) compare(one.module, sequences, () => compareOwn(one, sequences, seed))
  compare('random machines', machines, () => compareRandom(seed, machines))
  console.log(
    table(['machine', 'sequences', 'events', 'changed', 'effects', 'unhandled', 'failed', 'differences'], rows),
  )
  console.log(version)
}

await main()
