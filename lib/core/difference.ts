/** Finds the first difference between two values of plain data. */
import { isDeepStrictEqual } from 'node:util'
import { isBytes, isObject } from './data.ts'

export interface Difference {
  /** The path to the difference, such as `context.executing.task`. */
  readonly what: string
  /** Both values there as JSON, cut if long; `nothing` for an absent one. */
  readonly values: readonly [string, string]
}

/** The first difference; undefined if the values are equal. The order of an object's fields does not count. */
export function firstDifference(one: object, other: object): Difference | undefined {
  for (const key of keysOf(one, other)) {
    const found = differenceAt(key, fieldOf(one, key), fieldOf(other, key))
    if (found) return found
  }
  return undefined
}

function differenceAt(path: string, one: unknown, other: unknown): Difference | undefined {
  if (isDeepStrictEqual(one, other)) return undefined
  if (!isObject(one) || !isObject(other) || !isAlike(one, other)) return { what: path, values: shownBoth(one, other) }
  if (one instanceof Map && other instanceof Map) {
    const [mine, others] = [byKey(one), byKey(other)]
    for (const key of new Set([...mine.keys(), ...others.keys()])) {
      const found = differenceAt(`${path}.${key}`, mine.get(key), others.get(key))
      if (found) return found
    }
  }
  for (const key of keysOf(one, other)) {
    const found = differenceAt(`${path}.${key}`, fieldOf(one, key), fieldOf(other, key))
    if (found) return found
  }
  return { what: path, values: shownBoth(one, other) }
}

/** The values of a map by its keys as texts. */
const byKey = (map: ReadonlyMap<unknown, unknown>): ReadonlyMap<string, unknown> =>
  new Map([...map].map(([key, value]) => [typeof key === 'string' ? key : canonical(key), value]))

/** Lists of different lengths differ as a whole, and so do objects of different classes. */
const isAlike = (one: object, other: object): boolean =>
  Object.getPrototypeOf(one) === Object.getPrototypeOf(other) &&
  (!Array.isArray(one) || !Array.isArray(other) || one.length === other.length)

const keysOf = (one: object, other: object): ReadonlySet<string> =>
  new Set([...Object.keys(one), ...Object.keys(other)])

const fieldOf = (value: object, key: string): unknown => Reflect.get(value, key)

/** Compares two lists as sets of entries; entries that both have are not shown. */
export function differenceOfLists(
  what: string,
  one: readonly string[],
  other: readonly string[],
): Difference | undefined {
  if (isDeepStrictEqual(one, other)) return undefined
  const less = (list: readonly string[], common: readonly string[]) => list.filter((entry) => !common.includes(entry))
  const [mine, others] = [less(one, other), less(other, one)]
  // the same in another order, or one of them twice
  const [left, right] = mine.length + others.length === 0 ? [one, other] : [mine, others]
  return { what, values: cutBoth(left.join(', '), right.join(', ')) }
}

/** JSON with the fields of objects and the keys of maps in the order of their names, sets as lists, and bytes in base64. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => {
    if (isBytes(field)) return Buffer.from(field).toString('base64')
    if (field instanceof Set) return [...field].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1))
    const entries = field instanceof Map ? [...byKey(field)] : undefined
    if (!entries && (!isObject(field) || Array.isArray(field))) return field
    return Object.fromEntries((entries ?? Object.entries(Object(field))).sort(([a], [b]) => (a < b ? -1 : 1)))
  }) ?? 'undefined'

/** What is shown in place of an absent value. */
export const ABSENT = 'nothing'

/** The most characters of a value. */
const SHOWN_MAX = 80
/** What is shown of two long values before the first character that differs. */
const SHOWN_BEFORE = 20

const shownBoth = (one: unknown, other: unknown): readonly [string, string] => {
  const [mine = '', others = ''] = [one, other].map((value) => (value === undefined ? '' : canonical(value)))
  return cutBoth(mine, others)
}

/** Two texts, cut if long, so that the first character that differs is shown. */
function cutBoth(one: string, other: string): readonly [string, string] {
  const isLong = one.length > SHOWN_MAX || other.length > SHOWN_MAX
  const from = isLong ? Math.max(0, sameIn(one, other) - SHOWN_BEFORE) : 0
  return [cut(one, from), cut(other, from)]
}

/** How many characters two texts have in common at their beginning. */
function sameIn(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return same
}

const cut = (text: string, from: number): string => {
  if (text === '') return ABSENT
  const end = from + SHOWN_MAX
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${text.length > end ? '…' : ''}`
}
