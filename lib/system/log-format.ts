/**
 * The format of a log of records. The first line names the address. Each line after it is the write of one step: the CRC-32 of its
 * text in hexadecimal, a space, and its text, the instant and the records in JSON.
 *
 * A write that was torn has no end of line, and is recognized by that. Any other damage is refused.
 */
import { crc32 } from 'node:zlib'
import type { Address } from '../core/address.ts'
import { faultOf, isBytes, isObject, type Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { isTime, type Time } from '../core/time.ts'
import { bytesRead, withAllBytes } from '../trace/bytes.ts'

const VERSION = 1
const NEWLINE = 10
/** The length of a checksum and the space after it. */
const CHECKSUM = 9

/** A write in a log: the records of one step, and its instant. A snapshot is the first one of its log. */
export interface LogEntry {
  readonly at: Time
  readonly records: readonly Plain[]
}

/** The first line of a log. */
export const headOf = (address: Address): string => `bourse-log ${VERSION} ${address}\n`

/**
 * One write as a line.
 *
 * @throws BourseError for a number that JSON has no form for
 */
export function lineOf({ at, records }: LogEntry, address: Address): string {
  const fault = faultOf(records, 'records', Number.isFinite)
  if (fault)
    throw new BourseError('BOURSE_LOG', `a log in files (option log) cannot hold what ${address} persists: ${fault}`)
  const text = textOf({ at, records })
  return `${checksumOf(text)}${text}\n`
}

/** A log with one write, which may have no records. */
export const logOf = (entry: LogEntry, address: Address): Buffer =>
  Buffer.from(headOf(address) + (entry.records.length > 0 ? lineOf(entry, address) : ''))

/** The part of a write that is on a disk if it was torn: at least a byte, and never its end. `draw` is from 0 to 1. */
export function partOfLine(entry: LogEntry, address: Address, draw: number): Buffer {
  const line = Buffer.from(lineOf(entry, address))
  return line.subarray(0, 1 + Math.floor(draw * (line.length - 1)))
}

const checksumOf = (text: string | Uint8Array): string => `${crc32(text).toString(16).padStart(8, '0')} `

/** The value in JSON. `JSON.stringify` would lose the sign of -0. */
function textOf(value: Plain): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isBytes(value)) return JSON.stringify(withAllBytes(value))
  if (isPlainList(value)) return `[${value.map(textOf).join()}]`
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}:${textOf(field)}`],
  )
  return `{${fields.join()}}`
}

const isPlainList = (value: object): value is readonly Plain[] => Array.isArray(value)

/** What a log holds. */
export interface LogContents {
  readonly entries: readonly LogEntry[]
  /** The offset of the first byte after the last whole write; what comes after it was torn. */
  readonly end: number
}

/** Thrown for a log that is damaged, and not only torn. */
export class LogDamaged extends BourseError {
  override readonly name = 'LogDamaged'
  readonly offset: number

  constructor(where: string, offset: number, what: string) {
    super(
      'BOURSE_LOG',
      `${where} is damaged at offset ${offset}: ${what}. Restore the file, or move it away to begin without these records`,
    )
    this.offset = offset
  }
}

/**
 * Reads a log. `where` names it in errors.
 *
 * @throws LogDamaged with the offset
 */
export function readLog(contents: Buffer, address: Address, where: string): LogContents {
  const end = contents.lastIndexOf(NEWLINE) + 1
  const entries: LogEntry[] = []
  let at = contents.indexOf(NEWLINE) + 1
  if (end > 0 && contents.toString('utf8', 0, at) !== headOf(address)) {
    throw new LogDamaged(where, 0, `it must begin with the line ${JSON.stringify(headOf(address).trim())}`)
  }
  while (at < end) {
    const next = contents.indexOf(NEWLINE, at) + 1
    const text = contents.subarray(at + CHECKSUM, next - 1)
    if (contents.toString('latin1', at, at + CHECKSUM) !== checksumOf(text)) {
      throw new LogDamaged(where, at, 'the checksum of a write is wrong')
    }
    entries.push(entryIn(text.toString('utf8'), where, at))
    at = next
  }
  return { entries, end }
}

function entryIn(text: string, where: string, offset: number): LogEntry {
  try {
    const entry: unknown = JSON.parse(text)
    const { at, records } = isObject(entry) ? entry : {}
    const list = Array.isArray(records) ? records.map(bytesRead) : undefined
    if (isTime(at) && list && faultOf(list, '') === undefined) return { at, records: list }
  } catch {
    // refused below
  }
  throw new LogDamaged(where, offset, 'a line is not the instant and the records of a write')
}
