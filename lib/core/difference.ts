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
  if (!isObject(one) || !isObject(other) || !isAlike(one, other))
    return { what: path, values: [show(one), show(other)] }
  for (const key of keysOf(one, other)) {
    const found = differenceAt(`${path}.${key}`, fieldOf(one, key), fieldOf(other, key))
    if (found) return found
  }
  return { what: path, values: [show(one), show(other)] }
}

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
  return { what, values: [cut(left.join(', ')), cut(right.join(', '))] }
}

/** JSON with the fields of objects in the order of their names, and bytes in base64. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => {
    if (isBytes(field)) return Buffer.from(field).toString('base64')
    return isObject(field) && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field
  }) ?? 'undefined'

const SHOWN_MAX = 80

const show = (value: unknown): string => cut(value === undefined ? '' : canonical(value))

const cut = (text: string): string => {
  if (text === '') return 'nothing'
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
