/** The grid of a run at the selected moment: the area of each row of the timeline. */
import type { Graph } from '../graph.ts'
import { nth } from './colors.ts'
import { el } from './dom.ts'
import type { Store } from './store.ts'
import { timeText } from './words.ts'

/** Draws the areas that are held at the selected moment; hidden in a run without a grid. */
export function grid(store: Store, say: (bar: number) => string): HTMLElement {
  const board = el('div', { class: 'grid', role: 'img', id: 'grid' })
  const title = el('h4', {})
  const part = el('div', {}, title, board)
  const fullest = store.of(fullestOf)
  store.listen(({ event }, graph) => {
    const { bars, rows: names, grid } = graph.run
    part.hidden = !grid
    if (!grid) return
    const { rows, columns, prefix } = grid
    const now = event >= 0 ? (graph.at[event] ?? 0) : fullest()
    const there = areasAt(graph, now)
    title.textContent = `The ${grid.name} at ${timeText(now)}`
    board.style.aspectRatio = `${columns} / ${rows}`
    board.setAttribute('aria-label', there.map(say).join('; ') || grid.vacant)
    board.replaceChildren(
      ...there.map((bar) => {
        const [row = 0, column = 0, high = 0, wide = 0] = bars.area.slice(4 * bar, 4 * bar + 4)
        const name = (names[bars.row[bar] ?? 0] ?? '').replace(prefix, '')
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

/** The number of moments that are compared to find the one with the most areas. */
const MOMENTS = 50

/** The moment that is shown while nothing is selected: at the end of a run the grid would be empty. */
function fullestOf(graph: Graph): number {
  const { from } = graph.run.bars
  const some = from.filter((_, bar) => bar % Math.ceil(from.length / MOMENTS) === 0)
  return some.reduce((best, at) => (areasAt(graph, at).length > areasAt(graph, best).length ? at : best), 0)
}
