/**
 * The start of a thread: it runs its program with the code cache that the first such thread made. Without the cache, V8
 * would compile the whole text in each thread again.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'
import { threadId } from 'node:worker_threads'

/** The exports of a bundle. */
interface Program {
  readonly exported: unknown
  /** Prepares the program; if it returns a function, that function is its rest. */
  readonly work: (exported: unknown) => unknown
}

type Wrapped = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void

/** Runs the program in a file: it prepares the program, and runs its rest. */
export function start(file: string): void {
  const rest = load(file)
  if (typeof rest === 'function') rest()
}

/** Prepares the program in a file, and returns its rest. */
export function load(file: string): unknown {
  const text = readFileSync(file, 'latin1') // a bundle is ASCII
  const require = createRequire(file)
  // Only Node's own loader supports dynamic imports of the program, and coverage by file.
  if (text.includes('import(') || process.env['NODE_V8_COVERAGE'] !== undefined) return prepare(require(file))
  const code = `${file}.code`
  const script = new Script(Module.wrap(text), {
    filename: file,
    columnOffset: -Module.wrap('').indexOf('\n'),
    ...(existsSync(code) && { cachedData: readFileSync(code) }),
  })
  const wrapped: Wrapped = script.runInThisContext()
  const module: { exports: Program } = { exports: { exported: undefined, work: () => {} } }
  wrapped(module.exports, require, module, file, dirname(file))
  const rest = prepare(module.exports)
  if (!existsSync(code)) keep(code, script.createCachedData())
  return rest
}

const prepare = ({ work, exported }: Program): unknown => work(exported)

/** Writes a file atomically, since other threads may look for it meanwhile. */
function keep(path: string, data: Buffer): void {
  writeFileSync(`${path}.${threadId}`, data)
  renameSync(`${path}.${threadId}`, path)
}
