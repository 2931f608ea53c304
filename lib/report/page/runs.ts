/** The script of a page with runs: shows them, and leads from the sentences of the front to their places. */
import { Graph } from '../graph.ts'
import type { Runs, ShownRun } from '../types.ts'
import { addressBar } from './address-bar.ts'
import { dataOf } from './data.ts'
import { button, el } from './dom.ts'
import { enhance } from './enhance.ts'
import { listenForKeys } from './keys.ts'
import { lock } from './lock.ts'
import { runView } from './run.ts'
import { Store } from './store.ts'

interface View {
  readonly store: Store
  readonly element: HTMLElement
}

function viewOf(run: ShownRun): View {
  const store = new Store(new Graph(run), false)
  return { store, element: runView(store) }
}

/** The views that are shown at a time, and how another run is shown. */
interface Shown {
  /** The place of the run that is shown, or of the first of two. */
  readonly run: () => number
  readonly views: () => readonly View[]
  readonly choose: (run: number) => void
}

/** Shows the runs in a place: two side by side, more as tabs. `onView` hears of each view whose run may be in the address. */
function show({ runs, omitted }: Runs, place: HTMLElement, onView: (view: View) => void, onSwitch: () => void): Shown {
  const notes = omitted > 0 ? [el('p', { class: 'omission' }, `${omitted} more runs are not shown.`)] : []
  if (runs.length <= 2) {
    const views = runs.map(viewOf)
    const [one, other] = views
    if (one && other) {
      lock(one.store, other.store)
      // an id is allowed once in a document
      for (const element of other.element.querySelectorAll('[id]')) element.id += '-2'
    }
    place.replaceChildren(
      ...notes,
      el('div', { class: `runs of${runs.length}` }, ...views.map(({ element }) => element)),
    )
    // of two runs side by side the other one follows
    if (one) onView(one)
    return { run: () => 0, views: () => views, choose: () => {} }
  }
  const panel = el('div', { class: 'runs' })
  const others = el('p', { class: 'faint printed' })
  const made: View[] = []
  let shown = -1
  const tabs = runs.map(({ name }, run) => button(name, () => choose(run), { role: 'tab', 'aria-selected': 'false' }))
  const choose = (next: number): void => {
    const run = runs[next]
    if (!run || next === shown) return
    const isFirst = shown < 0
    shown = next
    others.textContent = `Of ${runs.length} runs, this is “${run.name}”. Choose another one on the page, and print it again.`
    for (const [i, tab] of tabs.entries()) tab.setAttribute('aria-selected', String(i === shown))
    // the view of a tab is made when it is first shown
    const known = made[next]
    const view = known ?? viewOf(run)
    made[next] = view
    panel.replaceChildren(view.element)
    if (!known) onView(view)
    if (!isFirst) onSwitch()
  }
  place.replaceChildren(
    ...notes,
    el('div', { role: 'tablist', 'aria-label': 'Runs', class: 'tabs' }, ...tabs),
    others,
    panel,
  )
  choose(0)
  return {
    run: () => shown,
    choose,
    views: () => {
      const view = made[shown]
      return view ? [view] : []
    },
  }
}

function start(runs: Runs, place: HTMLElement): void {
  let shown: Shown | undefined
  const current = (): Store | undefined => shown?.views()[0]?.store
  const bar = addressBar({
    run: () => shown?.run() ?? 0,
    store: current,
    choose: (run) => shown?.choose(run),
    place,
  })
  shown = show(
    runs,
    place,
    ({ store }) => bar.watch(store),
    () => bar.switched(),
  )
  listenForKeys(current)
  bar.open()
}

enhance(document)
const place = document.getElementById('runs')
if (place) start(await dataOf(document.getElementById('data')), place)
