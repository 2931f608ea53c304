/** A mesh at the selected moment. */
import type { Graph } from '../graph.ts'
import { nth } from './colors.ts'
import { el } from './dom.ts'
import type { Store } from './store.ts'
import { timeText } from './words.ts'

/** Who has which part of the mesh at the selected moment; nothing where no run is of a mesh. */
export function mesh(store: Store, say: (bar: number) => string): HTMLElement {
  const grid = el('div', { class: 'mesh', role: 'img', id: 'mesh' })
  const title = el('h4', {})
  const part = el('div', {}, title, grid)
  const fullest = store.of(fullestOf)
  store.listen(({ event }, graph) => {
    const { bars, rows: names, mesh: size } = graph.run
    part.hidden = !size
    if (!size) return
    const [rows, columns] = size
    const now = event >= 0 ? (graph.at[event] ?? 0) : fullest()
    const there = areasAt(graph, now)
    title.textContent = `The mesh at ${timeText(now)}`
    grid.style.aspectRatio = `${columns} / ${rows}`
    grid.setAttribute('aria-label', there.map(say).join('; ') || 'nobody has processors')
    grid.replaceChildren(
      ...there.map((bar) => {
        const [row = 0, column = 0, high = 0, wide = 0] = bars.area.slice(4 * bar, 4 * bar + 4)
        const name = (names[bars.row[bar] ?? 0] ?? '').replace('job ', '')
        const cell = el('div', { title: say(bar), class: 'area' }, name)
        const percent = (part: number, of: number): string => `${(100 * part) / of}%`
        Object.assign(cell.style, {
          left: percent(column, columns),
          top: percent(row, rows),
          width: percent(wide, columns),
          height: percent(high, rows),
          background: `var(--${nth(bars.row[bar] ?? 0)})`,
        })
        return cell
      }),
    )
  })
  return part
}

function areasAt({ run: { bars } }: Graph, now: number): number[] {
  return [...bars.row.keys()].filter((bar) => {
    const from = bars.from[bar] ?? 0
    return (bars.area[4 * bar + 2] ?? 0) > 0 && from <= now && now < from + (bars.length[bar] ?? 0)
  })
}

/** That are looked at for the one with the most partitions. */
const MOMENTS = 50

/** While nothing is selected: at the end nobody would be left. */
function fullestOf(graph: Graph): number {
  const { from } = graph.run.bars
  const some = from.filter((_, bar) => bar % Math.ceil(from.length / MOMENTS) === 0)
  return some.reduce((best, at) => (areasAt(graph, at).length > areasAt(graph, best).length ? at : best), 0)
}
