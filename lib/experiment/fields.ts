/** Points of a sweep and their results as text: canonical, so that equal data has equal text, and checked. */
import { isObject, type Plain } from '../plain.ts'

/** JSON with the keys of every object sorted and what is undefined left out. */
export function canonical(value: Plain): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}:${canonical(field)}`],
  )
  return `{${fields.sort().join()}}`
}

/** What JSON would lose or change, with its place: `.flow[3] is NaN`; undefined if there is nothing. */
export function faultOf(value: unknown, place = ''): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${place} is ${value}`
  if (Array.isArray(value)) return firstOf(value.map((item, i) => faultOf(item, `${place}[${i}]`)))
  if (!isObject(value)) return `${place} is ${typeof value}`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `${place} is an instance of a class`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return firstOf(fields.map(([key, field]) => faultOf(field, `${place}.${key}`)))
}

const firstOf = (faults: readonly (string | undefined)[]): string | undefined =>
  faults.find((fault) => fault !== undefined)
