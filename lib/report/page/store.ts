/** What is shown of a run: the one state of the page, which all its views show. */
import { EVERYTHING, type Filter } from '../filter.ts'
import type { Graph } from '../graph.ts'

export interface PageState {
  /** The selected event; -1: none, and the moment is the end of what is shown. */
  readonly event: number
  readonly filter: Filter
}

type Listener = (choice: PageState, graph: Graph) => void

export class Store {
  /** Does the run go on? */
  readonly isLive: boolean
  #graph: Graph
  #choice: PageState
  readonly #listeners: Listener[] = []

  constructor(graph: Graph, isLive: boolean) {
    this.#graph = graph
    this.#choice = { event: graph.run.focus, filter: EVERYTHING }
    this.isLive = isLive
  }

  get choice(): PageState {
    return this.#choice
  }

  get graph(): Graph {
    return this.#graph
  }

  choose(part: Partial<PageState>): void {
    this.#choice = { ...this.#choice, ...part }
    this.#tell()
  }

  /** There is more of the run. */
  show(graph: Graph): void {
    this.#graph = graph
    this.#tell()
  }

  /** Calls at once, and then after every change of what is chosen or of the run. */
  listen(listener: Listener): void {
    this.#listeners.push(listener)
    listener(this.#choice, this.#graph)
  }

  /** What follows from the run alone: made when it is asked for, and again when there is more of the run. */
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
