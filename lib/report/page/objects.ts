/** The objects of a run, such as its tasks: a table that can be searched and sorted, and the life of the selected one. */
import { shortUnits } from '../../core/format.ts'
import { countsOf } from '../../core/tally.ts'
import { fragmentOf } from '../links.ts'
import { idOf } from '../moments.ts'
import { order } from '../sorting.ts'
import type { ShownObjects } from '../types.ts'
import { toneInks } from './colors.ts'
import { button, el, tableOf } from './dom.ts'
import { isPrinting, onPrint } from './print.ts'
import { type Action, isTyped, type Store } from './store.ts'
import { exactText } from './words.ts'

/** The rows that are listed at first, and how many more each time. */
const ROWS = 10
const MORE = 100
/** The most rows on paper. */
const PRINTED = 500

/** The tables of all kinds of objects. */
export function objects(store: Store): HTMLElement {
  const place = el('div', { class: 'objects' })
  const tables: ObjectTable[] = []
  store.onAction((action) => tables[0]?.act(action))
  store.listen(({ object }, { run }) => {
    for (const [kind, { name }] of run.objects.entries()) {
      if (tables[kind]) continue
      tables[kind] = new ObjectTable(store, kind, name)
      place.append(tables[kind].element)
    }
    for (const table of tables) table.show(object)
  })
  return place
}

/** The table of one kind of objects. It keeps its search and its order while a run goes on. */
class ObjectTable {
  readonly element: HTMLElement
  readonly #store: Store
  readonly #kind: number
  readonly #name: string
  readonly #heading = el('h3', {})
  readonly #search: HTMLInputElement
  readonly #onlyBad = el('input', { type: 'checkbox' })
  readonly #bad: HTMLElement
  readonly #count = el('span', { class: 'faint', role: 'status' })
  readonly #life = el('div', { class: 'life' })
  readonly #list: HTMLElement
  readonly #listed = el('span', {})
  readonly #more: HTMLButtonElement
  #sorted: { readonly column: number; readonly isDown: boolean } | null = null
  #most = ROWS
  /** The name of the object in hand, such as `task 15`; '' for none. */
  #selected = ''

