/** Makes the report of a command from its flags and its outcome. */

import { isObject, type Plain } from '../core/data.ts'
import { type Check, expectedText, shownValue } from '../scenario/checks.ts'
import type { Timeline } from '../scenario/timeline.ts'
import type { System } from '../system/system.ts'
import { type Exhibits, isSeen, shownChart, shownTable } from './exhibits.ts'
import { LIMITS, type PageLimits, type Recorded, shownRun } from './model.ts'
import type { Report, ShownRun } from './types.ts'

/** A command with its outcome, as a report shows it. */
export interface CommandOutcome
  extends Pick<Report, 'scenario' | 'summary' | 'command' | 'version' | 'options' | 'text'> {
  readonly checks: readonly Check[]
  readonly exhibits: Exhibits
  /** The systems that ran; some of them recorded their run. */
  readonly systems: readonly System[]
  readonly timeline: (() => Timeline) | undefined
}

/** The most runs of a page; they share its room. */
export const RUNS_MAX = 6

/**
 * The report of a command: its checks, tables and charts, and the runs that it recorded.
 *
 * @throws UsageError for a run that cannot be read
 */
export async function reportOf({ checks, exhibits, systems, timeline, ...head }: CommandOutcome): Promise<Report> {
  const { tables = [], charts = [], runs = [] } = exhibits
  const all = [...recordedOf(systems, timeline), ...runs]
  const shown: ShownRun[] = []
  // one after the other: each is read into memory
  for (const run of all.slice(0, RUNS_MAX)) shown.push(await shownRun(run, shareOf(Math.min(all.length, RUNS_MAX))))
  return {
    ...head,
    checks: checks.map(({ name, ok, measured, expected, tolerance }) => ({
      name,
      ok,
      measured: shownValue(measured),
      expected: expectedText({ expected, tolerance }),
    })),
    tables: tables.map(shownTable),
    charts: charts.filter(isSeen).map(shownChart),
    runs: shown,
    omitted: Math.max(0, all.length - RUNS_MAX),
  }
}

function shareOf(runs: number): PageLimits {
  const part = (of: number): number => Math.floor(of / Math.max(1, runs))
  const { events, contents, bars, size } = LIMITS
  return { events: part(events), contents: part(contents), bars: part(bars), size: part(size) }
}

function recordedOf(systems: readonly System[], timeline: CommandOutcome['timeline']): Recorded[] {
  const recording = systems.filter(({ options }) => options.record)
  const names = namesOf(recording.map(({ options }) => options.about))
  return recording.map((system, i) => ({ name: names[i] ?? '', lines: system.recorded(), timeline }))
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
