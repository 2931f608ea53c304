/** A fingerprint of a value: a text that two values share only if their contents are equal. */

/** Thrown for a value that has more than its fields, such as private state: no other value counts as equal to it. */
class NotComparable extends Error {}

/**
 * The fingerprint of plain data, bytes, maps and sets, with fields and entries in their order. It is undefined for a value that
 * holds anything else (a function, an instance of a class); such a value counts as different from all others.
 */
export function fingerprint(value: unknown): string | undefined {
  try {
    // the value itself, since JSON passes on the result of its `toJSON`
    return JSON.stringify(value, function (this: object, key: string) {
      return marked(Reflect.get(this, key))
    })
  } catch (error) {
    if (error instanceof NotComparable) return undefined
    throw error
  }
}

/** The value, or a mark for a value that JSON cannot show. A text that looks like a mark gets one more mark in front. */
function marked(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value.startsWith(MARK) ? MARK + value : value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : `${MARK}${Object.is(value, -0) ? '-0' : value}`
    case 'undefined':
      return `${MARK}undefined`
    case 'boolean':
      return value
    case 'object':
      if (value === null) return value
      if (value === A_MAP) return `${MARK}map`
      if (value === A_SET) return `${MARK}set`
      if (isOf(value, Uint8Array)) return `${MARK}bytes ${Buffer.from(value).toString('base64')}`
      if (isOf(value, Map)) return [A_MAP, ...value]
      if (isOf(value, Set)) return [A_SET, ...value]
      if (isPlain(value)) return value
  }
  throw new NotComparable()
}

const MARK = '#'
/** Marks of maps and sets are objects: JSON visits replaced values again, and would mark a text a second time. */
const A_MAP = {}
const A_SET = {}

/** Whether a value is of exactly this class: a subclass may have more state. */
const isOf = <T extends object>(value: object, type: { new (): T; readonly prototype: T }): value is T =>
  Object.getPrototypeOf(value) === type.prototype

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === Array.prototype || prototype === null) && !('toJSON' in value)
}
