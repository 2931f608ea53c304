/** All views of one run. */
import { Graph } from '../graph.ts'
import type { ShownRun } from '../types.ts'
import { details } from './details.ts'
import { diagram } from './diagram.ts'
import { el } from './dom.ts'
import { statecharts } from './statechart.ts'
import { Store } from './store.ts'
import { timeline } from './timeline.ts'

export function runView(run: ShownRun): HTMLElement {
  const graph = new Graph(run)
  const store = new Store(run.focus)
  return el(
    'section',
    { class: 'run', 'aria-label': run.name || 'The run' },
    ...(run.name === '' ? [] : [el('h2', {}, run.name)]),
    ...run.omissions.map((omission) => el('p', { class: 'omission' }, omission)),
    ...timeline(graph, store),
    ...diagram(graph, store),
    el(
      'div',
      { class: 'beside' },
      el('div', {}, el('h3', {}, 'Event'), details(graph, store)),
      el('div', {}, ...statecharts(graph, store)),
    ),
  )
}
