/** Keeps what a page shows in the fragment of its address, so that a copied address opens the page at the same place. */
import { fragmentOf, type Place, placeIn } from '../address.ts'
import { EVERYTHING } from '../filter.ts'
import { linkIn, runIn } from '../moments.ts'
import { isWhole } from '../viewport.ts'
import type { Store } from './store.ts'

/** The pause after the last change before the address is written, in milliseconds. Browsers limit how often it may change. */
const CALM = 250

export interface Runs {
  /** The run that is shown, by its place. */
  readonly run: () => number
  readonly store: () => Store | undefined
  /** Shows another run; a place that no run has changes nothing. */
  readonly choose: (run: number) => void
  /** What has the pictures of the runs. */
  readonly place: HTMLElement
}

export interface AddressBar {
  /** Shows the place in the address that the page was opened with. */
  open(): void
  /** Writes the address after each change of a run. */
  watch(store: Store): void
  /** Another run is shown: a step that the back button takes back. */
  switched(): void
}

export function addressBar({ run, store, choose, place: pictures }: Runs): AddressBar {
  let timer: number | undefined
  /** Whether changes come from the address itself. */
  let isFollowing = false
  /** Where each run was when it was first shown. */
  const first = new Map<Store, Place>()

  const placeOf = (one: Store): Place => {
    const { sight, choice } = one
    const window = isWhole(sight.window, sight.bounds) ? null : sight.window
    return { ...choice, run: run(), window, columns: choice.axis === 'order' ? sight.columns : null }
  }
  const write = (isStep = false): void => {
    clearTimeout(timer)
    const shown = store()
    if (!shown) return
    const fragment = fragmentOf(placeOf(shown))
    if (fragment === location.hash) return
    if (isStep) history.pushState(null, '', fragment)
    else history.replaceState(null, '', fragment)
  }
  const changed = (): void => {
    if (isFollowing) return
    clearTimeout(timer)
    timer = window.setTimeout(write, CALM)
  }
  const follow = (): void => {
    clearTimeout(timer)
    isFollowing = true
    const place = placeIn(location.hash)
    const link = place ? undefined : linkIn(location.hash)
    // a link that names no run leads into the one that is shown
    const named = runIn(location.hash)
    const next = link ? named : (place?.run ?? named ?? 0)
    if (next !== undefined) choose(next)
    const shown = store()
    if (shown && link) shown.follow(link)
    else if (shown) show(shown, { ...first.get(shown), ...place })
    isFollowing = false
    if (link) reveal(pictures, 'object' in link)
    else if (!place && named !== undefined) pictures.scrollIntoView()
  }
  addEventListener('hashchange', follow)
  return {
    open() {
      if (location.hash.length > 1) follow()
    },
    watch(one) {
      first.set(one, placeOf(one))
      one.listen(changed)
      one.sight.onWindow(changed)
      clearTimeout(timer)
    },
    switched() {
      if (!isFollowing) write(true)
    },
  }
}

/** Shows a place, as far as the run has it. */
function show(
  store: Store,
  { event = -1, object = '', filter = EVERYTHING, axis, isWhole, window, columns, moment }: Partial<Place>,
): void {
  const { graph, sight } = store
  const isType = filter.type === '' || graph.run.texts.includes(filter.type)
  store.choose({
    event: event < graph.count ? event : -1,
    object,
    filter: isType ? filter : { ...filter, type: '' },
    axis: axis ?? 'order',
    isWhole: isWhole ?? false,
    moment: moment ?? null,
  })
  if (window) sight.look(window, columns)
  else if (window === null) sight.lookAtAll()
}

/** Scrolls to what a link has selected: the life of an object, or else an event of the diagram, or that the diagram does not have it. */
export function reveal(place: HTMLElement, isObject: boolean): void {
  const life = isObject ? place.querySelector('.life:not(:empty)') : null
  // a reader who chooses in a table keeps the table in sight
  const block = place.contains(document.activeElement) ? 'nearest' : life ? 'start' : 'center'
  const shown = life ?? place.querySelector('#beyond:not(:empty)') ?? place.querySelector('#diagram')
  shown?.scrollIntoView({ block })
}
