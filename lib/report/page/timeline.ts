/** The timeline: bars that show the activity of each machine or job over time. */
import { shortUnits } from '../../core/format.ts'
import { labelWithin } from '../bar-label.ts'
import type { Common } from '../common.ts'
import { readableOn } from '../contrast.ts'
import type { Graph } from '../graph.ts'
import { type TimeMark, timeMarks } from '../marks.ts'
import { axisTitle, timeTicks } from '../time-ticks.ts'
import type { RowGap } from '../types.ts'
import type { Viewport } from '../viewport.ts'
import { type Ink, inks, sharedInks, toneInks } from './colors.ts'
import { el, legendItem } from './dom.ts'
import { NAMES, paintMarks, paintSpans } from './fault-bands.ts'
import { grid } from './grid.ts'
import { hatch } from './hatch.ts'
import { leftOf } from './scene.ts'
import { shares } from './shares.ts'
import type { Store } from './store.ts'
import { moving, pointing, surface } from './surface.ts'

/** The height of the ticks, in pixels. */
const TICKS = 24
/** What stands in the parts of rows whose bars the page does not have, if they are as wide as this, in pixels. */
const MISSING = 'bars not on this page'
const MISSING_MIN = 160
/** The most tones in a legend; longer ones are hard to read. */
const TONES_MAX = 24

/** The parts that are the same for every picture of a run. */
interface Plan {
  readonly tones: readonly string[]
  readonly marks: readonly TimeMark[]
  /** Where the rows begin. */
  readonly top: number
  /** The height of a row, in pixels. */
  readonly height: number
  /** The inks of the tones. */
  readonly inks: ReadonlyMap<string, Ink>
  inkOf(bar: number): Ink
}

function planOf(graph: Graph, common: Common | null): Plan {
  const { rows, bars } = graph.run
  const marks = timeMarks(graph)
  const used = [...new Set(bars.tone)]
  // texts keep their order while a run goes on, and bars do not
  const tones = (common ? used : used.sort((one, other) => one - other)).map((tone) => graph.text(tone))
  const inks = common?.tones ?? toneInks(tones)
  return {
    tones,
    marks,
    top: TICKS + (marks.length > 0 ? NAMES : 0),
    height: rows.length > 80 ? 6 : rows.length > 40 ? 10 : 22,
    inks,
    inkOf: (bar) => inks.get(graph.text(bars.tone[bar])) ?? 'blue',
  }
}

