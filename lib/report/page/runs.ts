/** The script of a page with runs: shows them, and leads from the sentences of the front to their places. */
import { type Common, commonOf } from '../common.ts'
import { Graph } from '../graph.ts'
import type { Runs, ShownPair, ShownRun } from '../types.ts'
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

function viewOf(run: ShownRun, common: Common): View {
  const store = new Store(new Graph(run), common)
  return { store, element: runView(store) }
}

/** Runs that are shown together. */
interface Group extends ShownPair {
  /** The run of the group that the address names at first: one that no group before it has, if there is any. */
  readonly lead: number
}

/** Two runs are shown together, and more one by one, unless the page says which runs belong together. */
function groupsOf({ runs, pairs }: Runs): readonly Group[] {
  const places = [...runs.keys()]
  if (!pairs && runs.length <= 2) return [{ name: '', runs: places, lead: 0 }]
  const all = pairs ?? runs.map(({ name }, place): ShownPair => ({ name, runs: [place] }))
  const known = new Set<number>()
  return all.map((one) => {
    const lead = one.runs.find((run) => !known.has(run)) ?? one.runs[0] ?? 0
    for (const run of one.runs) known.add(run)
    return { ...one, lead }
  })
}

/** The views that are shown at a time, and how another run is shown. */
interface Shown {
  /** The place of the run that is shown, or of the one of two that was chosen last. */
  readonly run: () => number
  readonly store: () => Store | undefined
  readonly choose: (run: number) => void
}

/** The views of a group. */
interface Made {
  readonly element: HTMLElement
  readonly views: readonly View[]
}

function make({ runs: places, lead }: Group, runs: readonly ShownRun[], common: Common): Made {
  const own = places.flatMap((place) => runs[place] ?? [])
  const views = own.map((run) => viewOf(run, common))
  const [one, other] = views
  if (one && other) {
    lock(one.store, other.store)
    // a run of several pairs opens where the other run of this pair does
    if (lead === places[1]) other.store.choose({ event: other.store.graph.run.focus })
    // an id is allowed once in a document
    for (const element of other.element.querySelectorAll('[id]')) element.id += '-2'
  }
  return {
    element: el('div', { class: `runs of${views.length}` }, ...views.map(({ element }) => element)),
    views,
  }
}

/** Shows the runs in a place: one group of them, and more groups as tabs. `onView` hears of each view whose run may be in the address. */
function show(all: Runs, place: HTMLElement, onView: (view: View) => void, onSwitch: () => void): Shown {
  const { runs, omitted } = all
  const notes = omitted > 0 ? [el('p', { class: 'omission' }, `${omitted} more runs are not shown.`)] : []
  const groups = groupsOf(all)
  const common = commonOf(runs)
  const panel = el('div', {})
  const others = el('p', { class: 'faint printed' })
  const made: Made[] = []
  let [shown, chosen] = [-1, 0]
  const tabs =
    groups.length < 2
      ? []
      : groups.map(({ name }, i) => button(name, () => open(i), { role: 'tab', 'aria-selected': 'false' }))
  const open = (next: number): void => {
    const group = groups[next]
    if (!group || next === shown) return
    const isFirst = shown < 0
    shown = next
    chosen = group.lead
    others.textContent = `Of ${groups.length} ${all.pairs ? 'comparisons' : 'runs'}, this is “${group.name}”. Choose another one on the page, and print it again.`
    for (const [i, tab] of tabs.entries()) tab.setAttribute('aria-selected', String(i === shown))
    // the views of a tab are made when it is first shown
    const known = made[next]
    const own = known ?? make(group, runs, common)
    made[next] = own
    panel.replaceChildren(own.element)
    if (!known) for (const view of own.views) onView(view)
    if (!isFirst) onSwitch()
  }
  const list =
    tabs.length > 0 ? [el('div', { role: 'tablist', 'aria-label': 'Runs', class: 'tabs' }, ...tabs), others] : []
  place.replaceChildren(...notes, ...list, panel)
  open(0)
  return {
    run: () => chosen,
    store: () => made[shown]?.views[groups[shown]?.runs.indexOf(chosen) ?? -1]?.store,
    choose: (run) => {
      open(groups[shown]?.runs.includes(run) ? shown : groups.findIndex((group) => group.runs.includes(run)))
      if (groups[shown]?.runs.includes(run)) chosen = run
    },
  }
}

function start(runs: Runs, place: HTMLElement): void {
  let shown: Shown | undefined
  const current = (): Store | undefined => shown?.store()
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
