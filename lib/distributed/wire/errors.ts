/** Errors as they travel between processes. */
import { isObject } from '../../core/data.ts'
import type { Cause } from '../../runtime/runtime.ts'

export type Told = Pick<Cause, 'name' | 'message' | 'stack'>

export const causeOf = (error: unknown): Told => {
  const { name = 'Error', message = String(error), stack = '' }: Partial<Told> = isObject(error) ? error : {}
  return { name, message, stack }
}

export const errorOf = ({ name, message, stack }: Told): Error => Object.assign(new Error(message), { name, stack })
