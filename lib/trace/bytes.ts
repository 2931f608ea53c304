/** Bytes in traces. A trace is JSON, which has none: each `Uint8Array` becomes a record under the key `$bytes`. */

import { createHash } from 'node:crypto'
import { BYTES_KEY, isBytes, isObject, type Plain } from '../core/data.ts'
import { FieldError } from '../core/decode.ts'

/** The most bytes of a `Uint8Array` that a trace has in full, where a replay computes them again. */
const FULL_MAX = 1024

/**
 * Replaces each `Uint8Array` by `{ $bytes: base64 }`, so that a replay can read it. This is for what a replay cannot compute:
 * messages of the system, inputs, results of computations.
 */
export const withAllBytes = (value: Plain): Plain => replaced(value, Number.POSITIVE_INFINITY)

/**
 * Replaces each `Uint8Array` as `withAllBytes` does, but one of more than 1,024 bytes by its length and a hash:
 * `{ $bytes: null, length, sha256 }`. This is for what the steps of actors compute again.
 */
export const withShortBytes = (value: Plain): Plain => replaced(value, FULL_MAX)

/** The value itself if it holds no bytes. */
function replaced(value: Plain, longest: number): Plain {
  if (typeof value !== 'object' || value === null) return value
  if (isBytes(value)) return shown(value, longest)
  if (isPlainList(value)) {
    const items = value.map((item) => replaced(item, longest))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  let changed: Record<string, Plain | undefined> | undefined
  for (const key in value) {
    const field = value[key]
    if (typeof field !== 'object' || field === null) continue
    const other = replaced(field, longest)
    if (other === field) continue
    changed ??= { ...value }
    changed[key] = other
  }
  return changed ?? value
}

const isPlainList = (value: object): value is readonly Plain[] => Array.isArray(value)

function shown(bytes: Uint8Array, longest: number): Plain {
  const { length } = bytes
  if (length <= longest) return { [BYTES_KEY]: Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('base64') }
  return { [BYTES_KEY]: null, length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/**
 * The value of which a trace has the form that `withAllBytes` or `withShortBytes` made.
 *
 * @throws FieldError if the trace has only the hash of some bytes
 */
export function bytesRead(value: Plain): Plain {
  if (typeof value !== 'object' || value === null || isBytes(value)) return value
  if (isPlainList(value)) return value.map(bytesRead)
  if (BYTES_KEY in value) return bytesIn(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, field === undefined ? field : bytesRead(field)]),
  )
}

function bytesIn(shown: Plain): Plain {
  const text = isObject(shown) ? shown[BYTES_KEY] : undefined
  if (typeof text === 'string') return new Uint8Array(Buffer.from(text, 'base64'))
  throw new FieldError(
    `the trace has only the hash of more than ${FULL_MAX} bytes that another actor sent: replay all actors together`,
  )
}
