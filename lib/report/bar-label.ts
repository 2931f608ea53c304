/** The label of a bar, as far as the bar has room: words are never cut, since `task 12` without its end reads as another task. */

/**
 * The longest part of a label that fits: all of it, without the noun before a number (`task 12`: `12`), then with words left out
 * at its end. '' if not even its first word fits.
 *
 * @param widthOf the width of a text, in the unit of `room`
 */
export function labelWithin(label: string, room: number, widthOf: (text: string) => number): string {
  const short = label.replace(/^\p{L}+ (?=\d)/u, '')
  const words = short.split(' ')
  const cut = words.slice(1).map((_, i) => `${words.slice(0, words.length - 1 - i).join(' ')}…`)
  const first = words.length > 1 && /^\d/.test(short) ? [words[0] ?? ''] : []
  return [label, short, ...cut, ...first].find((text) => widthOf(text) <= room) ?? ''
}
