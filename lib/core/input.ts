/**
 * Reads the inputs of commands: regular files, and pipes that are open already, such as /dev/stdin. Any other file could
 * block the process, so that it would hear no signal, or could have no end.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { Socket } from 'node:net'
import { lastPart } from './part-file.ts'
import { UsageError } from './usage-error.ts'

/** The most bytes that are read through a pipe, since they are held in memory. */
export const INPUT_BYTES_MAX = 256_000_000

export interface Limit {
  readonly bytes: number
  /** The limit as errors name it, such as `100 bytes (option bytes)`. */
  readonly most: string
}

const CHUNK_BYTES = 1 << 16

/** Names of pipes that this process may have open. */
const OPEN = /^\/(?:dev\/(stdin)|(?:dev|proc\/self)\/fd\/(\d+))$/

/** The contents of pipes, by name, since a pipe can be read only once. */
const ahead = new Map<string, Buffer>()

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['ENOTDIR', 'no such file'],
  ['EACCES', 'no permission to read it'],
  ['ENXIO', 'a socket'],
])

/**
 * If `path` names an open pipe, reads it to its end, so that it can be read as a file then; signals are heard meanwhile.
 *
 * @throws UsageError for more than INPUT_BYTES_MAX
 */
export async function readAhead(path: string, where: string): Promise<void> {
  const [, stdin, fd] = OPEN.exec(path) ?? []
  const number = stdin === undefined ? Number(fd) : 0
  if (ahead.has(path) || Number.isNaN(number) || isRegular(number)) return
  const stream = number === 0 ? process.stdin : new Socket({ fd: number, readable: true, writable: false })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > INPUT_BYTES_MAX) {
      const limit = `${INPUT_BYTES_MAX} bytes through a pipe (INPUT_BYTES_MAX; a file may have more)`
      throw UsageError.tooMany(where, limit)
    }
    chunks.push(Buffer.from(chunk))
  }
  ahead.set(path, Buffer.concat(chunks))
}

/** Says whether a file is regular. It is true also for a file that is not open, which fails when it is read. */
function isRegular(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return true
  }
}

/**
 * The bytes of an input, a chunk at a time; a chunk is valid until the next.
 *
 * @param where how errors name it, such as `--workload jobs.csv`
 * @throws UsageError if it cannot be read, is no regular file, or has more bytes than the limit
 */
export function* chunksOf(path: string, where: string, limit: Limit): Generator<Buffer> {
  let rest = limit.bytes
  for (const chunk of ahead.has(path) ? [ahead.get(path) ?? Buffer.alloc(0)] : chunksIn(path, where, limit)) {
    rest -= chunk.length
    if (rest < 0) throw UsageError.tooMany(where, limit.most)
    yield chunk
  }
}

/** All bytes of an input. Throws what `chunksOf` throws. */
export const bytesOf = (path: string, where: string, limit: Limit): Buffer =>
  Buffer.concat(Array.from(chunksOf(path, where, limit), (chunk) => Buffer.from(chunk)))

function* chunksIn(path: string, where: string, limit: Limit): Generator<Buffer> {
  // a named pipe is not waited for
  const file = attempt(path, where, () => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)))
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw UsageError.invalid(where, 'a regular file', kindOf(found, path))
    if (found.size > limit.bytes) throw UsageError.tooMany(where, limit.most, String(found.size))
    const chunk = Buffer.alloc(CHUNK_BYTES)
    for (;;) {
      const bytes = attempt(path, where, () => readSync(file, chunk))
      if (bytes === 0) return
      yield chunk.subarray(0, bytes)
    }
  } finally {
    closeSync(file)
  }
}

function kindOf(found: Stats, path: string): string {
  if (found.isDirectory()) return 'a directory'
  if (!found.isFIFO()) return 'a device'
  return OPEN.test(path)
    ? 'a pipe, which this command would read more than once: copy it to a file'
    : `a named pipe: give /dev/stdin instead, with < ${path}`
}

function attempt<T>(path: string, where: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const part = code === 'ENOENT' ? lastPart(path) : undefined
    const left = part === undefined ? '' : `, but ${part} is there, of a run that has not ended`
    throw UsageError.cannot(`read ${where}`, (REASONS.get(code) ?? code) + left)
  }
}
