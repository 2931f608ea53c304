/** Sums, counts and groups. */

/** A tally of records by reason. */
export type Tally = ReadonlyMap<string, number>

/** Adds an amount to the sum of a key; by default it counts the key once more. */
export const add = <K>(tally: Map<K, number>, key: K, amount = 1): void => {
  tally.set(key, (tally.get(key) ?? 0) + amount)
}

/** The sum of the amounts of each key, by the first occurrence of the keys. */
export function totalsOf<K>(parts: Iterable<readonly [key: K, amount: number]>): Map<K, number> {
  const totals = new Map<K, number>()
  for (const [key, amount] of parts) add(totals, key, amount)
  return totals
}

/** The number of times that each key occurs. */
export const countsOf = <K>(keys: readonly K[]): Map<K, number> => totalsOf(keys.map((key) => [key, 1]))

/** The tally as text, such as `12 not serial, 3 without a run time`; empty if nothing was counted. */
export const tallyText = (tally: Tally): string => [...tally].map(([reason, n]) => `${n} ${reason}`).join(', ')

/** The items of each key, in their order. */
export function groupsOf<K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The sum of numbers, in their order. */
export function sum(numbers: Iterable<number>): number
/** The sum of a number of each item, in their order. */
export function sum<T>(items: Iterable<T>, of: (item: T, index: number) => number): number
export function sum<T>(items: Iterable<T>, of: (item: T, index: number) => number = Number): number {
  let total = 0
  let index = 0
  for (const item of items) total += of(item, index++)
  return total
}

/** The mean of numbers; null without any. */
export function meanOf(numbers: readonly number[]): number | null
/** The mean of a number of each item; null without items. */
export function meanOf<T>(items: readonly T[], of: (item: T) => number): number | null
export function meanOf<T>(items: readonly T[], of: (item: T) => number = Number): number | null {
  return items.length > 0 ? sum(items, of) / items.length : null
}
