/** The trial of one mutant: searches and tests, the fastest first, until something finds it. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, type Plain } from '../../lib/core/data.ts'
import { Copy } from '../copies.ts'
import { applied, type Mutant } from './mutant.ts'
import { mutantsOf } from './operators.ts'
import { Search } from './search.ts'
import { STAGES } from './stages.ts'
import { firstFailure, type Mutated, TESTS } from './tests.ts'
import { Watchdog } from './watchdog.ts'

/** What a trial is about. The digest stands for everything that its outcome depends on. */
export type Trial = {
  readonly mutant: string
  readonly family: string
  readonly digest: string
  /** The CPU seconds of its search. */
  readonly seconds: number
  /** Whether the slow tests are run as well. */
  readonly slow: boolean
}

export type Verdict = {
  /** What found the mutant; null: nothing did. */
  readonly by: 'search' | 'tests' | null
  /** The broken promise or the title of the failed test. */
  readonly what: string
  /** The runs of the search. */
  readonly runs: number
}

export const isVerdict = (value: unknown): value is Verdict =>
  isObject(value) && 'by' in value && typeof value['what'] === 'string' && typeof value['runs'] === 'number'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The CPU seconds of the search before the first tests: most mutants are found by then. */
const FIRST = 5

const read = (file: string): string => readFileSync(join(root, 'actors', file), 'utf8')

export function mutantNamed(name: string): { readonly mutant: Mutant; readonly source: string } {
  const [file = ''] = name.split(' :: ')
  const source = read(file)
  const mutant = mutantsOf(file, source).find((one) => one.name === name)
  if (!mutant) throw new Error(`there is no mutant ${name}`)
  return { mutant, source }
}

/** The test files that found mutants of each source file, the last one first: others of that file often fail there, too. */
const finders = new Map<string, readonly string[]>()

const isTrial = (value: Plain): value is Trial =>
  isObject(value) && typeof value['mutant'] === 'string' && typeof value['family'] === 'string'

/** Tries a mutant. The points of a sweep are trials. */
export async function tryMutant(point: Plain): Promise<Verdict> {
  if (!isTrial(point)) throw new Error('a trial has the name of a mutant and its family')
  const { family, seconds, slow } = point
  const { mutant, source } = mutantNamed(point.mutant)
  const mark = join(tmpdir(), `hung-${createHash('sha256').update(mutant.name).digest('hex').slice(0, 16)}`)
  // the watchdog ended the first process that tried it
  if (existsSync(mark)) {
    rmSync(mark)
    return { by: 'search', what: 'a step never ends', runs: 0 }
  }
  const [stages = [], tests] = [STAGES[family], TESTS[family]]
  const actors = new Copy(['actors'])
  const path = `actors/${mutant.file}`
  actors.write(path, applied(source, mutant))
  const files = { original: join(root, path), mutant: join(actors.folder, path) }
  const watchdog = new Watchdog(mark)
  try {
    const search = new Search(stages, actors.url('actors/'), () => watchdog.alive())
    const soon = await searched(search, Math.min(FIRST, seconds), watchdog)
    if (soon) return soon
    const quick = await failed(files, tests?.fast ?? [])
    if (quick) return quick
    const later = await searched(search, seconds - FIRST, watchdog)
    if (later) return later
    for (const file of slow ? (tests?.slow ?? []) : []) {
      const late = await failed(files, [file])
      if (late) return late
    }
    return { by: null, what: '', runs: search.runs }
  } finally {
    watchdog.rest()
    actors.remove()
  }
}

async function searched(search: Search, seconds: number, watchdog: Watchdog): Promise<Verdict | undefined> {
  const { what, runs } = await search.go(seconds)
  watchdog.rest()
  return what === null ? undefined : { by: 'search', what, runs }
}

async function failed(files: Mutated, tests: readonly string[]): Promise<Verdict | undefined> {
  if (tests.length === 0) return undefined
  const before = finders.get(files.original) ?? []
  const ordered = [...before.filter((file) => tests.includes(file)), ...tests.filter((file) => !before.includes(file))]
  const failure = await firstFailure(files, ordered)
  if (failure === null) return undefined
  finders.set(files.original, [failure.file, ...before.filter((file) => file !== failure.file)])
  return { by: 'tests', what: failure.what, runs: 0 }
}
