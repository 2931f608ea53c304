/** Reads values that actors returned or threw. Any value is possible, and reading it here never throws. */
import { inspect } from 'node:util'
import { isObject } from './data.ts'
import { restored } from './error.ts'

/** An error as data. */
export type Thrown = { readonly name: string; readonly message: string; readonly stack: string }

/** An error as data, with its code if it has one: `BOURSE_LIMIT` of the library, for instance, or `ENOENT` of Node. */
export type Failure = Thrown & { readonly code?: string }

const SHOWN_MAX = 200

/** Says whether `value` can be awaited. The rejection of a promise is ignored from then on, since it would end the process. */
export function isPromise(value: unknown): boolean {
  try {
    if (value instanceof Promise) value.catch(() => {})
    return isObject(value) && typeof value['then'] === 'function'
  } catch {
    return false
  }
}

/** A value as a short text on one line, for an error. */
export function shown(value: unknown): string {
  if (isPromise(value)) return 'a promise'
  try {
    const text = inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY })
    return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
  } catch {
    return 'what cannot be shown'
  }
}

/** The class, message and stack of a thrown value. A text is its own message; other values are described. */
export function thrownOf(error: unknown): Thrown {
  if (typeof error === 'string') return { name: 'Error', message: error, stack: '' }
  const message = read(error, 'message')
  if (message === undefined)
    return { name: 'Error', message: `${shown(error)} was thrown, which is no error`, stack: '' }
  const [name, stack] = [read(error, 'name'), read(error, 'stack')]
  return {
    name: typeof name === 'string' && name !== '' ? name : 'Error',
    message: typeof message === 'string' ? message : shown(message),
    stack: typeof stack === 'string' ? stack : '',
  }
}

/** A thrown value as data, with its code. */
export function failureOf(error: unknown): Failure {
  const code = read(error, 'code')
  return typeof code === 'string' ? { ...thrownOf(error), code } : thrownOf(error)
}

/** The class and message of a thrown value. */
export function summaryOf(error: unknown): string {
  const { name, message } = thrownOf(error)
  return `${name}: ${message}`
}

/** An error made of data; an error of the library gets its class and code back. */
export const errorOf = ({ name, message, stack }: Thrown): Error =>
  Object.assign(restored(name, message), { name, stack })

function read(error: unknown, field: keyof Failure): unknown {
  try {
    return Reflect.get(Object(error), field)
  } catch {
    return field === 'message' ? 'an error whose message cannot be read' : undefined
  }
}

/** Errors that end the whole run, by name: an error that comes from a thread has lost its class. */
const FATAL: ReadonlySet<string> = new Set([
  'ChangedInPlace',
  'DefinitionsFull',
  'EnginesDiffer',
  'MailMemoryFull',
  'NewField',
])

/** Says whether an error ends the whole run, and not only its actor. */
export const isFatal = (error: unknown): boolean => FATAL.has(thrownOf(error).name)
