import { BourseError } from './error.ts'

/**
 * Data that may travel between actors: no functions, no classes but `Uint8Array`, no cycles. Data is copied on its way, bytes
 * too. A `Buffer` arrives as a `Uint8Array`. An undefined field is left out.
 */
export type Plain =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Plain[]
  | { readonly [key: string]: Plain | undefined }

/** A message between actors: plain data with a type. */
export type Message = { readonly type: string } & { readonly [key: string]: Plain | undefined }

type Fields = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** How the types of the runtime's own messages begin. */
export const RUNTIME_PREFIX = 'bourse.'
/** The place of the full stop in the prefixes `bourse.` and `xstate.`. Few other types have one there, so one look mostly says it. */
const STOP = RUNTIME_PREFIX.length - 1

/** Says whether a type begins with `xstate.` or `bourse.`: XState and the runtime have such types, and no message may. */
export const isReserved = (type: string): boolean =>
  type[STOP] === '.' && (type.startsWith('xstate.') || isOfRuntime(type))

/** Says whether a type, or an id, is the runtime's own. */
export const isOfRuntime = (text: string): boolean => text[STOP] === '.' && text.startsWith(RUNTIME_PREFIX)

export const isMessage = (value: unknown): value is Message => isObject(value) && typeof value['type'] === 'string'

/**
 * Refuses a message without a type, or with a type of XState's or the runtime's own.
 *
 * @throws BourseError
 */
export function requireSendable(message: unknown): asserts message is Message {
  if (!isMessage(message)) throw new BourseError('BOURSE_FIELD', 'a message needs a type: put a text in its field type')
  const { type } = message
  if (!isReserved(type)) return
  throw new BourseError('BOURSE_FIELD', `a message may not have the type '${type}': ${ownerOf(type)}`)
}

/** Whose own a reserved type is, in words. */
export const ownerOf = (type: string): string =>
  type.startsWith(RUNTIME_PREFIX)
    ? `types that begin with '${RUNTIME_PREFIX}' are the runtime's own`
    : "types that begin with 'xstate.' are XState's own"

export const isPlain = (value: unknown): value is Plain => faultOf(value, '') === undefined

/** The greatest depth of plain data. Cyclic data is refused by it, too. */
export const DEPTH_LIMIT = 64

/** Thrown for data that cannot travel. The message names the place. */
export class NotPlainError extends BourseError {
  override readonly name = 'NotPlainError'

  /** `fault` says what is where, as `faultOf` does. */
  constructor(fault: string) {
    super(
      'BOURSE_NOT_PLAIN',
      `${fault}: only plain data travels (null, booleans, numbers, strings, arrays, plain objects, Uint8Array)`,
    )
  }
}

/**
 * Checks that a value is plain data, so that it can travel; `place` is its name in the error.
 *
 * @throws NotPlainError with the path of what cannot travel
 */
export function requirePlain(place: string, value: unknown): asserts value is Plain {
  const fault = faultOf(value, place)
  if (fault !== undefined) throw new NotPlainError(fault)
}

/**
 * Describes a part of a value that would not travel, with its path: `message.jobs[3] is a function`; undefined if all of it
 * travels. This takes several times as long as encoding the value. Named fields of long arrays are not looked for.
 *
 * @param isNumber whether a number may travel: there is no JSON for NaN and the infinities
 */
export function faultOf(
  value: unknown,
  place: string,
  isNumber: (value: number) => boolean = () => true,
): string | undefined {
  const fault = faultIn(value, isNumber, 0)
  return fault && `${place}${fault.path} ${fault.what}`
}

interface Fault {
  /** The path from the value that was checked. */
  readonly path: string
  readonly what: string
}

const here = (what: string): Fault => ({ path: '', what })

const below = (step: string, { path, what }: Fault): Fault => ({ path: step + path, what })

function faultIn(value: unknown, isNumber: (value: number) => boolean, depth: number): Fault | undefined {
  if (typeof value === 'number') return isNumber(value) ? undefined : here(`is ${value}`)
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined
  if (typeof value !== 'object') return here(value === undefined ? 'is undefined' : `is a ${typeof value}`)
  if (isBytes(value)) return undefined
  if (depth === DEPTH_LIMIT) return here(`is ${TOO_DEEP}`)
  const [symbol] = Object.getOwnPropertySymbols(value)
  if (symbol) return here(`would lose its symbol key ${String(symbol)}`)
  if (isList(value)) {
    const beside = fieldBesideItems(value)
    if (beside !== undefined) return here(`would lose the field "${beside}" beside its items`)
    for (let i = 0; i < value.length; i++) {
      const fault = faultIn(value[i], isNumber, depth + 1)
      if (fault) return below(`[${i}]`, fault)
    }
    return undefined
  }
  if (!isRecord(value)) return here(`is an instance of ${classOf(value)}`)
  const keys = Object.keys(value)
  const names = Object.getOwnPropertyNames(value)
  if (names.length > keys.length) {
    return here(`would lose its hidden field "${names.find((name) => !keys.includes(name))}"`)
  }
  for (const key of keys) {
    if (isTaken(key)) return below(stepTo(key), here(`is ${TAKEN}`))
    const field = value[key]
    const fault = field === undefined ? undefined : faultIn(field, isNumber, depth + 1)
    if (fault) return below(stepTo(key), fault)
  }
  return undefined
}

/** Arrays with more items are not checked for named fields: listing all keys takes V8 a microsecond per item. */
const LONG = 1000

/** The first own name after the indices and `length`. */
function fieldBesideItems(list: readonly unknown[]): string | undefined {
  if (list.length > LONG) return undefined
  const names = Object.getOwnPropertyNames(list)
  return names[names.indexOf('length') + 1]
}

export const TOO_DEEP = `nested more than ${DEPTH_LIMIT} deep, or holds itself`

/** The part of a path that leads to a field. */
export const stepTo = (key: string): string => (/^[\w$]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)

/** The key under which a trace has bytes, since JSON has none. */
export const BYTES_KEY = '$bytes'

/** Says whether plain data may not have this key. */
export const isTaken = (key: string): boolean => key === BYTES_KEY || key === '__proto__'

export const TAKEN = 'a key with a meaning of its own'

/** Says whether a value is bytes: a `Uint8Array`, which a `Buffer` is too. */
export const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

export const isList = (value: object): value is readonly unknown[] =>
  Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype

/** Says whether an object has no class. Its prototype has nothing to enumerate, so for-in visits own keys only. */
export function isRecord(value: object): value is Fields {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The name of an object's class. Reading it may throw. */
export function classOf(value: object): string {
  try {
    const name: unknown = value.constructor.name
    return typeof name === 'string' && name !== '' ? name : 'a class'
  } catch {
    return 'a class'
  }
}
