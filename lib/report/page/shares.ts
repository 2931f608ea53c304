/** The timeline in numbers. */
import type { Graph } from '../graph.ts'
import { el, tableOf } from './dom.ts'
import type { Store } from './store.ts'

/** A table of the share of time that each row spent in each tone. */
export function shares(store: Store, tones: () => readonly string[]): HTMLElement {
  const place = el('div', { class: 'scroll' })
  const part = el('details', { id: 'shares' }, el('summary', {}, 'Shares of the time'), place)
  const table = store.of((graph) => tableOfShares(graph, tones()))
  const show = (): void => {
    if (part.open) place.replaceChildren(table())
  }
  part.addEventListener('toggle', show)
  store.listen(show)
  return part
}

/** The most columns of the table; wider ones are hard to read. */
const SHOWN_MAX = 8

function tableOfShares(graph: Graph, tones: readonly string[]): HTMLElement {
  const { rows, bars, gaps, until } = graph.run
  const shown = tones.slice(0, SHOWN_MAX)
  const sums = rows.map(() => new Map<string, number>())
  for (const [bar, row] of bars.row.entries()) {
    const tone = graph.text(bars.tone[bar])
    sums[row]?.set(tone, (sums[row]?.get(tone) ?? 0) + (bars.length[bar] ?? 0))
  }
  const percent = (time: number): string => `${((100 * time) / Math.max(1, until)).toFixed(1)} %`
  const cells = sums.map((own, row) => {
    const busy = [...own.values()].reduce((sum, time) => sum + time, 0)
    const each = shown.map((tone) => percent(own.get(tone) ?? 0))
    const missing = gaps.find((gap) => gap.row === row)?.length ?? 0
    const nothing = percent(Math.max(0, until - busy - missing))
    return [rows[row] ?? '', ...each, nothing, ...(gaps.length > 0 ? [percent(missing)] : [])]
  })
  const head = ['', ...shown, 'nothing', ...(gaps.length > 0 ? ['not on this page'] : [])]
  return tableOf(head, cells, { class: 'numbers' })
}
