/** The timeline: what each machine or job did over time, as bars. */
import { ticksOf } from '../../experiment/ticks.ts'
import type { Graph } from '../graph.ts'
import type { Viewport } from '../viewport.ts'
import { type Ink, inks, nth, toneInks } from './colors.ts'
import { button, el } from './dom.ts'
import { mesh } from './mesh.ts'
import { shares } from './shares.ts'
import type { Store } from './store.ts'
import { moving, surface } from './surface.ts'
import { timeText } from './words.ts'

/** White can be read on these. */
const DARK: ReadonlySet<Ink> = new Set(['blue', 'red', 'green'])

const LEFT = 90
const TOP = 24
/** A legend of more is not read. */
const TONES_MAX = 24

export function timeline(graph: Graph, store: Store): HTMLElement[] {
  const { run } = graph
  const { rows, bars, until } = run
  if (rows.length === 0) return []
  const row = rows.length > 80 ? 6 : rows.length > 40 ? 10 : 22
  const bounds = { from: 0, to: Math.max(1, until), least: 1 }
  let viewport: Viewport = bounds
  const used = [...new Set(bars.tone)].map((tone) => graph.text(tone))
  const tones = toneInks(used)
  // where all ended alike, their colours tell one from the next
  const inkOf = (bar: number): Ink =>
    used.length === 1 ? nth(bars.label[bar] ?? 0) : (tones.get(graph.text(bars.tone[bar])) ?? 'blue')
  const view = surface({
    id: 'timeline',
    label: `Timeline of ${rows.length} rows to time ${timeText(until)}. The table below has the shares of each row. Plus, minus, Page Up and Page Down move it.`,
    height: () => TOP + rows.length * row + 4,
    paint,
    onClick: (x, y) => store.choose({ event: eventAt(timeOf(x), rows[rowOf(y)]) }),
    onHover: (x, y) => textAt(barAt(x, y)),
    onKey: (key) => keys(key),
  })
  const set = (next: Viewport): void => {
    viewport = next
    view.draw()
  }
  const keys = moving(view, { left: LEFT, bounds: () => bounds, get: () => viewport, set })
  store.listen(view.draw)

  const scale = (): number => (view.width() - LEFT) / (viewport.to - viewport.from)
  const timeOf = (x: number): number => viewport.from + (x - LEFT) / scale()
  const rowOf = (y: number): number => Math.floor((y - TOP) / row)
  const areaOf = (bar: number): string => textAt(bar) ?? ''

  /** The last one, where several are. */
  function barAt(x: number, y: number): number {
    const [time, own] = [timeOf(x), rowOf(y)]
    const slack = 1 / scale()
    return bars.row.findLastIndex((one, bar) => {
      const from = bars.from[bar] ?? 0
      return one === own && from <= time + slack && time - slack <= from + (bars.length[bar] ?? 0)
    })
  }

  function textAt(bar: number): string | null {
    if (bar < 0) return null
    const [from = 0, length = 0] = [bars.from[bar], bars.length[bar]]
    const tone = graph.text(bars.tone[bar])
    const label = graph.text(bars.label[bar])
    return `${label}${label === tone ? '' : `: ${tone}`}, ${timeText(from)} to ${timeText(from + length)}`
  }

  /** What the actors of a row did last by then. */
  function eventAt(time: number, name: string | undefined): number {
    const own = run.lanes.flatMap((lane, i) => (lane.name === name || lane.name.endsWith(`@${name}`) ? [i] : []))
    return graph.lastAt(time, own.length > 0 ? own : undefined)
  }

  function paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const ink = inks()
    context.font = '12px system-ui, sans-serif'
    context.textBaseline = 'middle'
    for (const [i, name] of rows.entries()) {
      const y = TOP + i * row
      context.fillStyle = ink('panel')
      context.fillRect(LEFT, y + row / 20, width - LEFT, row * 0.9)
      context.fillStyle = ink('text')
      if (row > 12 || i % Math.ceil(14 / row) === 0) context.fillText(name, 4, y + row / 2, LEFT - 8)
    }
    context.save()
    context.beginPath()
    context.rect(LEFT, 0, width - LEFT, height)
    context.clip()
    paintBars(context, ink)
    paintAxis(context, ink, height)
    const { event } = store.choice
    if (event >= 0) {
      context.fillStyle = ink('text')
      context.fillRect(LEFT + ((graph.at[event] ?? 0) - viewport.from) * scale() - 1, TOP - 4, 2, height)
    }
    context.restore()
  }

  function paintBars(context: CanvasRenderingContext2D, ink: (ink: Ink) => string): void {
    for (const [bar, own] of bars.row.entries()) {
      const x = LEFT + ((bars.from[bar] ?? 0) - viewport.from) * scale()
      const size = (bars.length[bar] ?? 0) * scale()
      if (x + size < LEFT || x > view.width()) continue
      const [y, shown] = [TOP + own * row, Math.max(1, size - (size > 3 ? 1 : 0))]
      const tone = inkOf(bar)
      context.fillStyle = ink(tone)
      context.fillRect(x, y + row / 10, shown, row * 0.8)
      if (size < 24 || row < 20) continue
      context.save()
      context.beginPath()
      context.rect(x, y, size - 2, row)
      context.clip()
      context.fillStyle = tone === 'line' ? ink('text') : DARK.has(tone) ? '#fff' : '#000'
      context.fillText(graph.text(bars.label[bar]), Math.max(x, LEFT) + 4, y + row / 2)
      context.restore()
    }
  }

  function paintAxis(context: CanvasRenderingContext2D, ink: (ink: Ink) => string, height: number): void {
    const { values, labels } = ticksOf(viewport.from / 1e6, viewport.to / 1e6)
    for (const [i, value] of values.entries()) {
      const x = LEFT + (value * 1e6 - viewport.from) * scale()
      context.fillStyle = ink('line')
      context.fillRect(x, TOP - 5, 1, height)
      context.fillStyle = ink('faint')
      context.fillText(labels[i] ?? '', x + 3, TOP / 2)
    }
  }

  const zoom = (key: string, label: string, says: string) =>
    button(label, () => keys(key), { 'aria-label': `Timeline: ${says}` })
  const legend = used.map((tone) => {
    const swatch = el('span', { class: 'swatch' })
    swatch.style.background = `var(--${tones.get(tone) ?? 'blue'})`
    return el('li', {}, swatch, tone)
  })
  return [
    el('h3', {}, 'Timeline'),
    el(
      'div',
      { class: 'tools' },
      ...[zoom('+', '+', 'closer'), zoom('-', '−', 'further'), zoom('0', 'All', 'all of it')],
      el(
        'ul',
        { class: 'legend' },
        ...(used.length === 1 ? [`${used[0]}; colours tell bars apart`] : legend.slice(0, TONES_MAX)),
      ),
    ),
    view.element,
    shares(graph, used),
    ...(run.mesh ? [mesh(graph, store, run.mesh, areaOf)] : []),
  ]
}