  constructor(store: Store, kind: number, name: string) {
    this.#store = store
    this.#kind = kind
    this.#name = name
    this.#search = el('input', {
      type: 'search',
      size: 18,
      placeholder: `find a ${name}`,
      'aria-label': `Find a ${name}`,
    })
    this.#bad = el('label', {}, this.#onlyBad, ' only those with which something is wrong')
    this.#list = el('div', { class: 'list', tabindex: 0, role: 'group', 'aria-label': `Table of each ${name}` })
    const anew = (): void => {
      this.#most = ROWS
      this.#refresh()
    }
    this.#search.addEventListener('input', anew)
    this.#onlyBad.addEventListener('change', anew)
    this.#search.addEventListener('keydown', ({ key, shiftKey }) => {
      if (key === 'Enter') this.#step(shiftKey ? -1 : 1)
    })
    onPrint(() => this.#refresh())
    this.#more = button('More', () => {
      this.#most += MORE
      this.#refresh()
    })
    this.element = el(
      'div',
      {},
      this.#heading,
      el(
        'div',
        { class: 'tools' },
        this.#search,
        button('◀', () => this.#step(-1), { 'aria-label': `The ${name} before` }),
        button('▶', () => this.#step(1), { 'aria-label': `The next ${name}` }),
        this.#bad,
        this.#count,
      ),
      this.#list,
      el('p', { class: 'faint' }, this.#listed, ' ', this.#more),
      this.#life,
    )
  }

  act(action: Action): void {
    if (action === 'find') this.#search.focus()
    else if (action === 'next found' && !isTyped(this.#store)) this.#step(1)
    else if (action === 'previous found' && !isTyped(this.#store)) this.#step(-1)
  }

  get #all(): ShownObjects | undefined {
    return this.#store.graph.run.objects[this.#kind]
  }

  /** Shows the objects of the run as it is now, and the life of the selected one. */
  show(selected: string): void {
    this.#selected = selected
    this.#refresh()
    this.#showLife()
  }

  /** The places of the rows that are found, in their order. */
  #found(): readonly number[] {
    const all = this.#all
    if (!all) return []
    const bad = new Set(all.bad)
    const text = this.#search.value.trim().toLowerCase()
    const isFound = (row: number): boolean =>
      (!this.#onlyBad.checked || bad.has(row)) &&
      (all.rows[row] ?? []).some((cell) => text === '' || cell.toLowerCase().includes(text))
    const found = [...all.rows.keys()].filter(isFound)
    if (!this.#sorted) return found
    const { column, isDown } = this.#sorted
    const texts = found.map((row) => all.rows[row]?.[column] ?? '')
    return order(texts, isDown).flatMap((i) => found[i] ?? [])
  }

  #refresh(): void {
    const all = this.#all
    if (!all) return
    const found = this.#found()
    const bad = new Set(all.bad)
    const shown = found.slice(0, isPrinting() ? PRINTED : this.#most)
    this.#heading.textContent = `${this.#name[0]?.toUpperCase()}${this.#name.slice(1)}s: ${all.rows.length.toLocaleString('en')}`
    this.#bad.hidden = all.bad.length === 0
    this.#count.textContent = `${found.length.toLocaleString('en')} found`
    this.#more.hidden = shown.length === found.length
    this.#listed.textContent = this.#more.hidden
      ? ''
      : `${shown.length} of ${found.length.toLocaleString('en')} are listed.${isPrinting() ? ' Search or sort the table before you print it, for others.' : ''}`
    this.#more.textContent = `Show ${Math.min(MORE, found.length - shown.length)} more`
    const rows = shown.map((row) => {
      const [id = '', ...cells] = all.rows[row] ?? []
      const link = el('a', { href: fragmentOf({ object: this.#nameOf(row) }) }, id)
      return [bad.has(row) ? el('strong', { class: 'bad' }, '✗ ', link) : link, ...cells]
    })
    const table = tableOf(all.head, rows)
    this.#sortable(table)
    for (const [i, row] of [...table.rows].slice(1).entries()) {
      row.classList.toggle('selected', this.#nameOf(shown[i] ?? -1) === this.#selected)
      for (const [c, cell] of [...row.cells].entries()) {
        cell.classList.toggle('number', all.left[c] === false)
        // where a row is a card, each value stands next to its head
        if (c > 0) cell.dataset['head'] = all.head[c]
      }
    }
    this.#list.replaceChildren(table)
  }

  #sortable(table: HTMLTableElement): void {
    for (const [column, head] of [...table.querySelectorAll<HTMLElement>('thead th')].entries()) {
      const isSorted = this.#sorted?.column === column
      if (isSorted) head.setAttribute('aria-sort', this.#sorted?.isDown ? 'descending' : 'ascending')
      head.classList.toggle('number', this.#all?.left[column] === false)
      const name = head.textContent ?? ''
      const sort = (): void => {
        this.#sorted = { column, isDown: isSorted && !this.#sorted?.isDown }
        this.#refresh()
        this.#list.querySelectorAll('button')[column]?.focus()
      }
      head.replaceChildren(button(name, sort, { class: 'sort', 'aria-label': `Sort by ${name}` }))
    }
  }

  /** Selects the next or previous of the objects that are found. */
  #step(by: number): void {
    const found = this.#found()
    if (found.length === 0) return
    const names = found.map((row) => this.#nameOf(row))
    const now = names.indexOf(this.#selected)
    const next = now < 0 ? (by > 0 ? 0 : names.length - 1) : (now + by + names.length) % names.length
    this.#store.follow({ object: names[next] ?? '' })
  }

  #nameOf(row: number): string {
    return `${this.#name} ${this.#all?.rows[row]?.[0]}`
  }

  /** Shows the life of the selected object: a row for each phase. */
  #showLife(): void {
    const { graph } = this.#store
    const all = this.#all
    const object = all?.rows.findIndex((_, row) => this.#nameOf(row) === this.#selected) ?? -1
    this.#life.replaceChildren()
    if (!all || object < 0) return
    const { phases } = all
    const own = phases.object.flatMap((one, phase) => (one === object ? [phase] : []))
    const from = Math.min(...own.map((phase) => phases.from[phase] ?? 0))
    const until = Math.max(...own.map((phase) => (phases.from[phase] ?? 0) + (phases.length[phase] ?? 0)))
    const inks = this.#store.common?.tones ?? toneInks([...new Set(phases.tone)].map((tone) => graph.text(tone)))
    const part = (time: number): string => `${(100 * (time - from)) / Math.max(1, until - from)}%`
    const bars = own.map((phase) => {
      const [begin = 0, length = 0] = [phases.from[phase], phases.length[phase]]
      const tone = graph.text(phases.tone[phase])
      const bar = el('span', { class: 'bar', title: tone })
      bar.style.left = part(begin)
      bar.style.width = part(from + length)
      bar.style.background = `var(--${inks.get(tone) ?? 'blue'})`
      const label = graph.text(phases.label[phase])
      const go = button(label, () => this.#store.visit(begin), { class: 'link' })
      const times = [begin, begin + length, length].map((one) => el('span', { title: exactText(one) }, shortUnits(one)))
      return [go, el('span', { class: 'strip' }, bar), ...times]
    })
    this.#life.append(
      el('h4', {}, this.#selected),
      ...(own.length === 0
        ? [el('p', { class: 'faint' }, 'Nothing is known of its life.')]
        : [tableOf(['phase', `when, in ${graph.run.unit}`, 'from', 'to', 'length'], bars, { class: 'waterfall' })]),
      messagesOf(this.#store, idOf(this.#selected)),
    )
  }
}

/** How many messages are about an object, by type. */
function messagesOf({ graph }: Store, id: string): HTMLElement {
  const { sends } = graph.run
  const all = sends.topic.flatMap((topic, send) => (graph.text(topic) === id ? [graph.text(sends.type[send])] : []))
  const types = [...countsOf(all)].map(([type, count]) => `${count} ${type}`).join(', ')
  return el(
    'p',
    { class: 'faint' },
    all.length === 0 ? 'No message that is shown is about it.' : `${all.length} messages are about it: ${types}.`,
  )
}
