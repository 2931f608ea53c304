/** An immutable set of small numbers, as plain data. Adding a number copies little. It keeps the known jobs. */

const BITS = 32
const WORDS = 64
const PAGE = BITS * WORDS

/** A set of ids: pages of words of 32 bits. */
export type Ids = readonly (readonly number[])[]

export const NO_IDS: Ids = []

/** The largest number that the set takes. */
export const MAX_ID = 10_000_000

export const has = (ids: Ids, id: number): boolean =>
  (((ids[Math.floor(id / PAGE)]?.[Math.floor((id % PAGE) / BITS)] ?? 0) >>> (id % BITS)) & 1) === 1

const replaced = <T>(list: readonly T[], place: number, by: T, fill: T): T[] =>
  Array.from({ length: Math.max(list.length, place + 1) }, (_, i) => (i === place ? by : (list[i] ?? fill)))

/**
 * The set with one more number.
 *
 * @throws RangeError if the number is no integer from 0 to MAX_ID
 */
export function including(ids: Ids, id: number): Ids {
  if (!Number.isInteger(id) || id < 0 || id > MAX_ID) throw new RangeError(`job ${id} is not from 0 to ${MAX_ID}`)
  const at = Math.floor(id / PAGE)
  const page = ids[at] ?? []
  const word = Math.floor((id % PAGE) / BITS)
  return replaced(ids, at, replaced(page, word, (page[word] ?? 0) | (1 << (id % BITS)), 0), [])
}
