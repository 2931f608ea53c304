/** Mutants of the protocols, and what finds them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Invocation, is, named, none, type Outcome, signalOf, UsageError } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { keyed } from '../../lib/core/random.ts'
import { plainOf, type ResultTable, textOf } from '../../lib/core/table.ts'
import { Checkpoint, keyOf, type Origin } from '../../lib/experiment/checkpoint.ts'
import { poolFor, type SweepOptions } from '../../scenarios/sweeping.ts'
import { Compiler } from './compiles.ts'
import { EQUIVALENTS } from './equivalents.ts'
import { changeOf, type Mutant } from './mutant.ts'
import { mutantsOf } from './operators.ts'
import './registered.ts'
import { wilson } from '../../lib/core/share.ts'
import { STAGES } from './stages.ts'
import { isVerdict, mutantNamed, type Trial, type Verdict } from './trial.ts'

export interface Options extends SweepOptions {
  readonly only?: string | undefined
  readonly sample?: number | undefined
  readonly seed: number
  readonly seconds: number
  readonly slow: boolean
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The families, by their folders in `actors`; the processor is a part of several. */
export const FAMILIES: readonly string[] = Object.keys(STAGES)

/** Files without decisions: drawings for reports. */
const isDecisive = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('timeline.ts')

/** All mutants of a family, in the order of its files. */
export function mutantsIn(family: string): Mutant[] {
  const folder = join(root, 'actors', family)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(isDecisive)
    .sort()
    .flatMap((file) => mutantsOf(`${family}/${file}`, readFileSync(join(folder, file), 'utf8')))
}

// --- what was found before ----------------------------------------------------------------------------------------------

const STUDY = 'mutants of protocols'

/** The digest of all that a mutant meets: protocols, scenarios, tests. A mutant that was found stays found. */
function digestOf(family: string): string {
  const digest = createHash('sha256')
  for (const folder of ['actors', 'scenarios', 'test'].map((one) => join(root, one, family))) {
    let files: string[]
    try {
      files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    } catch {
      continue
    }
    for (const file of files.sort()) digest.update(file).update(readFileSync(join(folder, file)))
  }
  return digest.digest('hex').slice(0, 16)
}

/**
 * The verdicts of earlier runs, and which mutants compile. Verdicts on mutants that nothing found hold for the same protocols
 * and tests only.
 */
class Kept {
  readonly #file: Checkpoint | undefined
  #compiler: Compiler | undefined

  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : new Checkpoint(path)
  }

  get(trial: Trial): Verdict | undefined {
    for (const origin of [foundOrigin(trial.mutant), unfoundOrigin(trial)]) {
      const verdict = this.#file?.get(keyOf(origin))
      if (isVerdict(verdict)) return verdict
    }
    return undefined
  }

  /** Whether a mutant compiles. The compiler starts if this was not kept, and knows the files of all families. */
  compiles(mutant: Mutant, digest: string): boolean {
    const origin: Origin = { study: 'mutants that compile', point: mutant.name, version: digest }
    const known = this.#file?.get(keyOf(origin))
    if (typeof known === 'boolean') return known
    this.#compiler ??= new Compiler([...new Set(FAMILIES.flatMap(mutantsIn).map(({ file }) => file))])
    const isAccepted = this.#compiler.accepts(mutant)
    this.#file?.add(keyOf(origin), origin, isAccepted)
    return isAccepted
  }

  add(trial: Trial, verdict: Verdict): void {
    const origin = verdict.by === null ? unfoundOrigin(trial) : foundOrigin(trial.mutant)
    this.#file?.add(keyOf(origin), origin, verdict)
  }
}

const foundOrigin = (mutant: string): Origin => ({ study: STUDY, point: mutant, version: 'found' })
const unfoundOrigin = (trial: Trial): Origin => ({ study: STUDY, point: trial, version: trial.digest })

// --- the command --------------------------------------------------------------------------------------------------------

interface Drawn {
  readonly family: string
  readonly all: number
  /** Those that do not compile, of the mutants that were drawn. */
  readonly refused: number
  /** Those that are known to change nothing, of the mutants that were drawn. */
  readonly equivalent: number
  readonly trials: readonly Trial[]
}

