/** The actors and machines of a live page: a row for each, with buttons that kill, restart and pause it. */
import { h, type JSX, render } from 'preact'
import type { LiveActor } from '../live-messages.ts'
import { actorRows, machineRows, type RosterRow, type RosterTable } from '../roster-rows.ts'
import { order } from '../sorting.ts'
import { el } from './dom.ts'

/** What the reader asked for, and what came of it; null while it is not known. */
export interface Reply {
  readonly who: string
  readonly text: string
  readonly isDone: boolean | null
}

export interface ActorTables {
  readonly element: HTMLElement
  /** Shows the listed actors, the number of those that are not, and of those that have ended. */
  show(actors: readonly LiveActor[], omitted: number, ended: number): void
  /** Shows the answer to a request in the row that it is about. */
  reply(reply: Reply): void
  /** Marks the row of the actor that the reader has selected. */
  mark(who: string): void
  /** Disables the buttons, since the run is over. */
  over(): void
}

export type OneFault = 'kill' | 'restart' | 'pause'

/** The rows that are listed at first (fewer on a phone, where a row is a card), and how many more each time. */
const ROWS = matchMedia('(max-width: 600px)').matches ? 5 : 12
const MORE = 100

export function actorTables(act: (type: OneFault, who: string) => void): ActorTables {
  const search = el('input', { type: 'search', size: 18, placeholder: 'find an actor', 'aria-label': 'Find an actor' })
  const note = el('p', { class: 'faint' })
  const [machines, actors] = [new RowTable('Machines', act), new RowTable('Actors', act)]
  const element = el('section', { class: 'roster', 'aria-label': 'Actors' }, machines.element, actors.element, note)
  actors.tools.append(search)
  search.addEventListener('input', () => actors.find(search.value.trim().toLowerCase()))
  const both = [machines, actors]
  let isOver = false
  let shown: readonly LiveActor[] = []
  return {
    element,
    show(all, omitted, ended) {
      shown = all
      const byMachine = machineRows(all, isOver)
      machines.element.hidden = byMachine.rows.length === 0
      machines.show(byMachine)
      actors.show(actorRows(all, isOver))
      const more = omitted > 0 ? [`${omitted.toLocaleString('en')} more actors are counted above, but not listed.`] : []
      const over =
        ended > 0 ? [`${ended.toLocaleString('en')} ${ended === 1 ? 'actor has' : 'actors have'} ended.`] : []
      note.textContent = [...more, ...over].join(' ')
    },
    reply(reply) {
      for (const table of both) table.reply(reply)
    },
    mark: (who) => actors.mark(who),
    over() {
      isOver = true
      for (const table of both) table.over()
      machines.show(machineRows(shown, isOver))
      actors.show(actorRows(shown, isOver))
    },
  }
}

/** A table that keeps its order and its search while its rows change. */
class RowTable {
  readonly element = el('div', { class: 'list' })
  readonly tools = el('div', { class: 'tools' })
  readonly #place = el('div', {})
  readonly #name: string
  readonly #act: (type: OneFault, who: string) => void
  #table: RosterTable = { head: [], numbers: [], rows: [] }
  #sorted: { readonly column: number; readonly isDown: boolean } | null = null
  /** The places of the rows by `who`, as they were last ordered. */
  #places = new Map<string, number>()
  #text = ''
  #most = ROWS
  #reply: Reply | null = null
  #marked = ''
  #isOver = false

  constructor(name: string, act: (type: OneFault, who: string) => void) {
    this.#name = name
    this.#act = act
    this.element.append(el('h3', {}, name), this.tools, this.#place)
  }

  show(table: RosterTable): void {
    this.#table = table
    // a row must not move away under the pointer or lose the focus
    const isHeld = this.#place.matches(':hover') || this.#place.contains(document.activeElement)
    if (!isHeld || table.rows.length !== this.#places.size) this.#order()
    this.#draw()
  }

  find(text: string): void {
    this.#text = text
    this.#draw()
  }

  reply(reply: Reply): void {
    this.#reply = reply
    this.#draw()
  }

  mark(who: string): void {
    this.#marked = who
    this.#draw()
  }

  over(): void {
    this.#isOver = true
    this.#draw()
  }

  #order(): void {
    const { rows } = this.#table
    const sorted = this.#sorted
    const places = sorted
      ? order(
          rows.map(({ cells }) => cells[sorted.column] ?? ''),
          sorted.isDown,
        )
      : [...rows.keys()]
    this.#places = new Map(places.map((row, place) => [rows[row]?.who ?? '', place]))
  }

  #sort(column: number): void {
    this.#sorted = { column, isDown: this.#sorted?.column === column && !this.#sorted.isDown }
    this.#order()
    this.#draw()
  }

  #draw(): void {
    const { head, rows } = this.#table
    const placeOf = ({ who }: RosterRow): number => this.#places.get(who) ?? rows.length
    const found = rows
      .filter(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(this.#text)))
      .sort((one, other) => placeOf(one) - placeOf(other))
    const shown = found.slice(0, this.#most)
    const heads = head.map((name, column) => this.#head(name, column))
    render(
      [
        h(
          'table',
          { 'aria-label': this.#name },
          h('thead', {}, h('tr', {}, heads, h('th', { scope: 'col' }, 'by hand'))),
          h(
            'tbody',
            {},
            shown.map((row) => this.#row(row)),
          ),
        ),
        found.length > shown.length &&
          h(
            'p',
            { class: 'faint' },
            `${shown.length} of ${found.length.toLocaleString('en')} are listed. `,
            h('button', { type: 'button', onClick: () => this.#more() }, 'Show more'),
          ),
      ],
      this.#place,
    )
  }

  #more(): void {
    this.#most += MORE
    this.#draw()
  }

  #head(name: string, column: number): JSX.Element {
    const isSorted = this.#sorted?.column === column
    return h(
      'th',
      {
        scope: 'col',
        class: this.#classOf(column),
        'aria-sort': isSorted ? (this.#sorted?.isDown ? 'descending' : 'ascending') : undefined,
      },
      h(
        'button',
        { type: 'button', class: 'sort', 'aria-label': `Sort by ${name}`, onClick: () => this.#sort(column) },
        name,
      ),
    )
  }

  #row({ who, cells, isAnyAlive, isAnyDead }: RosterRow): JSX.Element {
    const [name = '', ...rest] = cells
    const { head } = this.#table
    const button = (type: OneFault, label: string, isEnabled: boolean): JSX.Element =>
      h(
        'button',
        {
          type: 'button',
          'aria-label': `${label} ${name}`,
          'data-fault': type,
          disabled: this.#isOver || !isEnabled,
          onClick: () => this.#act(type, who),
        },
        label,
      )
    const reply = this.#reply?.who === who ? this.#reply : null
    return h(
      'tr',
      { key: who, class: who === this.#marked ? 'selected' : undefined, 'data-who': who },
      h('th', { scope: 'row' }, name),
      rest.map((cell, i) =>
        h('td', { class: i === 1 && isAnyDead ? 'bad' : this.#classOf(i + 1), 'data-head': head[i + 1] }, cell),
      ),
      h(
        'td',
        { class: 'acts' },
        button('kill', 'Kill', isAnyAlive),
        button('restart', 'Restart', true),
        button('pause', 'Pause', isAnyAlive),
        reply && h('span', { class: replyClass(reply) }, reply.text),
      ),
    )
  }

  #classOf(column: number): string | undefined {
    return this.#table.numbers[column] ? 'number' : undefined
  }
}

const replyClass = ({ isDone }: Reply): string => (isDone === null ? 'faint' : isDone ? 'good' : 'bad')
