/**
 * Results that outlive their run: a file of JSON lines, one per finished point, each with the key of its point. Lines are
 * only added; a run that was killed leaves at most a half-written last line, which is cut off.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, truncateSync } from 'node:fs'
import { isObject, isPlain, type Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { bytesOf } from '../core/input.ts'
import { UsageError } from '../core/usage-error.ts'
import { pointText } from './fields.ts'

/** Everything that a result depends on. */
export interface Origin {
  readonly study: string
  readonly point: Plain
  /** The version of Bourse; results of another version are not used. */
  readonly version: string
}

/** The key of a result: equal origins have equal keys, in whatever order their fields come. */
export const keyOf = ({ study, point, version }: Origin): string =>
  createHash('sha256')
    .update(pointText([study, point, version]))
    .digest('hex')
    .slice(0, 32)

const HEAD = `${JSON.stringify({ type: 'kept results', format: 1 })}\n`

/** A file of kept results. It is created at the first result if it does not exist; one sweep at a time may use it. */
export class Checkpoint {
  readonly #path: string
  readonly #results = new Map<string, Plain>()
  #lastPoint: Plain = null

  /**
   * Opens a file of kept results, and reads those that it has.
   *
   * @throws UsageError for a file that holds anything else, which is left as it is
   */
  constructor(path: string) {
    this.#path = path
    try {
      if (!existsSync(path)) appendFileSync(path, HEAD)
      this.#read(bytesOf(path, path, { bytes: Number.POSITIVE_INFINITY, most: 'any number of bytes' }).toString())
    } catch (error) {
      if (error instanceof BourseError || !(error instanceof Error && 'code' in error)) throw error
      throw UsageError.cannot(`write ${path}`, String(error.code))
    }
  }

  #read(text: string): void {
    if (text !== '' && !text.startsWith(HEAD) && !HEAD.startsWith(text))
      throw UsageError.invalid(`${this.#path}, line 1`, HEAD.trim())
    const end = text.lastIndexOf('\n') + 1
    for (const [i, line] of text.slice(HEAD.length, end).split('\n').entries()) {
      if (line === '') continue
      const { key, point, result } = lineOf(line, `${this.#path}, line ${i + 2}`)
      this.#results.set(key, result)
      this.#lastPoint = point
    }
    if (end < text.length) truncateSync(this.#path, Buffer.byteLength(text.slice(0, end)))
    if (end === 0) appendFileSync(this.#path, HEAD)
  }

  /** The result of a key; undefined if there is none. */
  get(key: string): Plain | undefined {
    return this.#results.get(key)
  }

  /** The point of the last result that was in the file when it was opened; null if it was empty. */
  get lastPoint(): Plain {
    return this.#lastPoint
  }

  add(key: string, origin: Origin, result: Plain): void {
    appendFileSync(this.#path, `${JSON.stringify({ key, ...origin, result })}\n`)
    this.#results.set(key, result)
  }
}

function lineOf(line: string, place: string): { key: string; point: Plain; result: Plain } {
  const value = parsed(line)
  const { key, point = null, result } = isObject(value) ? value : {}
  if (typeof key === 'string' && isPlain(point) && isPlain(result)) return { key, point, result }
  throw UsageError.invalid(place, 'a kept result')
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
