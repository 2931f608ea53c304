/**
 * `npm run validate [-- pattern]`: how often 90 % intervals cover the true mean, over 200 seeds of systems whose mean is
 * known, by each method. It fails if a method of fixed length covers less or more often than chance allows. Law and
 * Carson's procedure stops when the data look good, covers less than stated, and is compared with its known coverage.
 */
import { mean } from 'simple-statistics'
import { progressOn } from '../lib/cli/progress.ts'
import { numbersIn } from '../lib/core/decode.ts'
import { type ResultTable, textOf, type Value } from '../lib/core/table.ts'
import { sweep } from '../lib/experiment/sweep.ts'
import { FORMS, type Form } from './validation/forms.ts'
import { CONFIDENCE, covers, METHODS, type Method } from './validation/study.ts'

const SEEDS = 200

/** The allowed range: three standard errors around the stated coverage. For Law and Carson's procedure, 0.842 to 0.855 were measured. */
const claimed: { readonly [M in Method]: readonly [least: number, most: number] } = {
  'batch means': [CONFIDENCE, CONFIDENCE],
  'Law and Carson': [0.842, CONFIDENCE],
  replications: [CONFIDENCE, CONFIDENCE],
}

const boundsOf = (method: Method): readonly [number, number] => {
  const [least, most] = claimed[method]
  const error = (p: number): number => 3 * Math.sqrt(SEEDS * p * (1 - p))
  return [Math.ceil(SEEDS * least - error(least)), Math.floor(SEEDS * most + error(most))]
}

const { progress, note } = progressOn(
  { write: (text) => process.stderr.write(text), isTerminal: process.stderr.isTTY },
  false,
)
const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort(new Error('interrupted')))

const wanted = new RegExp(process.argv[2] ?? '')
const forms = FORMS.filter(({ name }) => wanted.test(name))
const started = performance.now()
let isWell = forms.length > 0

async function rowsOf({ name, measured, truth }: Form): Promise<Value[][]> {
  const points = Array.from({ length: SEEDS }, (_, seed) => ({ form: name, seed }))
  const module = new URL('./validation/study.ts', import.meta.url)
  const results = await sweep({ module, export: 'intervals', points, onDone: progress, signal: interrupt.signal })
  return METHODS.map((method) => {
    const all = results.map((result) => numbersIn(result, method))
    const covered = all.filter((interval) => covers(interval, truth)).length
    const [least, most] = boundsOf(method)
    const ok = covered >= least && covered <= most
    isWell &&= ok
    const average = (value: (numbers: readonly number[]) => number): number => mean(all.map(value))
    return [
      ...[name, measured, truth, method, covered, `${least} to ${most}${ok ? '' : ': FAILED'}`],
      average(([center = 0]) => center),
      100 * average(([center = 0, half = 0]) => half / center),
      average(([, , count = 0]) => count),
      all.filter(([, , , reached]) => reached === 0).length,
    ]
  })
}

const rows: Value[][] = []
for (const form of forms) {
  rows.push(...(await rowsOf(form)))
  note(`${form.name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
const results: ResultTable = {
  title: `90 % intervals over ${SEEDS} seeds: how many cover the truth`,
  columns: [
    { name: 'form' },
    { name: 'measured', align: 'left' },
    { name: 'truth', digits: 4 },
    { name: 'method', align: 'left' },
    { name: 'covered' },
    { name: 'expected' },
    { name: 'mean', digits: 4 },
    { name: 'half-width', unit: '%', digits: 1 },
    { name: 'observations', digits: 0 },
    { name: 'not reached' },
  ],
  rows,
  notes: forms.map(
    ({ name, lengths: { long, cap, replications, each, drop } }) =>
      `${name}: batch means of ${long} observations (first 5 % dropped), Law and Carson of at most ${cap - drop}, ${replications} replications of ${each} (first ${drop} dropped)`,
  ),
}
console.log(textOf(results))
process.exitCode = isWell ? 0 : 1
