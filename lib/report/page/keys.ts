/** The keys of a page, which act wherever the focus is, and the list of them. */
import { EVERYTHING } from '../filter.ts'
import { button, el, tableOf } from './dom.ts'
import type { Action, Store } from './store.ts'

/** The actions of keys. Letters work in lower and upper case. */
const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['w', 'zoom in'],
  ['s', 'zoom out'],
  ['a', 'left'],
  ['d', 'right'],
  ['f', 'center'],
  ['/', 'find'],
  ['n', 'next found'],
  ['p', 'previous found'],
  ['ArrowLeft', 'step back'],
  ['ArrowRight', 'step'],
  ['Home', 'start'],
  ['End', 'end'],
])
/** These also scroll, and act only while a picture has the focus. */
const SCROLLING: ReadonlySet<string> = new Set(['Home', 'End'])

const HELP: readonly (readonly [keys: string, says: string])[] = [
  ['W, S', 'zoom in, zoom out'],
  ['A, D', 'move the window to the left, to the right'],
  ['←, →', 'select the event before, the next event (in the strip: move the window)'],
  ['Home, End', 'in a picture: move the window to the beginning, to the end of the run'],
  ['+, −, 0', 'in a picture: zoom in, zoom out, the whole run'],
  ['F', 'move the window to the selected event'],
  ['Esc', 'clear the selection, and then the filter'],
  ['/', 'search'],
  ['N, P', 'select the next or previous match of the filter; without a filter, the next or previous object found'],
  ['Enter', 'in a field of the filter: the next match; with Shift, the previous one'],
  ['?', 'this list'],
]

let help: HTMLDialogElement | undefined
/** Whether keys act wherever the focus is, and not only in pictures. */
const everywhere = el('input', { type: 'checkbox', checked: true })

export function openHelp(): void {
  if (!help) {
    help = el(
      'dialog',
      { 'aria-label': 'Keys', id: 'keys' },
      el('h3', {}, 'Keys'),
      tableOf(['key', 'what it does'], HELP),
      el('p', {}, el('label', {}, everywhere, ' they act wherever the focus is, and not only in pictures')),
      button('Close', () => help?.close()),
    )
    document.body.append(help)
  }
  help.showModal()
}

/** Makes the keys act on the run that is shown. */
export function listenForKeys(shown: () => Store | undefined): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event
    const store = shown()
    if (!store || ctrlKey || metaKey || altKey || defaultPrevented || help?.open) return
    if (!(target instanceof Element) || target.closest('input, select, textarea, [tabindex].list')) return
    const isPicture = target.closest('canvas, .overview') !== null
    if (!isPicture && (!everywhere.checked || SCROLLING.has(key))) return
    if (!handled(store, key.length === 1 ? key.toLowerCase() : key)) return
    event.preventDefault()
  })
}

function handled(store: Store, key: string): boolean {
  const action = ACTIONS.get(key)
  if (action === 'find' && store.graph.run.objects.length === 0) document.getElementById('topic')?.focus()
  else if (action) store.act(action)
  else if (key === '?') openHelp()
  else if (key === 'Escape') clear(store)
  else return false
  return true
}

/** Clears the selection; without one, clears the filter. */
function clear(store: Store): void {
  const { event, object } = store.choice
  store.choose(event < 0 && object === '' ? { filter: EVERYTHING } : { event: -1, object: '' })
}
