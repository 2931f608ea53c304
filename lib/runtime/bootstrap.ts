/**
 * How a thread begins: it runs its program with the code that V8 made of it for the first thread that did. Each thread
 * has a V8 of its own, which would read all the text again.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'
import { threadId } from 'node:worker_threads'

/** What a bundle exports. */
interface Program {
  readonly exported: unknown
  /** Gets everything ready; a function that it returns is the rest. */
  readonly work: (exported: unknown) => unknown
}

type Wrapped = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void

/** Runs the program in a file: `work(exported)`, and then what that returns. */
export function start(file: string): void {
  const text = readFileSync(file, 'latin1') // a bundle is ASCII
  const require = createRequire(file)
  // Only Node's own loader knows how to import what is named while the program runs, and takes coverage by file.
  if (text.includes('import(') || process.env['NODE_V8_COVERAGE'] !== undefined) return run(require(file))
  const code = `${file}.code`
  const script = new Script(Module.wrap(text), {
    filename: file,
    columnOffset: -Module.wrap('').indexOf('\n'),
    ...(existsSync(code) && { cachedData: readFileSync(code) }),
  })
  const wrapped: Wrapped = script.runInThisContext()
  const module: { exports: Program } = { exports: { exported: undefined, work: () => {} } }
  wrapped(module.exports, require, module, file, dirname(file))
  run(module.exports, () => {
    if (!existsSync(code)) keep(code, script.createCachedData())
  })
}

function run({ work, exported }: Program, onReady = () => {}): void {
  const rest = work(exported)
  onReady()
  if (typeof rest === 'function') rest()
}

/** Whole or not at all: others look for it meanwhile. */
function keep(path: string, data: Buffer): void {
  writeFileSync(`${path}.${threadId}`, data)
  renameSync(`${path}.${threadId}`, path)
}
