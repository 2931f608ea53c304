/** Leads from the links of a page to their places in its runs. */
import { linkIn } from '../moments.ts'
import type { Store } from './store.ts'

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

/** Scrolls to what a link has selected: the life of an object, or else an event of the diagram, or that the diagram does not have it. */
export function reveal(place: HTMLElement, isObject: boolean): void {
  const life = isObject ? place.querySelector('.life:not(:empty)') : null
  // a reader who chooses in a table keeps the table in sight
  const block = place.contains(document.activeElement) ? 'nearest' : life ? 'start' : 'center'
  const shown = life ?? place.querySelector('#beyond:not(:empty)') ?? place.querySelector('#diagram')
  shown?.scrollIntoView({ block })
}
