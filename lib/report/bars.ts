/** The bars of a timeline, made from the facts and deaths of a run in their order. */
import type { Address } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { Area, BarLook, GridNames, Mark, Timeline } from '../scenario/timeline.ts'
import type { Texts } from './contents.ts'
import type { BarColumns, RowGap, ShownGrid } from './types.ts'

export interface ShownBars {
  readonly rows: readonly string[]
  readonly bars: BarColumns
  readonly gaps: readonly RowGap[]
  readonly grid: ShownGrid | null
  /** The number of bars that did not fit. */
  readonly omitted: number
}

/** The tones of a bar that a death has ended, and of the time until the next incarnation. */
export const LOST = 'lost in a death'
const DOWN = 'down'

/** The most rows and columns of a grid. */
const SIDE_MAX = 1024

interface Span {
  readonly from: Time
  readonly until: Time
}

interface Bar extends BarLook, Span {
  readonly row: string
}

export class Bars {
  readonly #timeline: Timeline
  readonly #most: number
  readonly #isRecent: boolean
  readonly #bars: Bar[] = []
  readonly #open = new Map<string, BarLook & { readonly from: Time }>()
  readonly #rows = new Set<string>()
  /** The time from the first to the last bar that is left out, by row. */
  readonly #gaps = new Map<string, Span>()
  #omitted = 0

  /** `most` is the most bars that are kept: the first ones, or at least the last ones. Others are only counted. */
  constructor(timeline: Timeline, most: number, isRecent = false) {
    this.#timeline = timeline
    this.#most = most
    this.#isRecent = isRecent
  }

  fact(fact: Message, who: Address, at: Time): void {
    for (const mark of this.#timeline.marks(fact, who, at)) this.#take(mark, at)
  }

  died(who: Address, at: Time): void {
    const row = this.#timeline.rowOf(who)
    if (row === undefined) return
    this.#end(row, at, LOST)
    this.#begin(row, at, { label: DOWN, tone: DOWN })
  }

  /** An actor began; its row is there from then on, with or without a bar. */
  began(who: Address, at: Time): void {
    const row = this.#timeline.rowOf(who)
    if (row === undefined) return
    this.#rows.add(row)
    if (this.#open.get(row)?.tone === DOWN) this.#end(row, at)
  }

  /** The label of the open bar in an actor's row; '' if there is none. */
  doing(who: Address): string {
    const row = this.#timeline.rowOf(who)
    return (row === undefined ? undefined : this.#open.get(row)?.label) ?? ''
  }

  /** The number of all bars. */
  get count(): number {
    return this.#omitted + this.#bars.length + this.#open.size
  }

  /** The tones in the order of first use. */
  get tones(): readonly string[] {
    return [...new Set([...this.#bars, ...this.#open.values()].map(({ tone }) => tone))]
  }

  /** The first `most` bars of a run that ends at `until`, or all of a live page; open ones end there. They are in the order of their ends. */
  shown(until: Time, texts: Texts, most = this.#most): ShownBars {
    const open = [...this.#open].map(([row, bar]): Bar => ({ ...bar, row, until }))
    const all = [...this.#bars, ...open]
    const bars = this.#isRecent ? all : all.slice(0, most)
    const left = all.slice(bars.length)
    const gaps = new Map(this.#gaps)
    for (const bar of left) widen(gaps, bar)
    const rows = [...new Set([...this.#rows, ...gaps.keys(), ...bars.map(({ row }) => row)])].sort(inOrder)
    const places = new Map(rows.map((row, i) => [row, i]))
    const { grid: names } = this.#timeline
    const areas = names ? bars.flatMap(({ area }) => (isOnGrid(area) ? [area] : [])) : []
    return {
      rows,
      omitted: this.#omitted + left.length,
      gaps: [...gaps].map(([row, { from, until }]) => ({ row: places.get(row) ?? 0, from, length: until - from })),
      grid:
        names && areas.length > 0
          ? { ...gridOf(names, areas), open: Math.max(0, bars.length - this.#bars.length) }
          : null,
      bars: {
        row: bars.map(({ row }) => places.get(row) ?? 0),
        from: bars.map(({ from }) => from),
        length: bars.map((bar) => bar.until - bar.from),
        label: bars.map(({ label }) => texts.of(label)),
        tone: bars.map(({ tone }) => texts.of(tone)),
        object: bars.map(({ object = '' }) => texts.of(object)),
        area:
          areas.length > 0
            ? bars.flatMap(({ area }) =>
                isOnGrid(area) ? [area.row, area.column, area.rows, area.columns] : [0, 0, 0, 0],
              )
            : [],
      },
    }
  }

  #take(mark: Mark, at: Time): void {
    if (mark.type === 'ends') this.#end(mark.row, at, mark.tone)
    else if (mark.type === 'begins') this.#begin(mark.row, at, mark)
    else this.#add({ until: at, ...mark })
  }

  #begin(row: string, from: Time, { label, tone, object, area }: BarLook): void {
    this.#end(row, from)
    this.#open.set(row, { label, tone, ...(object !== undefined && { object }), ...(area && { area }), from })
  }

  #end(row: string, at: Time, tone?: string): void {
    const bar = this.#open.get(row)
    if (!bar) return
    this.#open.delete(row)
    this.#add({ ...bar, row, until: at, ...(tone !== undefined && { tone }) })
  }

  #add(bar: Bar): void {
    if (this.#bars.length < this.#most) this.#bars.push(bar)
    else if (this.#isRecent) {
      this.#bars.push(bar)
      // half of them at once, so that the rest mostly keep their places
      if (this.#bars.length >= 2 * this.#most) for (const old of this.#bars.splice(0, this.#most)) this.#omit(old)
    } else this.#omit(bar)
  }

  #omit(bar: Bar): void {
    this.#omitted++
    widen(this.#gaps, bar)
  }
}

/** Makes the gap of a row reach over a bar. */
function widen(gaps: Map<string, Span>, { row, from, until }: Bar): void {
  const known = gaps.get(row)
  gaps.set(row, { from: Math.min(from, known?.from ?? from), until: Math.max(until, known?.until ?? until) })
}

/** Rows in natural order: p2 before p10. */
const inOrder = new Intl.Collator('en', { numeric: true }).compare

/** Says whether an area lies on a grid: a trace may come from anywhere, and its numbers may be fractions, negative or too large. */
const isOnGrid = (area: Area | undefined): area is Area =>
  area !== undefined &&
  [area.row, area.column, area.rows, area.columns].every((number) => Number.isInteger(number) && number >= 0) &&
  area.row + area.rows <= SIDE_MAX &&
  area.column + area.columns <= SIDE_MAX

/** The smallest grid that all areas fit on. */
function gridOf({ name, vacant, prefix, moving }: GridNames, areas: readonly Area[]): Omit<ShownGrid, 'open'> {
  const reach = (of: (area: Area) => number): number => areas.reduce((most, area) => Math.max(most, of(area)), 0)
  const rows = reach(({ row, rows }) => row + rows)
  const columns = reach(({ column, columns }) => column + columns)
  return { name, vacant, prefix, ...(moving !== undefined && { moving }), rows, columns }
}
