/** The script of a live page: its server sends changes of the run, and takes faults by hand. */

import { h, render } from 'preact'
import { isObject, type Plain } from '../../core/data.ts'
import { clockUnits } from '../../core/format.ts'
import { UNIT } from '../../core/time.ts'
import { changed } from '../delta.ts'
import { Graph } from '../graph.ts'
import type { LiveMessage, LiveStatus } from '../live-messages.ts'
import { linkIn } from '../moments.ts'
import { titleOf } from '../title.ts'
import type { Front, ShownPicture, ShownRun, ShownTable } from '../types.ts'
import { answer, results, resultTable } from '../view/front.ts'
import { reveal } from './address-bar.ts'
import { controls } from './controls.ts'
import { button, el } from './dom.ts'
import { enhance } from './enhance.ts'
import { listenForKeys } from './keys.ts'
import { runView } from './run.ts'
import { laneOf } from './scene.ts'
import { showSoFar } from './so-far.ts'
import { Store } from './store.ts'

/** The time between two updates of the shown clock of a run, in milliseconds. */
const TICK_MS = 250

const isRun = (value: Plain): value is ShownRun => isObject(value) && 'events' in value

/** Follows the link in the address of the page, now and whenever it changes; `place` has the runs. */
export function followLinks(place: HTMLElement, storeOf: () => Store | undefined): void {
  const follow = (): void => {
    const link = linkIn(location.hash)
    if (!link) return
    storeOf()?.follow(link)
    reveal(place, 'object' in link)
  }
  addEventListener('hashchange', follow)
  follow()
}

function live(state: HTMLElement, runs: HTMLElement): void {
  let store: Store | undefined
  const hand = controls()
  const place = el('div', { class: 'runs' })
  const numbers = el('div', { id: 'metrics' })
  const soFar = el('div', {})
  const save = el('a', { id: 'save', href: 'report', download: '' }, 'Save this page')
  let isPaused = false
  const follow = button('Pause the pictures', () => {
    isPaused = !isPaused
    follow.textContent = isPaused ? 'Follow the run' : 'Pause the pictures'
    if (isPaused || !isRun(run) || !store) return
    store.show(new Graph(run))
    store.lookAtEnd()
  })
  const tools = el('div', { class: 'tools' }, follow, save)
  runs.replaceChildren(tools, soFar, hand.element, numbers, place)
  followLinks(place, () => store)
  state.className = 'verdict'
  state.textContent = '○ connecting to the run'
  let pictures: readonly ShownPicture[] = []
  let run: Plain = null
  let last: LiveStatus | undefined
  listenForKeys(() => store)

  /** When the last message came. */
  let heard = performance.now()
  const tell = (): void => {
    if (!last) return
    const { totals, now, steps, scale } = last
    const actors = totals.alive === 1 ? '1 actor has' : `${totals.alive} actors have`
    // in real time the clock of the run goes on between two messages
    const at = now + ((performance.now() - heard) / scale) * UNIT
    state.textContent = steps === 0 ? `● starting: ${actors} started so far` : `● running, at ${clockUnits(at)}`
  }
  const clock = setInterval(() => {
    if (source.readyState === EventSource.OPEN) tell()
  }, TICK_MS)
  const show = (next: Plain, status: LiveStatus): void => {
    run = next
    last = status
    heard = performance.now()
    tell()
    if (isRun(next) && !store) {
      store = new Store(new Graph(next), null)
      place.replaceChildren(runView(store))
      store.listen(({ event }, graph) => hand.mark(event < 0 ? '' : graph.laneName(laneOf(graph, event))))
    } else if (isRun(next) && !isPaused) store?.show(new Graph(next))
    hand.show(status)
    if (isRun(next)) showSoFar(soFar, next, status, pictures, false)
    showMetrics(numbers, status.metrics)
  }
  const take = (message: LiveMessage): void => {
    if (message.type === 'whole' || message.type === 'more') pictures = message.pictures ?? pictures
    if (message.type === 'whole') show(message.run, message.status)
    else if (message.type === 'more') show(changed(run, message.delta ?? undefined), message.status)
    else {
      clearInterval(clock)
      source.close()
      hand.over()
      follow.remove()
      if (isPaused && isRun(run)) store?.show(new Graph(run))
      store?.end()
      save.replaceWith(
        el('span', { class: 'faint' }, 'The run is over. With --report FILE a command writes its page to a file.'),
      )
      state.textContent = '■ interrupted'
      if (message.type !== 'end') return
      // the results have the last ones
      showMetrics(numbers, [])
      if (isRun(run) && last) showSoFar(soFar, run, last, pictures, true)
      showEnd(message.front)
    }
  }
  const source = new EventSource('events')
  source.addEventListener('message', ({ data }) => take(JSON.parse(data)))
  source.addEventListener('open', () => {
    if (!last) state.textContent = '○ connected: the first picture is being made'
  })
  // the browser reconnects by itself while the server is there
  source.addEventListener('error', () => {
    clearInterval(source.readyState === EventSource.CLOSED ? clock : undefined)
    state.textContent = source.readyState === EventSource.CLOSED ? '✗ not connected' : '○ the connection is lost'
  })
}

/** Shows the numbers of the actors, if they are measured. */
const showMetrics = (place: HTMLElement, tables: readonly ShownTable[]): void =>
  render(tables.length > 0 ? h('section', { 'aria-label': 'Metrics' }, tables.map(resultTable)) : null, place)

/** Shows the answer and the results of a run that is over. */
function showEnd(front: Front): void {
  document.title = titleOf(front)
  for (const [id, part] of [
    ['answer', answer(front)],
    ['results', results(front)],
  ] as const) {
    const made = el('div', {})
    render(part, made)
    document.getElementById(id)?.replaceWith(...made.childNodes)
  }
  for (const id of ['answer', 'results']) {
    const part = document.getElementById(id)
    if (part) enhance(part)
  }
}

const [state, runs] = ['verdict', 'runs'].map((id) => document.getElementById(id))
if (state && runs) live(state, runs)
