/** Points of a sweep and their results as text: canonical, so that equal data has equal text, and checked. */
import { faultOf as faultOfPlain, type Plain } from '../core/data.ts'

/** JSON with the keys of every object sorted and undefined fields left out. */
export function pointText(value: Plain): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(pointText).join()}]`
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}:${pointText(field)}`],
  )
  return `{${fields.sort().join()}}`
}

/** The first value that JSON would lose or change, with its path: `.flow[3] is NaN`; undefined if there is none. */
export const faultOf = (value: unknown, place = ''): string | undefined => faultOfPlain(value, place, Number.isFinite)
