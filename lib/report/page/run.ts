/** All views of one run. */
import { details } from './details.ts'
import { diagram } from './diagram.ts'
import { el } from './dom.ts'
import { objects } from './objects.ts'
import { overview } from './overview.ts'
import { statecharts } from './statechart.ts'
import type { Store } from './store.ts'
import { timeline } from './timeline.ts'

export function runView(store: Store): HTMLElement {
  const { name } = store.graph.run
  const omissions = el('div', {})
  const said = store.of(({ run }) => run.omissions.map((omission) => el('p', { class: 'omission' }, omission)))
  store.listen(() => omissions.replaceChildren(...said()))
  return el(
    'section',
    { class: 'run', 'aria-label': name || 'The run' },
    // of two runs the titles are as high, so that what is below them is side by side
    el('div', {}, el('h2', {}, name || 'The run'), omissions),
    el(
      'div',
      {},
      overview(store),
      timeline(store),
      objects(store),
      ...diagram(store),
      el('div', { class: 'beside' }, el('div', {}, el('h3', {}, 'Event'), details(store)), statecharts(store)),
    ),
  )
}
