/** The grid of a run at a moment: the area of each row of the timeline, and a slider that moves through time. */
import { shortUnits } from '../../core/format.ts'
import { readableOn } from '../contrast.ts'
import { areaOf, areasAt, areaTones, coverAt, coversOf, fullestIn } from '../cover.ts'
import { type Ink, inks, onScheme } from './colors.ts'
import { el } from './dom.ts'
import type { Store } from './store.ts'

/** The text and the colour of bars, and the legend of some tones, as the timeline has them. */
export interface BarLooks {
  textOf(bar: number): string
  inkOf(bar: number): Ink
  legendOf(tones: readonly string[]): HTMLElement[]
}

/**
 * Draws the areas that are held at a moment; hidden in a run without a grid. The moment is the instant under the pointer in another
 * picture; otherwise that of the slider or of the selected event, whichever the reader moved last; otherwise the one in the window that shows
 * most.
 */
export function grid(store: Store, looks: BarLooks): HTMLElement {
  const { sight } = store
  const board = el('div', { class: 'grid', role: 'img', id: 'grid' })
  const title = el('h4', {})
  const legend = el('ul', { class: 'legend' })
  const slider = el('input', { type: 'range', id: 'grid-time', min: 0, step: 1 })
  const shown = el('output', {})
  const tools = el('label', { class: 'grid-time' }, 'Time ', slider, shown)
  const part = el('div', {}, title, legend, board, tools)

  const covers = store.of(({ run }) => coversOf(run))
  const tones = store.of(({ run }) => areaTones(run))

  function draw(): void {
    const { run, at } = store.graph
    part.hidden = !run.grid
    if (!run.grid) return
    const { name, vacant, prefix, rows, columns } = run.grid
    const { event, moment } = store.choice
    const selected = event >= 0 ? at[event] : undefined
    const now = Math.round(sight.pointed ?? moment ?? selected ?? fullestIn(covers(), sight.window))
    const time = `${shortUnits(now)} ${run.unit}`
    title.textContent = `The ${name} at ${time}`
    legend.replaceChildren(...looks.legendOf(tones()))
    slider.max = String(Math.max(0, covers().length - 1))
    slider.value = String(coverAt(covers(), now))
    slider.setAttribute('aria-valuetext', time)
    shown.value = time
    const there = areasAt(run, now)
    board.style.aspectRatio = `${columns} / ${rows}`
    board.setAttribute('aria-label', there.map(looks.textOf).join('; ') || vacant)
    const colors = inks()
    const percent = (part: number, of: number): string => `${(100 * part) / of}%`
    board.replaceChildren(
      ...there.map((bar) => {
        const [row, column, high, wide] = areaOf(run.bars, bar)
        const label = (run.rows[run.bars.row[bar] ?? 0] ?? '').replace(prefix, '')
        const cell = el('div', { title: looks.textOf(bar), class: 'area' }, label)
        const color = colors(looks.inkOf(bar))
        Object.assign(cell.style, {
          left: percent(column, columns),
          top: percent(row, rows),
          width: percent(wide, columns),
          height: percent(high, rows),
          background: color,
          color: readableOn(color),
        })
        return cell
      }),
    )
  }

  slider.addEventListener('input', () => {
    const moment = covers()[Number(slider.value)]?.at ?? null
    store.choose({ moment })
    // the other pictures mark this moment
    sight.point(moment)
  })
  slider.addEventListener('blur', () => sight.point(null))
  sight.onPoint(draw)
  onScheme(draw)
  sight.onWindow(draw)
  store.listen(draw)
  return part
}
