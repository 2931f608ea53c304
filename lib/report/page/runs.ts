/** The script of a page with runs: shows them, and leads from the sentences of the front to their places. */
import { Graph } from '../graph.ts'
import type { Runs, ShownRun } from '../types.ts'
import { dataOf } from './data.ts'
import { button, el } from './dom.ts'
import { enhance } from './enhance.ts'
import { followLinks } from './follow.ts'
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

/** Shows the runs in a place: two side by side, more as tabs. Returns the views that are shown at a time. */
function show({ runs, omitted }: Runs, place: HTMLElement): () => readonly View[] {
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
    return () => views
  }
  const panel = el('div', { class: 'runs' })
  let shown: readonly View[] = []
  const tabs = runs.map((run) => {
    const tab = button(run.name, () => choose(tab), { role: 'tab', 'aria-selected': 'false' })
    // the view of a tab is made when it is first shown
    let view: View | undefined
    const kept = (): View => {
      view ??= viewOf(run)
      return view
    }
    return Object.assign(tab, { kept })
  })
  const choose = (chosen: HTMLElement): void => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      if (tab !== chosen) continue
      shown = [tab.kept()]
      panel.replaceChildren(tab.kept().element)
    }
  }
  if (tabs[0]) choose(tabs[0])
  place.replaceChildren(...notes, el('div', { role: 'tablist', 'aria-label': 'Runs', class: 'tabs' }, ...tabs), panel)
  return () => shown
}

enhance(document)
const place = document.getElementById('runs')
if (place) {
  const views = show(await dataOf(document.getElementById('data')), place)
  // of two runs side by side the other one follows
  followLinks(place, () => views()[0]?.store)
}
