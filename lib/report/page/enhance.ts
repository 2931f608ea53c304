/** What the script adds to the front of a page: buttons that copy a line, and tables that can be sorted. */
import { order } from '../sorting.ts'
import { button } from './dom.ts'
import './print.ts'

export function enhance(root: ParentNode): void {
  for (const line of root.querySelectorAll<HTMLElement>('.copyable')) {
    if (!line.querySelector('button')) line.append(copier(line.textContent ?? ''))
  }
  for (const table of root.querySelectorAll('table')) if ((table.tBodies[0]?.rows.length ?? 0) > 2) sortable(table)
}

function copier(text: string): HTMLButtonElement {
  const made = button('Copy', () => {
    // a page from a file may not be allowed to write to the clipboard
    navigator.clipboard?.writeText(text).then(
      () => made.replaceChildren('Copied'),
      () => made.replaceChildren('Select it'),
    )
  })
  made.setAttribute('aria-label', 'Copy the command')
  return made
}

/** Makes the heads of a table buttons that sort its rows, up and then down. */
function sortable(table: HTMLTableElement): void {
  const [body] = table.tBodies
  for (const [column, head] of [...table.querySelectorAll<HTMLElement>('thead th')].entries()) {
    const name = head.textContent ?? ''
    const sort = (): void => {
      const isDown = head.getAttribute('aria-sort') === 'ascending'
      for (const other of table.querySelectorAll('thead th')) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
      const place = [...(head.parentElement?.children ?? [])].indexOf(head)
      const rows = [...(body?.rows ?? [])]
      const texts = rows.map((row) => row.cells[place]?.textContent ?? '')
      body?.append(...order(texts, isDown).flatMap((i) => rows[i] ?? []))
    }
    head.replaceChildren(
      button(name, sort, { class: 'sort', 'aria-label': `Sort by ${name || `column ${column + 1}`}` }),
    )
  }
}
