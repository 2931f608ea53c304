/** Workloads from files. */
import { gunzipSync } from 'node:zlib'
import { bytesOf } from '../core/input.ts'
import { UsageError } from '../core/usage-error.ts'
import { readCsv } from './csv.ts'
import type { Workload } from './job.ts'
import type { Reading } from './reading.ts'
import { serialTasks } from './serial.ts'
import { readLog } from './swf.ts'

/** How a workload is read from a file. */
export interface FileReading extends Reading {
  /** The most bytes of the unpacked text (default 256 MB). */
  readonly maxBytes?: number
}

const MAX_BYTES = 256_000_000

function unpacked(path: string, source: string, maxBytes: number): string {
  const most = `${maxBytes / 1e6} MB of text (option maxBytes)`
  const bytes = bytesOf(path, source, { bytes: maxBytes, most })
  if (!path.endsWith('.gz')) return bytes.toString('utf8')
  if (bytes.length === 0) throw UsageError.invalid(source, 'gzip data', 'an empty file')
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    if (code === 'ERR_BUFFER_TOO_LARGE') throw UsageError.tooMany(source, most)
    throw UsageError.invalid(source, 'gzip data', `other data (${code})`)
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
  if (content.trim() === '') throw UsageError.requires(source, 'at least one job, but is empty')
  return content
}

/** Says whether a file of this name is read as a log in the Standard Workload Format. */
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
