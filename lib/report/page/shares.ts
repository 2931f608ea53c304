/** What the timeline shows, in numbers. */
import type { Graph } from '../graph.ts'
import { el, tableOf } from './dom.ts'

/** Of each row how much of the time it was what. */
export function shares(graph: Graph, tones: readonly string[]): HTMLElement {
  const { rows, bars, until } = graph.run
  const shown = tones.slice(0, 8)
  const sums = rows.map(() => new Map<string, number>())
  for (const [bar, row] of bars.row.entries()) {
    const tone = graph.text(bars.tone[bar])
    sums[row]?.set(tone, (sums[row]?.get(tone) ?? 0) + (bars.length[bar] ?? 0))
  }
  const percent = (time: number): string => `${((100 * time) / Math.max(1, until)).toFixed(1)} %`
  const cells = sums.map((own, row) => {
    const busy = [...own.values()].reduce((sum, time) => sum + time, 0)
    const each = shown.map((tone) => percent(own.get(tone) ?? 0))
    return [rows[row] ?? '', ...each, percent(until - busy)]
  })
  return el(
    'details',
    { id: 'shares' },
    el('summary', {}, 'Shares of the time'),
    tableOf(['', ...shown, 'nothing'], cells, { class: 'numbers' }),
  )
}