export function timeline(store: Store): HTMLElement {
  const plan = store.of((graph) => planOf(graph, store.common))
  const { sight } = store
  const viewport = (): Viewport => sight.window
  const view = surface({
    id: 'timeline',
    height: () => plan().top + store.graph.run.rows.length * plan().height + 4,
    paint,
    onClick: (x, y) => visit(timeOf(x), store.graph.run.rows[rowOf(y)]),
    onHover: (x, y) => textAt(barAt(x, y)) ?? (gapAt(x, y) ? `${MISSING}: what was done here did not fit` : null),
    onKey: (key) => keys(key),
  })
  const left = (): number => leftOf(view.width())
  const set = (next: Viewport): void => void sight.look(next)
  const keys = moving(view, { left, bounds: () => sight.bounds, get: viewport, set })
  sight.onWindow(() => view.draw())

  const scale = (): number => (view.width() - left()) / (viewport().to - viewport().from)
  const timeOf = (x: number): number => viewport().from + (x - left()) / scale()
  const xOf = (time: number): number => left() + (time - viewport().from) * scale()
  pointing(view, sight, { left, timeAt: timeOf, placeOf: xOf })
  const rowOf = (y: number): number => Math.floor((y - plan().top) / plan().height)

  /** The bar at a point; the last one if several overlap. */
  function barAt(x: number, y: number): number {
    const { bars } = store.graph.run
    const [time, own] = [timeOf(x), rowOf(y)]
    const slack = 1 / scale()
    return bars.row.findLastIndex((one, bar) => {
      const from = bars.from[bar] ?? 0
      return one === own && from <= time + slack && time - slack <= from + (bars.length[bar] ?? 0)
    })
  }

  function textAt(bar: number): string | null {
    const { graph } = store
    const { bars } = graph.run
    if (bar < 0) return null
    const [from = 0, length = 0] = [bars.from[bar], bars.length[bar]]
    const tone = graph.text(bars.tone[bar])
    const label = graph.text(bars.label[bar])
    return `${label}${label === tone ? '' : `: ${tone}`}, ${shortUnits(from)} to ${shortUnits(from + length)}`
  }

  /** Selects the last event of a row's actors at or before a time. */
  function visit(time: number, name: string | undefined): void {
    const { lanes } = store.graph.run
    const own = lanes.flatMap((lane, i) => (lane.name === name || lane.name.endsWith(`@${name}`) ? [i] : []))
    store.visit(time, own.length > 0 ? own : undefined)
  }

  function paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const ink = inks()
    const { height: row, top, marks } = plan()
    context.font = '12px system-ui, sans-serif'
    context.textBaseline = 'middle'
    for (const [i, name] of store.graph.run.rows.entries()) {
      const y = top + i * row
      context.fillStyle = ink('panel')
      context.fillRect(left(), y + row / 20, width - left(), row * 0.9)
      context.fillStyle = ink('text')
      if (row > 12 || i % Math.ceil(14 / row) === 0) context.fillText(name, 4, y + row / 2, left() - 8)
    }
    context.fillStyle = ink('faint')
    context.fillText(axisTitle(store.graph.run.unit), 4, TICKS / 2, left() - 8)
    context.save()
    context.beginPath()
    context.rect(left(), 0, width - left(), height)
    context.clip()
    const area = { xOf, from: TICKS, to: height, width }
    paintSpans(context, ink, marks, area)
    paintAxis(context, ink, height)
    paintGaps(context, ink)
    paintBars(context, ink)
    paintMarks(context, ink, marks, area)
    const { event } = store.choice
    if (event >= 0) {
      context.fillStyle = ink('text')
      context.fillRect(xOf(store.graph.at[event] ?? 0) - 1, TICKS - 4, 2, height)
    }
    context.restore()
  }

  function paintBars(context: CanvasRenderingContext2D, ink: (ink: Ink) => string): void {
    const { graph } = store
    const { bars } = graph.run
    const { height: row, top, inkOf } = plan()
    const [perUnit, begin] = [scale(), left()]
    const widthOf = (text: string): number => context.measureText(text).width
    for (const [bar, own] of bars.row.entries()) {
      const x = xOf(bars.from[bar] ?? 0)
      const size = (bars.length[bar] ?? 0) * perUnit
      if (x + size < begin || x > view.width()) continue
      const [y, shown] = [top + own * row, Math.max(1, size - (size > 3 ? 1 : 0))]
      const tone = inkOf(bar)
      context.fillStyle = ink(tone)
      context.fillRect(x, y + row / 10, shown, row * 0.8)
      if (size < 24 || row < 20) continue
      const start = Math.max(x, begin) + 4
      const label = labelWithin(graph.text(bars.label[bar]), x + size - 4 - start, widthOf)
      if (label === '') continue
      context.fillStyle = readableOn(ink(tone))
      context.fillText(label, start, y + row / 2)
    }
  }

  /** Hatches the parts of rows whose bars the page does not have. */
  function paintGaps(context: CanvasRenderingContext2D, ink: (ink: Ink) => string): void {
    const { height: row, top } = plan()
    for (const { row: own, from, length } of store.graph.run.gaps) {
      const [x, end] = [Math.max(left(), xOf(from)), Math.min(view.width(), xOf(from + length))]
      if (end <= x) continue
      hatch(context, { x, y: top + own * row + row / 10, width: Math.max(1, end - x), height: row * 0.8 }, ink('faint'))
      if (row < 20 || end - x < MISSING_MIN) continue
      const words = context.measureText(MISSING).width
      context.fillStyle = ink('panel')
      context.fillRect(x + 2, top + own * row + row / 10, words + 8, row * 0.8)
      context.fillStyle = ink('text')
      context.fillText(MISSING, x + 6, top + own * row + row / 2)
    }
  }

  /** The gap at a point; undefined if the page has all bars there. */
  function gapAt(x: number, y: number): RowGap | undefined {
    const [time, own] = [timeOf(x), rowOf(y)]
    return store.graph.run.gaps.find(({ row, from, length }) => row === own && from <= time && time <= from + length)
  }

  function paintAxis(context: CanvasRenderingContext2D, ink: (ink: Ink) => string, height: number): void {
    const { values, labels } = timeTicks(viewport(), view.width() - left())
    for (const [i, value] of values.entries()) {
      const x = xOf(value)
      context.fillStyle = ink('line')
      context.fillRect(x, TICKS - 5, 1, height)
      context.fillStyle = ink('faint')
      context.fillText(labels[i] ?? '', x + 3, TICKS / 2)
    }
  }

  const legend = el('ul', { class: 'legend' })
  const items = store.of(() => legendOf(plan(), plan().tones))
  const part = el(
    'div',
    {},
    el('h3', {}, 'Timeline'),
    el(
      'p',
      { class: 'faint' },
      'What each row did, and when. Point at a bar to read it; click it to select the last event there.',
    ),
    legend,
    view.element,
    shares(store, () => plan().tones),
    grid(store, {
      textOf: (bar) => textAt(bar) ?? '',
      inkOf: (bar) => plan().inkOf(bar),
      legendOf: (tones) => legendOf(plan(), tones),
    }),
  )
  store.listen((_, { run }) => {
    part.hidden = run.rows.length === 0
    view.label(
      `Timeline of ${run.rows.length} rows to time ${shortUnits(run.until)}. The table below has the shares of each row. Plus, minus, Page Up and Page Down move it.`,
    )
    legend.replaceChildren(...items())
    view.draw()
  })
  return part
}

/** The legend of some tones. */
function legendOf({ tones, inks: byTone }: Plan, some: readonly string[]): HTMLElement[] {
  const inOrder = [...some].sort(new Intl.Collator('en', { numeric: true }).compare)
  const items = inOrder.slice(0, TONES_MAX).map((tone) => legendItem(byTone.get(tone) ?? 'blue', tone))
  const shared = sharedInks(tones.map((tone) => byTone.get(tone) ?? 'blue'))
  return shared === '' ? items : [...items, el('li', { class: 'faint' }, shared)]
}
