/** Workloads from files. */
import { readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { UsageError } from '../usage.ts'
import { readCsv } from './csv.ts'
import type { Workload } from './job.ts'
import type { Reading } from './reading.ts'
import { serialTasks } from './serial.ts'
import { readLog } from './swf.ts'

export interface FileReading extends Reading {
  /** Of the text, unpacked; default 256 MB. */
  readonly maxBytes?: number
}

const MAX_BYTES = 256_000_000

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['EISDIR', 'a directory'],
  ['ENOTDIR', 'no such file'],
  ['EACCES', 'no permission to read it'],
])

function unpacked(path: string, source: string, maxBytes: number): string {
  const tooLarge = () => new UsageError(source, `at most ${maxBytes / 1e6} MB of text`, 'more')
  let bytes: Buffer
  try {
    if (statSync(path).size > maxBytes) throw tooLarge()
    bytes = readFileSync(path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(source, 'a readable file', REASONS.get(codeOf(error)) ?? codeOf(error))
  }
  if (bytes.length > maxBytes) throw tooLarge()
  if (!path.endsWith('.gz')) return bytes.toString('utf8')
  if (bytes.length === 0) throw new UsageError(source, 'gzip data', 'an empty file')
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new UsageError(source, 'gzip data', `other data (${codeOf(error)})`)
  }
}

/**
 * The text of a workload's file, unpacked if its name ends in .gz.
 *
 * @param source how errors name it, such as `--workload jobs.csv`
 * @throws UsageError if it cannot be read, is empty or has more than `maxBytes`
 */
export function textOf(path: string, source: string, maxBytes = MAX_BYTES): string {
  const content = unpacked(path, source, maxBytes)
  if (content.trim() === '') throw new UsageError(source, 'at least one job', 'an empty file')
  return content
}

/** Is a file of this name taken for a log in the Standard Workload Format? */
export const isLog = (path: string): boolean => /\.swf(\.gz)?$/.test(path)

/**
 * Reads a workload: a Standard Workload Format log if the name ends in `.swf` or `.swf.gz`, else CSV.
 *
 * @throws UsageError that names the flag `--workload`, the file and, where there is one, line and column
 */
export function readWorkload(path: string, reading: FileReading = {}): Workload {
  const source = `--workload ${path}`
  const content = textOf(path, source, reading.maxBytes)
  if (!isLog(path)) return readCsv(content, source, reading)
  return serialTasks(readLog(content, source, reading), source, reading)
}
