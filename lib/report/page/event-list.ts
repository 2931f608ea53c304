/** The events in sight of a diagram as text: for screen readers, for a search in the page, and to be copied. */
import { shortUnits } from '../../core/format.ts'
import { button, el } from './dom.ts'
import type { Store } from './store.ts'
import { eventText } from './words.ts'

/** The most events that are listed. */
const LISTED_MAX = 200

export interface EventList {
  readonly element: HTMLElement
  /** Lists what is in sight now, if the list is open. */
  update(): void
}

/** `inSight` tells the events in sight, in the order of their places. */
export function eventList(store: Store, inSight: () => readonly number[]): EventList {
  const list = el('ol', {})
  const rest = el('p', { class: 'faint' })
  const element = el('details', { class: 'events' }, el('summary', {}, 'Events in sight as a list'), list, rest)
  const update = (): void => {
    if (!element.open) return
    const { graph, choice } = store
    const events = inSight()
    const items = events.slice(0, LISTED_MAX).map((event) => {
      const isSelected = event === choice.event ? 'true' : undefined
      const text = `${shortUnits(graph.at[event] ?? 0)}  ${eventText(graph, event)}`
      return el(
        'li',
        {},
        button(text, () => store.choose({ event }), { class: 'link', 'aria-current': isSelected }),
      )
    })
    const hasFocus = list.contains(document.activeElement)
    list.replaceChildren(...items)
    if (hasFocus) list.querySelector<HTMLElement>('[aria-current]')?.focus()
    const left = events.length - items.length
    rest.textContent = left > 0 ? `${left.toLocaleString('en')} more are in sight: zoom in to list them.` : ''
  }
  element.addEventListener('toggle', update)
  return { element, update }
}
