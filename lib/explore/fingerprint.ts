/** A text that two values share only if nobody can tell them apart by what is in them. */

/** What has more to it than its fields, such as a private one: it is like nothing else. */
class Opaque extends Error {}

/**
 * Of plain data, maps and sets, with fields and entries in their order; undefined for what holds anything else (a
 * function, an instance of a class): that is to be taken for different from all others.
 */
export function fingerprint(value: unknown): string | undefined {
  try {
    // as it is in its holder: JSON would hand on what a `toJSON` makes of it
    return JSON.stringify(value, function (this: object, key: string) {
      return marked(Reflect.get(this, key))
    })
  } catch (error) {
    if (error instanceof Opaque) return undefined
    throw error
  }
}

/** JSON has no word for these; a text of one's own that looks like a mark gets another in front. */
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
      if (isOf(value, Map)) return [A_MAP, ...value]
      if (isOf(value, Set)) return [A_SET, ...value]
      if (isPlain(value)) return value
  }
  throw new Opaque()
}

const MARK = '#'
/** What JSON meets inside of what it is given instead of a value is looked at again: a mark as text would get another. */
const A_MAP = {}
const A_SET = {}

/** Of the class itself: a class that extends it may have more. */
const isOf = <T extends object>(value: object, type: { new (): T; readonly prototype: T }): value is T =>
  Object.getPrototypeOf(value) === type.prototype

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === Array.prototype || prototype === null) && !('toJSON' in value)
}
