/** Makes elements; text is never read as markup. */

type Attributes = { readonly [name: string]: string | number | boolean | undefined }
type Child = Node | string

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children)
  return element
}

export const el = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => filled(document.createElement(name), attributes, children)

export const svg = <K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] => filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = el('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', act)
  return made
}

/** An entry of a legend: a colour and its meaning. */
export function legendItem(ink: string, text: string): HTMLElement {
  const swatch = el('span', { class: 'swatch' })
  swatch.style.background = `var(--${ink})`
  return el('li', {}, swatch, text)
}

/** A table; the first `heads` columns name the rows. */
export const tableOf = (
  head: readonly string[],
  rows: readonly (readonly Child[])[],
  attributes: Attributes = {},
): HTMLTableElement =>
  el(
    'table',
    attributes,
    el('thead', {}, el('tr', {}, ...head.map((cell) => el('th', { scope: 'col' }, cell)))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((cell) => el('td', {}, cell))))),
  )
