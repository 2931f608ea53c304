/** A mesh at the selected moment. */
import type { Graph } from '../graph.ts'
import { nth } from './colors.ts'
import { el } from './dom.ts'
import type { Store } from './store.ts'
import { timeText } from './words.ts'

/** Who has which part of the mesh at the selected moment. */
export function mesh(
  graph: Graph,
  store: Store,
  [rows, columns]: readonly [number, number],
  say: (bar: number) => string,
) {
  const { bars } = graph.run
  const grid = el('div', { class: 'mesh', role: 'img', id: 'mesh' })
  grid.style.aspectRatio = `${columns} / ${rows}`
  const title = el('h4', {})
  const areasAt = (now: number): number[] =>
    [...bars.row.keys()].filter((bar) => {
      const from = bars.from[bar] ?? 0
      return (bars.area[4 * bar + 2] ?? 0) > 0 && from <= now && now < from + (bars.length[bar] ?? 0)
    })
  // while nothing is selected: at the end nobody would be left
  const some = bars.from.filter((_, bar) => bar % Math.ceil(bars.from.length / MOMENTS) === 0)
  const fullest = some.reduce((best, at) => (areasAt(at).length > areasAt(best).length ? at : best), 0)
  store.listen(({ event }) => {
    const now = event >= 0 ? (graph.at[event] ?? 0) : fullest
    const there = areasAt(now)
    title.textContent = `The mesh at ${timeText(now)}`
    grid.setAttribute('aria-label', there.map(say).join('; ') || 'nobody has processors')
    grid.replaceChildren(
      ...there.map((bar) => {
        const [row = 0, column = 0, high = 0, wide = 0] = bars.area.slice(4 * bar, 4 * bar + 4)
        const cell = el(
          'div',
          { title: say(bar), class: 'area' },
          (graph.run.rows[bars.row[bar] ?? 0] ?? '').replace('job ', ''),
        )
        const percent = (part: number, of: number): string => `${(100 * part) / of}%`
        Object.assign(cell.style, {
          ...{ left: percent(column, columns), top: percent(row, rows) },
          ...{ width: percent(wide, columns), height: percent(high, rows) },
          background: `var(--${nth(bars.row[bar] ?? 0)})`,
        })
        return cell
      }),
    )
  })
  return el('div', {}, title, grid)
}

/** That are looked at for the one with the most partitions. */
const MOMENTS = 50
