/** The colours of a page by name: Okabe and Ito's, which are safe for colour blindness. The style sheet has a dark and a light set. */

export type Ink =
  | 'bad'
  | 'text'
  | 'faint'
  | 'line'
  | 'panel'
  | 'blue'
  | 'orange'
  | 'green'
  | 'red'
  | 'pink'
  | 'yellow'
  | 'sky'

const PALETTE: readonly Ink[] = ['blue', 'orange', 'green', 'pink', 'sky', 'yellow', 'red']

/** The inks of tones that mean the same in every run. */
const TONES: ReadonlyMap<string, Ink> = new Map([
  ['running', 'sky'],
  ['finished', 'blue'],
  ['finished, a later attempt', 'green'],
  ['aborted', 'orange'],
  ['failed', 'red'],
  ['lost in a death', 'red'],
  ['done in vain', 'red'],
  ['down', 'line'],
  ['waiting', 'line'],
  ['spinning', 'faint'],
  ['moving', 'orange'],
  ['computing', 'blue'],
  ['on time', 'blue'],
  ['late', 'red'],
  ['refused', 'faint'],
])

export const nth = (index: number): Ink => PALETTE[index % PALETTE.length] ?? 'text'

/** Says that several of a legend's entries share a colour; '' if each has its own. */
export const sharedInks = (inks: readonly Ink[]): string =>
  new Set(inks).size < inks.length ? 'Some share a colour: point at one to read its name.' : ''

/** Assigns an ink to each tone, in the order of first use. */
export function toneInks(tones: readonly string[]): ReadonlyMap<string, Ink> {
  const free = [...new Set(tones)].filter((tone) => !TONES.has(tone))
  const own = new Map(free.map((tone, place) => [tone, nth(place)]))
  return new Map(tones.map((tone) => [tone, TONES.get(tone) ?? own.get(tone) ?? 'text']))
}
