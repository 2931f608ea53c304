/** The bars of a timeline, as a page draws them. */
import type { Time } from '../core/time.ts'
import type { Area, BarLook, GridNames, Mark, Timeline } from '../scenario/timeline.ts'
import type { Run } from '../trace/run.ts'
import type { Texts } from './contents.ts'
import type { BarColumns, ShownGrid } from './types.ts'

export interface Bars {
  readonly rows: readonly string[]
  readonly bars: BarColumns
  readonly grid: ShownGrid | null
  /** The number of bars that did not fit. */
  readonly omitted: number
}

export const NO_BARS: Bars = {
  rows: [],
  grid: null,
  omitted: 0,
  bars: { row: [], from: [], length: [], label: [], tone: [], area: [] },
}

/** The tones of a bar that a death has ended, and of the time until the next incarnation. */
const LOST = 'lost in a death'
const DOWN = 'down'

interface Bar extends BarLook {
  readonly row: string
  readonly from: Time
  readonly until: Time
}

/** All bars of a run that ends at `until`, in the order of their ends. */
function drawn(run: Run, timeline: Timeline, until: Time): Bar[] {
  const bars: Bar[] = []
  const open = new Map<string, BarLook & { readonly from: Time }>()
  const end = (row: string, at: Time, tone?: string): void => {
    const bar = open.get(row)
    if (!bar) return
    open.delete(row)
    bars.push({ ...bar, row, until: at, ...(tone !== undefined && { tone }) })
  }
  const begin = (row: string, from: Time, look: BarLook): void => {
    end(row, from)
    open.set(row, { ...look, from })
  }
  const take = (mark: Mark, at: Time): void => {
    if (mark.type === 'ends') end(mark.row, at, mark.tone)
    else if (mark.type === 'begins') begin(mark.row, at, mark)
    else bars.push({ until: at, ...mark })
  }
  const happenings = [
    ...run.steps.filter(({ facts }) => facts.length > 0),
    ...run.system.filter((event) => event.type === 'died' || event.type === 'spawn'),
  ].sort((one, other) => one.line - other.line)
  for (const happening of happenings) {
    const { at } = happening
    if ('facts' in happening) {
      const { facts, who } = happening
      for (const mark of facts.flatMap((fact) => timeline.marks(fact, who, at))) take(mark, at)
      continue
    }
    const row = timeline.rowOf(happening.incarnation.who)
    if (row === undefined) continue
    if (happening.type === 'spawn') {
      if (open.get(row)?.tone === DOWN) end(row, at)
      continue
    }
    end(row, at, LOST)
    begin(row, at, { label: DOWN, tone: DOWN })
  }
  for (const row of [...open.keys()]) end(row, until)
  return bars
}

/** Rows in natural order: p2 before p10. */
const inOrder = new Intl.Collator('en', { numeric: true }).compare

/** The smallest grid that all areas fit on. */
function gridOf({ name, vacant, prefix }: GridNames, areas: readonly Area[]): ShownGrid {
  const reach = (of: (area: Area) => number): number => areas.reduce((most, area) => Math.max(most, of(area)), 0)
  const rows = reach(({ row, rows }) => row + rows)
  const columns = reach(({ column, columns }) => column + columns)
  return { name, vacant, prefix, rows, columns }
}

/** The first `most` bars of a run that ends at `until`. */
export function barsOf(run: Run, timeline: Timeline, until: Time, most: number, texts: Texts): Bars {
  const all = drawn(run, timeline, until)
  const bars = all.slice(0, most)
  const rows = [...new Set(bars.map(({ row }) => row))].sort(inOrder)
  const places = new Map(rows.map((row, i) => [row, i]))
  const { grid: names } = timeline
  const areas = names ? bars.flatMap(({ area }) => (area ? [area] : [])) : []
  return {
    rows,
    omitted: all.length - bars.length,
    grid: names && areas.length > 0 ? gridOf(names, areas) : null,
    bars: {
      row: bars.map(({ row }) => places.get(row) ?? 0),
      from: bars.map(({ from }) => from),
      length: bars.map(({ from, until }) => until - from),
      label: bars.map(({ label }) => texts.of(label)),
      tone: bars.map(({ tone }) => texts.of(tone)),
      area:
        areas.length > 0
          ? bars.flatMap(({ area }) => (area ? [area.row, area.column, area.rows, area.columns] : [0, 0, 0, 0]))
          : [],
    },
  }
}
