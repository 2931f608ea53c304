/** Makes what a page shows of a recorded run. */
import { printUnits } from '../core/format.ts'
import type { PageReader, Picture } from '../scenario/page.ts'
import type { Line } from '../trace/lines.ts'
import { traceOf } from '../trace/read.ts'
import { type Run, runOf } from '../trace/steps.ts'
import { ContentTable, Texts } from './contents.ts'
import { columnsOf, lanesOf } from './events.ts'
import { machinesOf } from './machines.ts'
import { inScript } from './page.ts'
import type { RunPictures } from './pictures.ts'
import { type Prefix, prefixOf } from './prefix.ts'
import { Reading, type ReadingLimits } from './reading.ts'
import type { Lane, ShownRun } from './types.ts'

/** The limits of one run, which keep a page below 5 MB. */
export interface PageLimits extends ReadingLimits {
  /** The most events on the page. */
  readonly events: number
  /** The most characters of JSON for the contents of messages and facts. */
  readonly contents: number
  /** The most bytes of the run's JSON in the page. */
  readonly size: number
}

export const LIMITS: PageLimits = {
  events: 100_000,
  contents: 700_000,
  bars: 15_000,
  objects: 10_000,
  phases: 40_000,
  size: 4_700_000,
}

/** A recorded run, as a page shows it. */
export interface Recorded {
  /** The name that distinguishes it from the other runs of the command; '' if it is the only one. */
  readonly name: string
  readonly lines: Iterable<Line>
  /** The line of the event that is selected at first; default: none is. */
  readonly focus?: number | undefined
  /** A reader of its facts; default: each fact is a bar. */
  readonly page?: (() => PageReader) | undefined
  /** Pictures of the run besides those of its reader. */
  readonly pictures?: readonly Picture[] | undefined
}

/**
 * The form in which a page shows a run. It is cut off where it would exceed the limits.
 *
 * @throws UsageError for lines that are no trace
 */
export const shownRun = async (recorded: Recorded, limits: PageLimits = LIMITS): Promise<ShownRun> =>
  (await readRun(recorded, limits)).run

/** A run as a page shows it, with the pictures that the front of the page has. */
export interface ReadRun {
  readonly run: ShownRun
  readonly pictures: RunPictures
  /** Whether the bars of its timeline mean work, and are all there. */
  readonly hasWork: boolean
}

/**
 * Reads a recorded run once for all that its page shows.
 *
 * @throws UsageError for lines that are no trace
 */
export async function readRun(
  { lines, page, pictures: more = [], ...rest }: Recorded,
  limits: PageLimits,
): Promise<ReadRun> {
  const reading = new Reading(page?.() ?? {}, limits)
  let prefix = prefixOf(heard(lines, reading), limits.events)
  for (;;) {
    const shown = await shownPrefix(prefix, reading, rest, limits, new Texts())
    const size = Buffer.byteLength(inScript(shown))
    if (size <= limits.size) {
      const hasWork = reading.hasTimeline && shown.bars.row.length < limits.bars
      const pictures = reading.pictures(rest.name)
      return { run: shown, pictures: { ...pictures, pictures: [...more, ...pictures.pictures] }, hasWork }
    }
    const { events, until, isCut } = prefix
    const fewer = prefixOf(prefix.lines, Math.floor((prefix.shown * limits.size) / size) - 1)
    prefix = { ...fewer, events, until, isCut }
  }
}

function* heard(lines: Iterable<Line>, reading: Reading): Generator<Line> {
  for (const line of lines) {
    reading.add(line)
    yield line
  }
}

/**
 * The form in which a page shows a run so far. With the same `texts`, texts keep their places as the run grows.
 *
 * @throws UsageError for lines that are no trace
 */
export async function shownPrefix(
  prefix: Prefix,
  reading: Reading,
  { name, focus }: Pick<Recorded, 'name' | 'focus'>,
  limits: PageLimits,
  texts: Texts,
): Promise<ShownRun> {
  const { window } = prefix
  const run = runOf(traceOf(prefix.lines, name), window !== undefined)
  const seen = window ? prefix.until : prefix.shown < prefix.events ? lastOf(prefix.lines) : prefix.until
  const contents = new ContentTable(limits.contents)
  const { events, sends } = columnsOf(run, texts, contents)
  const { omitted, omittedObjects, ...told } = reading.told(texts)
  const machines = await machinesOf(reading.modules)
  return {
    name,
    until: prefix.until,
    seen,
    beyond: window ? 0 : prefix.events - prefix.shown,
    ...(window && { window }),
    ...told,
    events,
    sends,
    focus: [...run.steps, ...run.system].some(({ line }) => line === focus) ? placeOf(run, focus ?? 0) : -1,
    lanes: shownLanes(run, [...machines.keys()]),
    omissions: omissionsOf(prefix, seen, limits, {
      contents: contents.omitted,
      bars: omitted,
      objects: omittedObjects,
    }),
    texts: [...texts.all],
    contents: { shapes: contents.shapes, values: contents.values },
    machines: [...machines.values()],
  }
}

const placeOf = ({ steps, system }: Run, at: number): number =>
  [...steps, ...system].filter(({ line }) => line < at).length

function shownLanes(run: Run, modules: readonly string[]): Lane[] {
  const moduleOf = new Map(run.incarnations.map(({ who, module }) => [who, modules.indexOf(module)]))
  return [...lanesOf(run).keys()].map((who) => {
    const machine = moduleOf.get(who) ?? -1
    return { name: who, machine: machine < 0 ? null : machine }
  })
}

const lastOf = (lines: readonly Line[]): number =>
  lines.reduce((last, { at }) => (typeof at === 'number' ? Math.max(last, at) : last), 0)

interface Omitted {
  readonly contents: number
  readonly bars: number
  readonly objects: number
}

function omissionsOf(
  { events, shown, until, isCut, window }: Prefix,
  seen: number,
  { isRecent = false }: PageLimits,
  { contents, bars, objects }: Omitted,
): string[] {
  const count = (many: number): string => many.toLocaleString('en')
  const [to, end] = [printUnits(seen), printUnits(until)]
  return [
    ...(window
      ? [
          `The page has the last ${count(shown)} of ${count(events)} events (--live-events). Of those before it has the beginnings of actors and the steps that led to their states. The answer above and the tables are about the whole run.`,
        ]
      : []),
    ...(shown < events && !window
      ? [
          `The page has the first ${count(shown)} of ${count(events)} events, up to time ${to} of ${end}. The answer above, the timeline and the tables are about the whole run.`,
        ]
      : []),
    ...(contents > 0 ? [`The contents of ${count(contents)} later messages and facts did not fit on the page.`] : []),
    ...(bars > 0
      ? [`The ${isRecent ? 'first' : 'last'} ${count(bars)} bars of the timeline did not fit on the page.`]
      : []),
    ...(objects > 0 ? [`The last ${count(objects)} objects did not fit on the page.`] : []),
    ...(isCut ? ['The record of the run itself was cut off at its limit of bytes.'] : []),
  ]
}
