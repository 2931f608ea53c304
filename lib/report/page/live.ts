/** A live page: its server sends changes of the run, and takes faults by hand. */

import { isObject, type Plain } from '../../core/data.ts'
import { changed } from '../delta.ts'
import { Graph } from '../graph.ts'
import type { LiveMessage, LiveStatus } from '../live-messages.ts'
import type { Report, ShownRun } from '../types.ts'
import { controls } from './controls.ts'
import { el } from './dom.ts'
import { runView } from './run.ts'
import { laneOf } from './scene.ts'
import { Store } from './store.ts'
import { header, top } from './top.ts'
import { timeText } from './words.ts'

const isRun = (value: Plain): value is ShownRun => isObject(value) && 'events' in value

export function livePage(report: Report): HTMLElement {
  const state = el('p', { class: 'verdict', id: 'verdict' }, 'connecting')
  const head = el('div', {}, header(report, state))
  const hand = controls()
  const place = el('div', { class: 'runs' })
  const page = el('main', {}, head, hand.element, place)
  let run: Plain = null
  let store: Store | undefined

  const show = (next: Plain, status: LiveStatus): void => {
    run = next
    state.textContent = `● running, at ${timeText(status.now)}`
    if (isRun(next) && !store) {
      store = new Store(new Graph(next), true)
      place.replaceChildren(runView(store))
      store.listen(({ event }, graph) => hand.suggest(event < 0 ? '' : graph.laneName(laneOf(graph, event))))
    } else if (isRun(next)) store?.show(new Graph(next))
    hand.show(status)
  }
  const take = (message: LiveMessage): void => {
    if (message.type === 'whole') show(message.run, message.status)
    else if (message.type === 'more') show(changed(run, message.delta ?? undefined), message.status)
    else {
      source.close()
      hand.over()
      state.textContent = '■ interrupted'
      if (message.type === 'end') head.replaceChildren(...top(message.report))
    }
  }
  const source = new EventSource('events')
  source.addEventListener('message', ({ data }) => take(JSON.parse(data)))
  // the browser reconnects by itself while the server is there
  source.addEventListener('error', () => {
    state.textContent = source.readyState === EventSource.CLOSED ? '✗ not connected' : '○ the connection is lost'
  })
  return page
}
