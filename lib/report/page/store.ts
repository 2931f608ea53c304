/** The state of the page, which all its views show: the run, the filter and the selection. */

import type { Link } from '../../scenario/page.ts'
import type { AxisName } from '../address.ts'
import type { Common } from '../common.ts'
import type { Twins } from '../counterpart.ts'
import { EVERYTHING, type Filter, isEverything } from '../filter.ts'
import type { Graph } from '../graph.ts'
import { beyondAt, beyondOf, idOf, momentOf, sightOf } from '../moments.ts'
import { movedEvent } from '../moved-event.ts'
import { Sight } from '../sight.ts'
import { showing, spanning } from '../viewport.ts'

export interface PageState {
  /** The selected event; -1 for none, and then the selected moment is the end of the shown run. */
  readonly event: number
  readonly filter: Filter
  /** The object in hand, such as `task 15`; '' for none. */
  readonly object: string
  /** Whether all that happened before and after the selected event is highlighted, and not only its chain of causes. */
  readonly isWhole: boolean
  /** Whether the diagram shows events by order or by time. */
  readonly axis: AxisName
  /** The instant that the reader chose for the map of a grid; null if the selected event decides. */
  readonly moment: number | null
  /** What the page says if the place that was asked for lies beyond its events; '' otherwise. */
  readonly beyond: string
}

/** What a key or a button may ask of the pictures. */
export type Action =
  | 'zoom in'
  | 'zoom out'
  | 'left'
  | 'right'
  | 'start'
  | 'end'
  | 'center'
  | 'step back'
  | 'step'
  | 'find'
  | 'next found'
  | 'previous found'

type Listener = (choice: PageState, graph: Graph) => void

export class Store {
  /** Whether this is a live page, whose run goes on or went on. */
  readonly isLive: boolean
  #isOver = false
  /** The window of time that all pictures show. */
  readonly sight: Sight
  /** What the run shares with the others of its page; null while it goes on. */
  readonly common: Common | null
  #twins: Twins | null = null
  #graph: Graph
  #choice: PageState
  readonly #listeners: Listener[] = []
  readonly #actors: ((action: Action) => void)[] = []

  /** Without what it has in `common` with the other runs of its page, the run is still going on. */
  constructor(graph: Graph, common: Common | null) {
    this.#graph = graph
    this.#choice = {
      event: graph.run.focus,
      filter: EVERYTHING,
      object: '',
      isWhole: false,
      axis: 'order',
      moment: null,
      beyond: '',
    }
    this.isLive = common === null
    this.common = common
    this.sight = new Sight(common?.until ?? graph.run.until, graph.begins)
  }

  get choice(): PageState {
    return this.#choice
  }

  get graph(): Graph {
    return this.#graph
  }

  /** Which events the run next to this one has, too; null if there is none. */
  get twins(): Twins | null {
    return this.#twins
  }

  /** Shows which events the run next to this one has, too. */
  compare(twins: Twins): void {
    this.#twins = twins
    this.#tell()
  }

  choose(part: Partial<PageState>): void {
    const { event, moment } = this.#choice
    const isMoved = part.event !== undefined && part.event !== event
    this.#choice = { ...this.#choice, beyond: '', moment: isMoved ? null : moment, ...part }
    this.#tell()
  }

  /** Selects the last event up to an instant, in any of the lanes (default: all). Beyond the events of the page it selects none, and says so. */
  visit(at: number, lanes?: readonly number[]): void {
    const beyond = beyondAt(this.#graph, at)
    this.choose({ event: beyond === '' ? this.#graph.lastAt(at, lanes) : -1, beyond })
  }

  /** Selects the place that a link leads to. Only messages about an object are shown then, if there are any. */
  follow(link: Link): void {
    const object = 'object' in link ? link.object : ''
    const topic = idOf(object)
    const filter = object !== '' && this.#graph.isTopic(topic) ? { ...EVERYTHING, topic } : EVERYTHING
    const beyond = beyondOf(this.#graph, link)
    this.choose({ event: momentOf(this.#graph, link), filter, object, beyond })
    // the timeline is about the whole run
    if (!('actor' in link) && 'at' in link && beyond !== '')
      this.sight.look(showing(this.sight.window, link.at, this.sight.bounds))
    const life = object !== '' && beyond === '' ? sightOf(this.#graph, object) : undefined
    if (life) this.sight.look(spanning(life, this.sight.bounds))
  }

  /** Replaces the run by a longer one, whose first events may be left out. */
  show(graph: Graph): void {
    const event = movedEvent(this.#choice.event, this.#graph.run.window, graph.run.window)
    this.#choice = { ...this.#choice, event }
    this.#graph = graph
    this.sight.grow(graph.run.until, event < 0, graph.begins)
    this.#tell()
  }

  /** Whether the run is still going on. */
  get isRunning(): boolean {
    return this.isLive && !this.#isOver
  }

  /** The run of a live page is over. */
  end(): void {
    this.#isOver = true
    this.#tell()
  }

  /** Selects nothing, and moves the window to the end of the run, which it then follows. */
  lookAtEnd(): void {
    const { window, bounds } = this.sight
    this.sight.look({ from: bounds.to - (window.to - window.from), to: bounds.to })
    this.choose({ event: -1 })
  }

  /** Calls `listener` at once, and after every change of the selection or of the run. */
  listen(listener: Listener): void {
    this.#listeners.push(listener)
    listener(this.#choice, this.#graph)
  }

  /** Asks all views to do something; one of them does. */
  act(action: Action): void {
    for (const actor of this.#actors) actor(action)
  }

  onAction(actor: (action: Action) => void): void {
    this.#actors.push(actor)
  }

  /** A value that depends on the run alone: computed when needed, and again when the run has grown. */
  of<T>(make: (graph: Graph) => T): () => T {
    let made: { readonly graph: Graph; readonly value: T } | undefined
    return () => {
      if (made?.graph !== this.#graph) made = { graph: this.#graph, value: make(this.#graph) }
      return made.value
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.#choice, this.#graph)
  }
}

/** Says whether the reader has set a filter, and not only selected an object, whose messages are shown then. */
export function isTyped({ choice: { filter, object } }: Store): boolean {
  const { actors, type, topic } = filter
  return !isEverything(filter) && (object === '' || topic !== idOf(object) || `${actors}${type}` !== '')
}
