/** The small parts of a page: sentences with links, tables, and texts that can be copied. They need no browser. */
import { type ComponentChildren, h, type JSX } from 'preact'
import type { ShownSentence } from '../links.ts'

/** A sentence, whose links lead to places in the runs of the page. */
export const sentence = (parts: ShownSentence): ComponentChildren[] =>
  parts.map((part) => (typeof part === 'string' ? part : h('a', { href: part[1] }, part[0])))

/** Sentences one after another. */
export const sentences = (all: readonly ShownSentence[]): ComponentChildren[] =>
  all.map((one, i) => [i > 0 && ' ', sentence(one)])

export interface TableProps {
  readonly head: readonly ComponentChildren[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** Whether each column is aligned to the left (default: all are). */
  readonly left?: readonly boolean[]
  readonly id?: string
  readonly caption?: string
}

/** A table; its first column names the rows. */
export function table({ head, rows, left = [], id, caption }: TableProps): JSX.Element {
  const classOf = (column: number): string | undefined => (left[column] === false ? 'number' : undefined)
  const heads = head.map((cell, c) => (cell === '' ? h('td', {}) : h('th', { scope: 'col', class: classOf(c) }, cell)))
  return h(
    'table',
    { id },
    caption === undefined ? null : h('caption', {}, caption),
    h('thead', {}, h('tr', {}, heads)),
    h(
      'tbody',
      {},
      rows.map((row) =>
        h(
          'tr',
          {},
          row.map((cell, c) =>
            h(c === 0 ? 'th' : 'td', { scope: c === 0 ? 'row' : undefined, class: classOf(c) }, cell),
          ),
        ),
      ),
    ),
  )
}

/** A line that can be copied; the script of the page adds the button. */
export const copyable = (text: string, id?: string): JSX.Element =>
  h('p', { class: 'copyable' }, h('code', { id }, text))
