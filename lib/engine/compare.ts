/** Compares the states and effects of two engines in depth. */
import { isBytes, isObject } from '../core/data.ts'

/** Pairs of values that were found equal: immutable values need to be compared only once. */
export type Known = WeakMap<object, object>

export interface EngineDifference {
  readonly path: string
  readonly values: readonly [unknown, unknown]
}

/**
 * The first place where two values differ; undefined if they are alike. Their contents, classes and order of fields count,
 * since messages are encoded in that order. Functions are alike if their texts are.
 */
export function engineDifferenceOf(
  path: string,
  one: unknown,
  other: unknown,
  known: Known,
): EngineDifference | undefined {
  const parted = { path, values: [one, other] } as const
  if (Object.is(one, other)) return undefined
  if (typeof one === 'function' && typeof other === 'function') {
    return String(one) === String(other) ? undefined : parted
  }
  if (!isObject(one) || !isObject(other) || !isOfOneClass(one, other)) return parted
  if (isBytes(one) && isBytes(other)) return Buffer.compare(one, other) === 0 ? undefined : parted
  if (known.get(one) === other) return undefined
  const [ours, theirs] = [partsOf(one), partsOf(other)]
  if (ours.length !== theirs.length) return parted
  known.set(one, other)
  for (const [i, [name, value]] of ours.entries()) {
    const [otherName, otherValue] = theirs[i] ?? []
    const within = path === '' ? String(name) : `${path}.${String(name)}`
    const found =
      engineDifferenceOf(within, name, otherName, known) ?? engineDifferenceOf(within, value, otherValue, known)
    if (found) {
      known.delete(one)
      return found
    }
  }
  return undefined
}

/** Says whether two objects have the same class. A class that a rule makes is another one in each engine, so texts count. */
function isOfOneClass(one: object, other: object): boolean {
  const [prototype, otherPrototype]: readonly unknown[] = [one, other].map((value) => Object.getPrototypeOf(value))
  if (prototype === otherPrototype) return true
  return isObject(prototype) && isObject(otherPrototype) && textOfClass(prototype) === textOfClass(otherPrototype)
}

function textOfClass(prototype: object): string {
  try {
    return String(prototype.constructor)
  } catch {
    return '' // the cell refuses both
  }
}

/** The entries of a collection, or the fields of any other object, in order. */
function partsOf(value: object): readonly (readonly [name: unknown, value: unknown])[] {
  return value instanceof Map || value instanceof Set ? [...value.entries()] : Object.entries(value)
}
