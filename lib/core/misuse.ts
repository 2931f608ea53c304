/** Wrong uses of the library. A command reports one in a line without a stack, since the frames of the library do not help its user. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BourseError, type ErrorCode } from './error.ts'

/**
 * The names of errors of wrong use: flags and files, a module without a machine, a message that cannot be sent. Names are
 * compared because an error from a thread has lost its class.
 */
const NAMES: ReadonlySet<string> = new Set(['UsageError', 'NotAMachine', 'NotPlainError'])

/** The codes of errors that are wrong uses where a scenario is opened: a wrong option, address, module or input. */
const OF_OPENING: ReadonlySet<ErrorCode> = new Set([
  'BOURSE_ADDRESS',
  'BOURSE_LIMIT',
  'BOURSE_LOADING',
  'BOURSE_NOT_A_MACHINE',
  'BOURSE_NOT_PLAIN',
  'BOURSE_OPTION',
])

/** The errors that were thrown while a scenario was opened. */
const opening = new WeakSet<Error>()

/** Marks an error as thrown while a scenario was opened, and returns it. */
export function thrownInOpening(error: unknown): unknown {
  if (error instanceof BourseError && OF_OPENING.has(error.code)) opening.add(error)
  return error
}

/** Adds the frames of the caller to the stack of an error that was made elsewhere, and returns it. Call it after an `await`. */
export function withCaller(error: unknown): unknown {
  if (error instanceof Error) {
    const [, ...frames] = (new Error().stack ?? '').split('\n')
    error.stack = [error.stack ?? error.message, ...frames].join('\n')
  }
  return error
}

/** Whether the user can mend it: wrong use, or a log in files that is damaged, full or taken. */
export const isMisuse = (error: unknown): error is Error =>
  error instanceof Error &&
  (NAMES.has(error.name) || opening.has(error) || (error instanceof BourseError && error.code === 'BOURSE_LOG'))

/** A wrong use in one line; one of a scenario that opens has its place in the user's own file. */
export function misuseText(error: Error): string {
  const place = opening.has(error) ? placeOf(error) : undefined
  return place === undefined ? error.message : `${error.message} (${place})`
}

const LIBRARY = fileURLToPath(new URL('../', import.meta.url))

/** The module that opens scenarios. The frames below its own belong to a command, and not to the scenario. */
const OPENER = /[\\/]scenario[\\/]scenario\.[jt]s$/

/** The place of the first frame in a file of the scenario, such as `my/scenario.ts:12`; undefined if none is left of it. */
export function placeOf({ stack = '' }: Error): string | undefined {
  for (const frame of stack.split('\n')) {
    const [, where = '', line] =
      /(?:\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):\d+\)?$/.exec(frame) ?? []
    const file = where.startsWith('file:') ? fileURLToPath(where) : where
    if (file.startsWith(LIBRARY) && OPENER.test(file)) return undefined
    if (file === '' || file.startsWith(LIBRARY) || file.includes('node_modules')) continue
    return `${relative('', file)}:${line}`
  }
  return undefined
}
