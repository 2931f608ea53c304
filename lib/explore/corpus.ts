/**
 * A corpus: a folder of failing runs, one in each file. Each can be run again, to see whether it still breaks its promise.
 * A file is data: it names flags of a scenario that the reader has, and no code.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DeviationScheduler, isDeviations } from '../actor/schedule.ts'
import { isObject } from '../core/data.ts'
import { attempt, makeFolder, writeResult } from '../core/result-file.ts'
import { UsageError } from '../core/usage-error.ts'
import { flagName, type Given } from '../scenario/flags.ts'
import type { Violation } from '../scenario/oracle.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { bounded } from '../scenario/specification.ts'
import { execute } from './execution.ts'

/** A failing run in a file. */
export interface KeptRun {
  /** The name of its scenario. */
  readonly scenario: string
  readonly property: string
  readonly text: string
  /** The scenario's flags by key, each with its given texts. */
  readonly flags: Readonly<Record<string, readonly string[]>>
  readonly schedule: string
  /** The limit of steps without progress; see `RunLimits`. */
  readonly livelock: number
}

/** What became of a kept run when it was run again. */
export interface Replayed {
  readonly file: string
  /** Undefined for a file that is no kept run. */
  readonly kept: KeptRun | undefined
  /** Why it could not be run: the file is no kept run, the scenario refuses its flags, or its schedule was made for other settings. */
  readonly refusal?: string
  /** All that it breaks. */
  readonly violations: readonly Violation[]
}

const VERSION = 1
const FILES_MAX = 10_000
const BYTES_MAX = 4_000_000

/** Writes a failing run into a folder, which is made if it does not exist, and returns its file. `where` is a flag or an option. */
export function keep(folder: string, run: KeptRun, where: string): string {
  const text = `${JSON.stringify({ bourse: 'failing run', version: VERSION, ...run }, null, 2)}\n`
  const { scenario, property, flags, schedule } = run
  const digest = createHash('sha256')
    .update(JSON.stringify([scenario, property, flags, schedule]))
    .digest('hex')
  makeFolder(folder, where)
  const file = join(folder, `${scenario.replace(/\W+/g, '-')}-${digest.slice(0, 12)}.json`)
  writeResult(file, text, where)
  return file
}

/**
 * Runs each kept run of a scenario again; those of other scenarios are left out. A file that is no kept run is refused, and the
 * others are run. A folder that does not exist has none.
 *
 * @throws UsageError for a folder that cannot be read or has too many files
 */
export async function replayKept(scenario: Scenario, folder: string, where: string): Promise<readonly Replayed[]> {
  if (!existsSync(folder)) return []
  const names = attempt(() => readdirSync(folder), `${where} ${folder}`, 'read')
  const files = names.filter((name) => name.endsWith('.json')).sort()
  if (files.length > FILES_MAX) throw UsageError.tooMany(`${where} ${folder}`, `${FILES_MAX} files`, `${files.length}`)
  const replayed: Replayed[] = []
  for (const name of files) {
    const file = join(folder, name)
    const kept = keptOrReason(file, where)
    if (typeof kept === 'string') replayed.push({ file, kept: undefined, refusal: kept, violations: [] })
    else if (kept.scenario === scenario.name) replayed.push({ file, kept, ...(await again(scenario, kept, file)) })
  }
  return replayed
}

async function again(
  scenario: Scenario,
  { flags, schedule, livelock }: KeptRun,
  file: string,
): Promise<Pick<Replayed, 'refusal' | 'violations'>> {
  const given: Given = new Map([...Object.entries(flags), ['schedule', [schedule]]])
  try {
    requireFlags(scenario, Object.keys(flags))
    const specification = bounded(scenario.specification(given), { livelock })
    const deviations = specification.options.schedule
    if (!isDeviations(deviations)) throw UsageError.invalid(`schedule of ${file}`, 'a printed one (b1:...)')
    const { violations } = await execute(specification, new DeviationScheduler(deviations))
    return { violations }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { refusal: error.message, violations: [] }
  }
}

/** @throws UsageError for a flag that the scenario does not have */
function requireFlags({ flags, name }: Scenario, keys: readonly string[]): void {
  const known = Object.keys(flags)
  const other = keys.find((key) => !known.includes(key))
  if (other !== undefined)
    throw UsageError.unknown('flag', flagName(other), known.map(flagName), { where: `a kept run of ${name}` })
}

/** The kept run of a file, or the reason why it has none. */
function keptOrReason(file: string, where: string): KeptRun | string {
  try {
    return readKept(file, where)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.message
  }
}

/** @throws UsageError for a file that is no kept run */
function readKept(file: string, where: string): KeptRun {
  const text = attempt(
    () => (statSync(file).size > BYTES_MAX ? undefined : readFileSync(file, 'utf8')),
    `${where} ${file}`,
    'read',
  )
  if (text === undefined) throw UsageError.tooMany(`${where} ${file}`, `${BYTES_MAX} bytes`)
  const kept = parsed(text)
  if (!isKept(kept)) {
    throw UsageError.invalid(`${where} ${file}`, `a failing run of version ${VERSION}`, undefined, 'remove or mend it')
  }
  return kept
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

const isKept = (value: unknown): value is KeptRun =>
  isObject(value) &&
  value['version'] === VERSION &&
  ['scenario', 'property', 'text', 'schedule'].every((key) => typeof value[key] === 'string') &&
  Number.isInteger(value['livelock']) &&
  Number(value['livelock']) > 0 &&
  isObject(value['flags']) &&
  Object.values(value['flags']).every(isTexts)
