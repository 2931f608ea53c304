/** The matches of a filter: the events that pass it, and the one that a reader jumps to. */

/** The events that are marked, in an order. */
export const matchesIn = (order: Int32Array, marks: Uint8Array): Int32Array => order.filter((event) => marks[event])

/**
 * The match after (or, with -1, before) the selected event; beyond the last one it is the first one again. Without a selection it is
 * the first match at or after `begin` (or the last one before it), where the reader looks. -1 if there is no match.
 */
export function nextMatch(
  matches: Int32Array,
  by: 1 | -1,
  event: number,
  placeOf: (event: number) => number,
  begin: number,
): number {
  const count = matches.length
  if (count === 0) return -1
  const own = matches.indexOf(event)
  const at = event < 0 ? begin : placeOf(event)
  const isBeyond = (match: number): boolean => placeOf(match) > at || (event < 0 && placeOf(match) === at)
  const beyond = matches.findIndex(isBeyond)
  const next = own >= 0 ? own + by : by > 0 ? (beyond < 0 ? 0 : beyond) : (beyond < 0 ? count : beyond) - 1
  return matches[(next + count) % count] ?? -1
}

/** How many events match, and which of them is selected: `3 of 17 matches`. */
export function matchesText(matches: Int32Array, event: number): string {
  const count = matches.length.toLocaleString('en')
  const place = event < 0 ? -1 : matches.indexOf(event)
  if (matches.length === 0) return 'No event matches the filter.'
  const what = matches.length === 1 ? 'match' : 'matches'
  return place < 0 ? `${count} ${what}` : `${(place + 1).toLocaleString('en')} of ${count} ${what}`
}
