/** The script of a report page: reads the report that the page carries, and shows it. */

import { Graph } from '../graph.ts'
import type { Report, ShownRun } from '../types.ts'
import { button, el } from './dom.ts'
import { livePage } from './live.ts'
import { runView } from './run.ts'
import { Store } from './store.ts'
import { top } from './top.ts'

function reportIn(element: HTMLElement | null): Report {
  return JSON.parse(element?.textContent ?? '')
}

const viewOf = (run: ShownRun): HTMLElement => runView(new Store(new Graph(run), false))

/** The views of all runs: two runs side by side, more as tabs. */
function runs({ runs: all, omitted }: Report): HTMLElement[] {
  const notes = omitted > 0 ? [el('p', { class: 'omission' }, `${omitted} more runs are not shown.`)] : []
  if (all.length <= 2) return [...notes, el('div', { class: `runs of${all.length}` }, ...all.map(viewOf))]
  const place = el('div', { class: 'runs' })
  const tabs = all.map((run) => {
    const tab = button(run.name, () => show(tab), { role: 'tab', 'aria-selected': 'false' })
    // the view of a tab is made when it is first shown
    let view: HTMLElement | undefined
    const kept = (): HTMLElement => {
      view ??= viewOf(run)
      return view
    }
    return Object.assign(tab, { kept })
  })
  const show = (chosen: HTMLElement): void => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      if (tab === chosen) place.replaceChildren(tab.kept())
    }
  }
  if (tabs[0]) show(tabs[0])
  return [...notes, el('div', { role: 'tablist', 'aria-label': 'Runs', class: 'tabs' }, ...tabs), place]
}

const report = reportIn(document.getElementById('report'))
document.body.append(report.isLive ? livePage(report) : el('main', {}, ...top(report), ...runs(report)))
