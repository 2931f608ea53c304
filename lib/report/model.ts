/** Makes what a page shows of a recorded run. */
import { printUnits } from '../core/format.ts'
import type { Timeline } from '../scenario/timeline.ts'
import type { Line } from '../trace/lines.ts'
import { traceOf } from '../trace/read.ts'
import { type Run, runOf } from '../trace/steps.ts'
import { ContentTable, Texts } from './contents.ts'
import { columnsOf, lanesOf } from './events.ts'
import { machinesOf } from './machines.ts'
import { inScript } from './page.ts'
import { type Prefix, prefixOf } from './prefix.ts'
import { barsOf, NO_BARS } from './timeline.ts'
import type { Lane, ShownRun } from './types.ts'

/** The limits of one run, which keep a page below 5 MB. */
export interface PageLimits {
  /** The most events on the page. */
  readonly events: number
  /** The most characters of JSON for the contents of messages and facts. */
  readonly contents: number
  readonly bars: number
  /** The most bytes of the run's JSON in the page. */
  readonly size: number
}

export const LIMITS: PageLimits = { events: 100_000, contents: 700_000, bars: 15_000, size: 4_700_000 }

/** A recorded run, as a page shows it. */
export interface Recorded {
  /** The name that distinguishes it from the other runs of the command; '' if it is the only one. */
  readonly name: string
  readonly lines: Iterable<Line>
  /** The line of the event that is selected at first; default: none is. */
  readonly focus?: number | undefined
  readonly timeline?: (() => Timeline) | undefined
}

/**
 * The form in which a page shows a run. It is cut off where it would exceed the limits.
 *
 * @throws UsageError for lines that are no trace
 */
export async function shownRun({ lines, ...rest }: Recorded, limits: PageLimits = LIMITS): Promise<ShownRun> {
  let prefix = prefixOf(lines, limits.events)
  for (;;) {
    const shown = await shownPrefix(prefix, rest, limits, new Texts())
    const size = Buffer.byteLength(inScript(shown))
    if (size <= limits.size) return shown
    const { events, until, isCut } = prefix
    const fewer = prefixOf(prefix.lines, Math.floor((prefix.shown * limits.size) / size) - 1)
    prefix = { ...fewer, events, until, isCut }
  }
}

/**
 * The form in which a page shows a run so far. With the same `texts`, texts keep their places as the run grows.
 *
 * @throws UsageError for lines that are no trace
 */
export async function shownPrefix(
  prefix: Prefix,
  { name, timeline, focus }: Omit<Recorded, 'lines'>,
  limits: PageLimits,
  texts: Texts,
): Promise<ShownRun> {
  const run = runOf(traceOf(prefix.lines, name))
  const until = prefix.shown < prefix.events ? lastOf(prefix.lines) : prefix.until
  const contents = new ContentTable(limits.contents)
  const { events, sends } = columnsOf(run, texts, contents)
  const { rows, bars, grid, omitted } = timeline ? barsOf(run, timeline(), until, limits.bars, texts) : NO_BARS
  const machines = await machinesOf(run)
  return {
    name,
    until,
    rows,
    bars,
    grid,
    events,
    sends,
    focus: [...run.steps, ...run.system].some(({ line }) => line === focus) ? placeOf(run, focus ?? 0) : -1,
    lanes: shownLanes(run, [...machines.keys()]),
    omissions: omissionsOf(prefix, until, contents.omitted, omitted),
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

function omissionsOf({ events, shown, until, isCut }: Prefix, last: number, contents: number, bars: number): string[] {
  const count = (many: number): string => many.toLocaleString('en')
  const [to, end] = [printUnits(last), printUnits(until)]
  return [
    ...(shown < events
      ? [`Of ${count(events)} events the first ${count(shown)} are here, to time ${to} of ${end}.`]
      : []),
    ...(contents > 0 ? [`What ${count(contents)} of the later messages and facts say is left out.`] : []),
    ...(bars > 0 ? [`The last ${count(bars)} bars of the timeline are left out.`] : []),
    ...(isCut ? ['The record of the run itself was cut off at its limit of bytes.'] : []),
  ]
}
