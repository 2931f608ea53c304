/** The difference between two plain values: a live page gets only the difference, and not the whole run again. */
import { isObject, type Plain } from '../core/data.ts'

/**
 * The change of a value: `{ is }` is a new value; otherwise its parts change. An array becomes `length` long, and `more` is
 * appended.
 */
export type Delta =
  | { readonly is: Plain }
  | { readonly fields: { readonly [key: string]: Delta } }
  | {
      readonly length: number
      readonly items: readonly (readonly [index: number, delta: Delta])[]
      readonly more: readonly Plain[]
    }

type Fields = { readonly [key: string]: Plain | undefined }
const isList = (value: Plain | undefined): value is readonly Plain[] => Array.isArray(value)
const isFields = (value: Plain | undefined): value is Fields => isObject(value) && !Array.isArray(value)

/** The delta between two values; undefined if they are equal. An undefined field counts as absent, as in JSON. */
export function deltaOf(from: Plain | undefined, to: Plain): Delta | undefined {
  if (from === to) return undefined
  if (isList(from) && isList(to)) return listDelta(from, to)
  if (isFields(from) && isFields(to)) return fieldsDelta(from, to)
  return { is: to }
}

function listDelta(from: readonly Plain[], to: readonly Plain[]): Delta | undefined {
  const items: [number, Delta][] = []
  const common = Math.min(from.length, to.length)
  for (let i = 0; i < common; i++) {
    const value = to[i] ?? null
    const delta = from[i] === value ? undefined : deltaOf(from[i], value)
    if (delta) items.push([i, delta])
  }
  if (items.length === 0 && from.length === to.length) return undefined
  return { length: to.length, items, more: to.slice(common) }
}

function fieldsDelta(from: Fields, to: Fields): Delta | undefined {
  const isThere = (of: Fields) => (key: string) => of[key] !== undefined
  if (Object.keys(from).some((key) => isThere(from)(key) && !isThere(to)(key))) return { is: to }
  const fields: [string, Delta][] = []
  for (const [key, value] of Object.entries(to)) {
    const delta = value === undefined ? undefined : deltaOf(ownField(from, key), value)
    if (delta) fields.push([key, delta])
  }
  // an own field even where a name is special in objects
  return fields.length === 0 ? undefined : { fields: Object.fromEntries(fields) }
}

/** Applies a delta: `changed(from, deltaOf(from, to))` is `to`. Unchanged parts are shared. */
export function changed(from: Plain | undefined, delta: Delta | undefined): Plain {
  if (!delta) return from ?? null
  if ('is' in delta) return delta.is
  if ('fields' in delta) {
    const old = isFields(from) ? from : {}
    const fields = Object.entries(delta.fields).map(([key, part]) => [key, changed(ownField(old, key), part)] as const)
    return { ...old, ...Object.fromEntries(fields) }
  }
  const list: Plain[] = isList(from) ? from.slice(0, delta.length) : []
  for (const [index, part] of delta.items) list[index] = changed(list[index], part)
  // not spread into a call: there may be more than a stack has room for
  for (const item of delta.more) list.push(item)
  return list
}

const ownField = (of: Fields, key: string): Plain | undefined => (Object.hasOwn(of, key) ? of[key] : undefined)
