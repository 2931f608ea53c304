/** The part of SVG that charts need, as text. */

export interface Attributes {
  readonly [name: string]: string | number | undefined
}

// Most control characters and lone surrogates may not stand in XML at all, not even escaped.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ENTITIES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text escaped for SVG. */
export const escaped = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\u{FFFD}').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

/** Rounds a coordinate to hundredths of a pixel, which are too fine to see. */
const pixel = (value: number): number => Number(value.toFixed(2))

/** Coordinates in a path. */
export const at = (...values: readonly number[]): string => values.map(pixel).join(' ')

/** An element; `children` are SVG, so text has to be `escaped`. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const said = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? pixel(value) : escaped(value)}"`],
  )
  const head = `<${name}${said.join('')}`
  return children.length === 0 ? `${head}/>` : `${head}>${children.join('')}</${name}>`
}

/** The style of a drawing with a background of its own: `paper`, `panel`, and lines and letters of class `ink`. On a dark screen it is dark, as a page is. */
export const PAPER_STYLE = element(
  'style',
  {},
  '.paper{fill:#fff}.panel{fill:#f1f3f5}text{fill:#1b1f23}.ink{stroke:#1b1f23}',
  '@media screen and (prefers-color-scheme:dark){.paper{fill:#14181c}.panel{fill:#20262c}text{fill:#e8ecf0}.ink{stroke:#e8ecf0}}',
)
