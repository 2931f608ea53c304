/** Makes what a page shows of recorded runs. */
import { gzipSync } from 'node:zlib'
import type { PageReader, Picture } from '../scenario/page.ts'
import type { Line } from '../trace/lines.ts'
import { traceOf } from '../trace/read.ts'
import { type Run, runOf } from '../trace/steps.ts'
import { ContentTable, Texts } from './contents.ts'
import { columnsOf, lanesOf } from './events.ts'
import { fairShares } from './fair-shares.ts'
import { machinesOf } from './machines.ts'
import { omissionsOf } from './omissions.ts'
import type { RunPictures } from './pictures.ts'
import { type Prefix, prefixOf } from './prefix.ts'
import { Reading, type ReadingLimits } from './reading.ts'
import type { Lane, ShownRun } from './types.ts'

/** The limits of a page, which its runs share by their needs. They keep it below 5 MB, and its loading and drawing quick. */
export interface PageLimits extends ReadingLimits {
  /** The most events on the page, which it draws one by one. */
  readonly events: number
  /** The most characters of JSON for the contents of messages and facts, which a browser reads before it shows the page. */
  readonly contents: number
  /** The most bytes of the runs as they are written: compressed, and as text. */
  readonly size: number
}

export const LIMITS: PageLimits = {
  events: 100_000,
  contents: 3_000_000,
  bars: 20_000,
  objects: 10_000,
  phases: 40_000,
  size: 4_000_000,
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

/** What a page says of a recorded run besides its lines. */
type RunHead = Pick<Recorded, 'name' | 'focus'>

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

/** Reads one recorded run for all that its page shows. See `readRuns`. */
export async function readRun(recorded: Recorded, limits: PageLimits): Promise<ReadRun> {
  const [only] = await readRuns([recorded], limits)
  if (!only) throw new Error('one run makes one')
  return only
}

/** A run whose lines have been read. */
interface Begun {
  readonly head: RunHead
  readonly reading: Reading
  /** Its pictures besides those of the reader. */
  readonly more: readonly Picture[]
  prefix: Prefix
  /** The limits of this run. */
  room: PageLimits
}

/**
 * Reads the recorded runs of a page, each once, for all that the page shows. What does not fit is cut off; a run that needs less
 * than its part leaves the rest to the others.
 *
 * @throws UsageError for lines that are no trace
 */
export async function readRuns(all: readonly Recorded[], limits: PageLimits): Promise<ReadRun[]> {
  const begun = begin(all, limits)
  const runs: ShownRun[] = []
  // one after the other: each takes memory while it is made
  for (const one of begun) runs.push(await madeOf(one))
  await keepContents(begun, runs, limits.contents)
  await keepSize(begun, runs, limits.size)
  return begun.flatMap(({ head, reading, more }, i): ReadRun[] => {
    const run = runs[i]
    if (!run) return []
    const pictures = reading.pictures(head.name)
    const hasWork = reading.hasTimeline && run.gaps.length === 0
    return [{ run, pictures: { ...pictures, pictures: [...more, ...pictures.pictures] }, hasWork }]
  })
}

/** Reads the lines of all runs, and keeps of each the events that the page has room for. */
function begin(all: readonly Recorded[], limits: PageLimits): Begun[] {
  const begun: Begun[] = []
  for (const { lines, page, pictures: more = [], ...head } of all) {
    const reading = new Reading(page?.() ?? {}, limits)
    begun.push({ head, reading, more, prefix: prefixOf(heard(lines, reading), limits.events), room: limits })
    // after each run, so that no more lines are in memory than the page has room for
    const shares = fairShares(
      begun.map(({ prefix }) => prefix.need),
      limits.events,
    )
    for (const [i, one] of begun.entries()) one.prefix = shortened(one.prefix, shares[i] ?? 0)
  }
  const needs = begun.map(({ reading }) => reading.needs)
  const [bars, objects, phases] = (['bars', 'objects', 'phases'] as const).map((part) =>
    fairShares(
      needs.map((need) => need[part]),
      limits[part],
    ),
  )
  for (const [i, one] of begun.entries())
    one.room = { ...limits, bars: bars?.[i] ?? 0, objects: objects?.[i] ?? 0, phases: phases?.[i] ?? 0 }
  return begun
}

const madeOf = ({ head, reading, prefix, room }: Begun): Promise<ShownRun> =>
  shownPrefix(prefix, reading, head, room, new Texts())

/** Makes the runs again whose contents need more than their share. */
async function keepContents(begun: readonly Begun[], runs: ShownRun[], most: number): Promise<void> {
  if (runs.length < 2) return
  const needs = runs.map(({ contents }) => JSON.stringify(contents.values).length)
  const shares = fairShares(needs, most)
  for (const [i, one] of begun.entries()) {
    const contents = shares[i] ?? 0
    one.room = { ...one.room, contents }
    if (contents < (needs[i] ?? 0)) runs[i] = await madeOf(one)
  }
}

/** Cuts off events of the runs that are larger than their share, until the page is not too large. */
async function keepSize(begun: readonly Begun[], runs: ShownRun[], most: number): Promise<void> {
  for (;;) {
    const sizes = runs.map(sizeOf)
    const shares = fairShares(sizes, most)
    const large = begun.flatMap((one, i) => ((sizes[i] ?? 0) > (shares[i] ?? 0) ? [{ one, i }] : []))
    if (large.length === 0) return
    for (const { one, i } of large) {
      const part = (shares[i] ?? 0) / (sizes[i] ?? 1)
      one.prefix = shortened(one.prefix, Math.floor(one.prefix.shown * part) - 1)
      runs[i] = await madeOf(one)
    }
  }
}

/** The bytes that a run takes in a page, or a few more: a quick compression takes more than that of the page. */
const sizeOf = (run: ShownRun): number => Math.ceil(gzipSync(JSON.stringify(run), { level: 1 }).length * BASE64)

const BASE64 = 4 / 3

/** A prefix with at most as many events and messages. */
function shortened(prefix: Prefix, most: number): Prefix {
  if (prefix.need <= most) return prefix
  const { lines, shown } = prefixOf(prefix.lines, most)
  return { ...prefix, lines, shown, need: most }
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
  { name, focus }: RunHead,
  limits: PageLimits,
  texts: Texts,
): Promise<ShownRun> {
  const { window } = prefix
  const run = runOf(traceOf(prefix.lines, name), window !== undefined)
  const seen = window ? prefix.until : prefix.shown < prefix.events ? lastOf(prefix.lines) : prefix.until
  const contents = new ContentTable(limits.contents)
  const { events, sends } = columnsOf(run, texts, contents)
  const { omitted, omittedObjects, ...told } = reading.told(texts, limits)
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
