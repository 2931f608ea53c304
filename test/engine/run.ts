/**
 * `npm run differential`: both engines on 100,000 histories of each machine of the project, and on 20,000 machines drawn at
 * random. The first difference ends it with exit code 1. Run it when xstate is upgraded.
 */
import { parseArgs } from 'node:util'
import { isObject } from '../../lib/core/data.ts'
import { textOf } from '../../lib/core/table.ts'
import { Checkpoint, keyOf } from '../../lib/experiment/checkpoint.ts'
import { patternOf, runTool, wholeOf } from '../tool.ts'
import type { Tally } from './compare.ts'
import { compareOwn, compareRandom } from './rounds.ts'
import { sourcesDigest } from './sources.ts'
import { species } from './specimens.ts'

const HELP = `npm run differential -- [--sequences N] [--machines N] [--seed N] [--only PATTERN] [--keep FILE]
  --sequences N   the number of histories of each machine of the project (default 100000)
  --machines N    the number of random machines (default 20000)
  --seed N        the seed of the histories, and the number of the first random machine (default 1)
  --only PATTERN  only the modules whose name matches (a regular expression); 'random' for random machines
  --keep FILE     write results there, and do not repeat them: an interrupted run continues from the file, until
                  xstate, an engine or a machine changes`

const COLUMNS = ['sequences', 'events', 'taken', 'effects', 'unhandled', 'failed'] as const

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sequences: { type: 'string', default: '100000' },
      machines: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      keep: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(HELP)
  const seed = wholeOf('--seed', values.seed, 0)
  const sequences = wholeOf('--sequences', values.sequences, 0)
  const machines = wholeOf('--machines', values.machines, 0)
  const only = patternOf('--only', values.only)
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
  const heads = ['machine', 'sequences', 'events', 'changed', 'effects', 'unhandled', 'failed', 'differences']
  console.log(textOf({ columns: heads.map((name) => ({ name })), rows }).trimEnd())
  console.log(version)
}

await runTool(main)
