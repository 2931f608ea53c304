/** Runs code for a limited time, also code that never returns: V8 ends it from another thread. */
import { Script } from 'node:vm'
import { isObject } from '../core/data.ts'

/** The task of the call that is under way. */
let running = (): void => {}

// the limit is one of scripts, and a script finds the task by a global name, which is defined once
const NAME = 'bourse: run the task whose time is limited'
Object.defineProperty(globalThis, Symbol.for(NAME), { value: () => running() })
const CALL = new Script(`globalThis[Symbol.for('${NAME}')]()`)

/**
 * Calls a synchronous function and returns its value; undefined if it did not return within `ms` of real time. It is then ended
 * where it was, and none of its `finally` blocks runs.
 *
 * @throws what the function throws
 */
export function timeLimited<T>(ms: number, task: () => T): { readonly value: T } | undefined {
  let result: { readonly value: T } | undefined
  running = () => {
    result = { value: task() }
  }
  try {
    CALL.runInThisContext({ timeout: Math.ceil(ms) })
  } catch (error) {
    if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
  return result
}