/** Draws mutants that compile and are not known to change nothing. A larger sample of a seed contains the smaller ones. */
function drawn(family: string, kept: Kept, options: Options): Drawn {
  const { only = '', sample = Number.POSITIVE_INFINITY, seed, seconds, slow } = options
  const all = mutantsIn(family).filter(({ name }) => name.includes(only))
  const order = (name: string) => keyed(seed, 'sample of mutants', name)
  const inOrder = Number.isFinite(sample) ? all.toSorted((one, other) => order(one.name) - order(other.name)) : all
  const digest = digestOf(family)
  const trials: Trial[] = []
  let refused = 0
  let equivalent = 0
  for (const mutant of inOrder) {
    if (trials.length >= sample) break
    if (EQUIVALENTS.has(mutant.name)) equivalent++
    else if (kept.compiles(mutant, digest)) trials.push({ mutant: mutant.name, family, digest, seconds, slow })
    else refused++
  }
  return { family, all: all.length, refused, equivalent, trials }
}

/** The first of each list, then the second of each: an interrupted run has tried as many mutants of each family. */
const inTurn = <T>(lists: readonly (readonly T[])[]): T[] =>
  lists
    .flatMap((list) => list.map((one, i) => [i, one] as const))
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one)

const GOAL = 0.95
const percent = (share: number): string => (100 * share).toFixed(1)

export async function protocols(families: readonly string[], invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note, progress } = invocation
  const unknown = families.find((family) => !FAMILIES.includes(family))
  if (unknown !== undefined) throw UsageError.unknown('family', unknown, FAMILIES)
  const kept = new Kept(options.keep)
  const draws = (families.length > 0 ? families : FAMILIES).map((family) => drawn(family, kept, options))
  const verdicts = new Map<string, Verdict>()
  const toTry: Trial[] = []
  for (const trial of inTurn(draws.map(({ trials }) => trials))) {
    const verdict = kept.get(trial)
    if (verdict) verdicts.set(trial.mutant, verdict)
    else toTry.push(trial)
  }
  const failures: string[] = []
  const pool = await poolFor(invocation)
  await pool.run({
    study: { module: new URL('./trial.ts', import.meta.url).href, export: 'tryMutant' },
    points: toTry,
    signal: signalOf(invocation),
    onEnding: (index, ending) => {
      const trial = toTry[index]
      if (!trial) return
      if ('result' in ending && isVerdict(ending.result)) {
        verdicts.set(trial.mutant, ending.result)
        kept.add(trial, ending.result)
        const { by, what } = ending.result
        note(`${by === null ? 'NOT FOUND' : by}  ${trial.mutant}${what === '' ? '' : ` => ${what}`}`)
      } else failures.push(`${trial.mutant}: ${'message' in ending ? ending.message : 'no verdict'}`)
      progress(verdicts.size, verdicts.size + toTry.length, `${index + 1} of ${toTry.length} mutants`)
    },
  })
  const rows = draws.map(({ trials, ...draw }) => {
    const tried = trials.flatMap(({ mutant }) => verdicts.get(mutant) ?? [])
    const by = (who: Verdict['by']) => tried.filter((verdict) => verdict.by === who).length
    return { ...draw, tried: tried.length, search: by('search'), tests: by('tests'), survivors: by(null) }
  })
  const table: ResultTable = {
    title: 'Mutants of the protocols',
    columns: [
      'family',
      'mutants',
      'refused',
      'equivalent',
      'tried',
      'by search',
      'by tests',
      'not found',
      'score',
      'interval',
    ].map((name) => ({ name })),
    rows: rows.map(({ family, all, refused, equivalent, tried, search, tests, survivors }) => {
      const [low, high] = wilson(search + tests, tried)
      const score = tried === 0 ? '-' : percent((search + tests) / tried)
      return [
        family,
        all,
        refused,
        equivalent,
        tried,
        search,
        tests,
        survivors,
        score,
        `${percent(low)} to ${percent(high)}`,
      ]
    }),
    notes: [
      'Of those that were drawn: refused by the compiler; equivalent, which change nothing. score: found of tried, in percent, with an interval of 95 %.',
      `Each mutant: a search of ${options.seconds} CPU seconds and the fast tests${options.slow ? ', then the slow tests' : ''}.`,
    ],
  }
  const survivors = draws.flatMap(({ trials }) => trials).filter(({ mutant }) => verdicts.get(mutant)?.by === null)
  return {
    results: { table: plainOf(table), survivors: survivors.map(({ mutant }): Plain => mutant) },
    checks: [
      ...rows.map(({ family, tried, survivors: left }) =>
        named(family)(is(`at least ${100 * GOAL} % are found`, left <= (1 - GOAL) * tried, true)),
      ),
      none('trials that did not end', failures),
    ],
    messages: 0,
    text: [textOf(table), ...survivors.map(({ mutant }) => survivorText(mutant))].join('\n'),
  }
}

function survivorText(name: string): string {
  const { mutant, source } = mutantNamed(name)
  return `${name}\n${changeOf(source, mutant).replaceAll(/^/gm, '  ')}\n`
}
