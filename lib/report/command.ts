/** Makes the report of a command from its flags and its outcome. */

import { machineOf } from '../core/address.ts'
import { isObject, type Plain } from '../core/data.ts'
import { type Check, expectedText, shownValue } from '../scenario/checks.ts'
import type { ShownAs } from '../scenario/command.ts'
import type { Picture } from '../scenario/page.ts'
import type { System } from '../system/system.ts'
import { type ComparedRuns, type Exhibits, isSeen, shownChart, shownTable } from './exhibits.ts'
import { intoRun, linked, type Names } from './links.ts'
import { shownLoad } from './load.ts'
import { LIMITS, type Recorded, readRuns } from './model.ts'
import { shownPictures } from './pictures.ts'
import { besideCalm, runsTable, tilesOf } from './tiles.ts'
import type { Front, Report, RunStory, ShownCheck, ShownRun } from './types.ts'

/** A system that ran, and how a page shows it. */
export type ShownSystem = ShownAs & { readonly system: System }

/** A command with its outcome, as a report shows it. */
export interface CommandOutcome
  extends Pick<Front, 'scenario' | 'summary' | 'command' | 'version' | 'options' | 'text'> {
  readonly checks: readonly Check[]
  readonly exhibits: Exhibits
  /** The systems that ran; some of them recorded their run. */
  readonly systems: readonly ShownSystem[]
}

/** The most runs of a page; they share its room. */
export const RUNS_MAX = 6

/**
 * The report of a command: its answer, checks, tables and charts, and the runs that it recorded.
 *
 * @throws UsageError for a run that cannot be read
 */
export async function reportOf({ checks, exhibits, systems, ...head }: CommandOutcome): Promise<Report> {
  const {
    tables = [],
    charts = [],
    runs = [],
    pairs = [],
    withoutFaults = [],
    claims = [],
    lead = [],
    values,
    text,
  } = exhibits
  const all = [...recordedOf(systems), ...runs]
  const read = await readRuns(all.slice(0, RUNS_MAX), LIMITS)
  const shown = read.map(({ run }) => run)
  const names = namesIn(shown)
  const runNames = shown.map(({ name }) => name)
  const [only] = shown.length === 1 ? shown : []
  // runs of different failures are not compared
  const isCompared = pairs.every((pair) => pair.runs[0] === pairs[0]?.runs[0])
  const beside = isCompared ? runsTable(shown) : undefined
  // the pictures of a family answer the question of its runs, and not that of a command with an answer of its own
  const own = new Set(all.flatMap(({ pictures = [] }) => pictures.map(({ title }) => title)))
  const isOwn = ({ title }: Picture): boolean => !exhibits.story || own.has(title)
  const pictures = shownPictures(
    read.map((one) => ({ ...one.pictures, pictures: one.pictures.pictures.filter(isOwn) })),
  )
  const load = exhibits.story ? undefined : shownLoad(read, pictures.length === 0)
  return {
    ...head,
    ...(text !== undefined && { text }),
    claims,
    ...(values && { values }),
    story: [
      ...lead.map((sentence) => linked(sentence, names)),
      ...((exhibits.story ?? exhibits.comparison)?.map((sentence) => linked(sentence, names, runNames)) ??
        only?.story ??
        []),
    ],
    ...(pairs.length > 1
      ? { stories: pairs.map((pair) => pairStory(pair, names)), pairs: pairs.map(({ name, runs }) => ({ name, runs })) }
      : shown.length > 1 && (!exhibits.story || pairs.length > 0) && { stories: storiesOf(shown) }),
    ...(beside && { beside: shownTable(beside) }),
    tiles: besideCalm(exhibits.tiles ? tilesOf(exhibits.tiles) : (only?.tiles ?? []), withoutFaults),
    pictures,
    ...(load && { load }),
    checks: checks.map((check) => shownCheck(check, names)),
    tables: tables.map(shownTable),
    charts: charts.filter(isSeen).map(shownChart),
    runs: shown,
    omitted: Math.max(0, all.length - RUNS_MAX),
  }
}

/** The answers of several runs; those that have none are left out. */
const storiesOf = (runs: readonly ShownRun[]): RunStory[] =>
  runs.flatMap(({ name, story }, place) =>
    story.length === 0 ? [] : [{ name, story: story.map((sentence) => intoRun(sentence, place)) }],
  )

/** What is told of compared runs. Its links lead into the one that it is about. */
const pairStory = ({ name, story, repeat, about }: ComparedRuns, names: Names): RunStory => ({
  name,
  story: story.map((sentence) => intoRun(linked(sentence, names), about)),
  ...(repeat !== undefined && { repeat }),
})

const shownCheck = (
  { name, ok, measured, expected, tolerance, evidence = [], repeat = '' }: Check,
  names: Names,
): ShownCheck => ({
  name,
  repeat,
  ok,
  measured: linked(shownValue(measured), names),
  expected: expectedText({ expected, tolerance }),
  evidence: evidence.map((sentence) => linked(sentence, names)),
})

/** The names that the runs of a page know. */
function namesIn(runs: readonly ShownRun[]): Names {
  const actors = new Set(runs.flatMap(({ lanes }) => lanes.slice(1).map(({ name }) => name)))
  const objects = runs.flatMap((run) => run.objects.flatMap(({ name, rows }) => rows.map(([id]) => `${name} ${id}`)))
  return { actors, machines: new Set([...actors].map(machineOf)), objects: new Set(objects) }
}

function recordedOf(systems: readonly ShownSystem[]): Recorded[] {
  const recording = systems.filter(({ system }) => system.options.record)
  const names = namesOf(recording.map(({ system }) => system.options.about))
  return recording.map(({ system, name, page }, i) => ({
    name: name ?? names[i] ?? '',
    lines: system.recorded(),
    page,
  }))
}

/** Names that distinguish runs: the plain settings that differ, and a number where the settings are equal. */
export function namesOf(abouts: readonly Plain[]): string[] {
  if (abouts.length < 2) return abouts.map(() => '')
  const settings = abouts.map((about) => new Map(plainSettings(about)))
  const keys = [...(settings[0]?.keys() ?? [])].filter((key) => {
    const values = settings.map((own) => own.get(key))
    return values.every((one) => one !== undefined) && new Set(values).size > 1
  })
  const names = settings.map((own) => keys.map((key) => `${key} ${own.get(key)}`).join(', '))
  const isAlone = (name: string): boolean => name !== '' && names.indexOf(name) === names.lastIndexOf(name)
  return names.map((name, i) => (isAlone(name) ? name : [name, `run ${i + 1}`].filter(Boolean).join(', ')))
}

/** All plain settings, nested ones by their own names; without lists and null values. */
function plainSettings(about: Plain): [key: string, value: Plain][] {
  if (!isObject(about) || Array.isArray(about)) return []
  return Object.entries(about).flatMap(([key, value]): [string, Plain][] =>
    isObject(value) ? plainSettings(value) : value === null || value === undefined ? [] : [[key, value]],
  )
}
