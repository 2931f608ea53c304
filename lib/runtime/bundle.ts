/**
 * Bundles each actor module into one program for worker threads.
 *
 * A worker that loads TypeScript by itself takes ten times the time of an empty one and does not work on Node 20 at all;
 * a worker that starts from one bundled file is nearly as cheap as an empty one.
 */

import { readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, isAbsolute, join, parse, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildFailure, OutputFile, Plugin } from 'esbuild'
import { BourseError } from '../core/error.ts'
import { pathOfFile } from '../core/module-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

const worker = new URL('./worker.ts', import.meta.url)
const starter = pathOfFile(new URL('./bootstrap.ts', import.meta.url))

/** The name of the module that starts the others. It is no path, so no stack frame is attributed to a file of that name. */
const START = 'bourse:start'

const builds = new Map<string, Promise<string>>()
const maps = new Map<string, SourceMap>()
let folder: string | undefined
let made = 0

/**
 * The path of a file that runs `work(exports of module)` and then the function that it returns; `entry` exports `work`.
 * Start it with `execArgv: []`: a worker inherits its parent's loaders, and they cost more than the worker.
 */
export async function bundle(module: URL | string, entry: URL | string = worker): Promise<string> {
  const paths = { module: pathOfFile(module), entry: pathOfFile(entry) }
  const key = JSON.stringify(paths)
  const known = builds.get(key)
  if (known !== undefined) return known
  const begun = build(paths.module, paths.entry)
  builds.set(key, begun)
  // A module that failed may be mended before it is bundled again.
  begun.catch(() => builds.delete(key))
  return begun
}

/** The path of the program that a bundle starts, which `load` takes (see bootstrap.ts). */
export const programOf = (start: string): string => start.replace(/start\.cjs$/, 'cjs')

/** Maps every frame of a stack that is in a bundle to its source file, line and column. */
export function locate(stack: string): string {
  if (folder === undefined) return stack
  const here = folder
  const frame = new RegExp(`(?:file://)?${literal(here)}[/\\\\]([\\w.-]+\\.cjs):(\\d+):(\\d+)`, 'g')
  return stack.replace(frame, (whole: string, name: string, line: string, column: string) => {
    const entry = mapOf(join(here, name))?.findEntry(Number(line) - 1, Number(column) - 1)
    // The nearest entry may be of an earlier line, which says nothing about this one.
    if (entry === undefined || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) return whole
    if (!isAbsolute(entry.originalSource)) return whole
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

async function build(module: string, entry: string): Promise<string> {
  const found = await stat(module).catch(() => undefined)
  if (found === undefined || !found.isFile())
    throw new BourseError('BOURSE_LOADING', `cannot bundle ${shown(module)}: there is no such file`)

  const program = join(home(), `${parse(module).name.replace(/[^\w-]/g, '-')}-${made++}.cjs`)
  const parts = `import { work } from ${JSON.stringify(entry)}
import * as exported from ${JSON.stringify(module)}`
  const start = program.replace(/cjs$/, 'start.cjs')
  try {
    await emit(program, `${parts}\nexport { work, exported }`)
    await emit(start, `import { start } from ${JSON.stringify(starter)}\nstart(${JSON.stringify(program)})`)
  } catch (error) {
    throw isFailure(error)
      ? new BourseError('BOURSE_LOADING', `cannot bundle ${shown(module)}: ${reason(error)}`, { cause: error })
      : error
  }
  return start
}

/** Bundles what `contents` imports into one file. */
async function emit(file: string, contents: string): Promise<void> {
  // Loaded here, since a run without threads never needs it.
  const esbuild = await import('esbuild')
  // For coverage, code must not be left out of the bundle, where it would count as run, and lines must stay lines.
  const isMeasured = process.env['NODE_V8_COVERAGE'] !== undefined
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: dirname(starter), sourcefile: START },
    outfile: file,
    write: false,
    bundle: true,
    format: 'cjs',
    // ES modules are in strict mode, which a CommonJS file is only by this. Without it a write to frozen data does nothing.
    banner: { js: '"use strict";' },
    platform: 'node',
    target: 'node20',
    // Names survive without esbuild's `keepNames`, but for a number where two modules use one name; with it every
    // closure is named as it is made, and XState's handling of an event takes a third longer.
    keepNames: false,
    // A smaller program for every thread; identifiers stay, since they are the names of classes in errors.
    minifyWhitespace: !isMeasured,
    minifySyntax: !isMeasured,
    lineLimit: 120,
    treeShaking: !isMeasured,
    sourcemap: 'linked',
    sourcesContent: false,
    define: {
      'import.meta.url': '__moduleUrl',
      'import.meta.filename': '__moduleFile',
      'import.meta.dirname': '__moduleFolder',
    },
    plugins: [ownMeta],
    logLevel: 'silent',
  })
  await Promise.all(outputFiles.map((output) => writeFile(output.path, absolute(output))))
}

/**
 * In one CommonJS file all modules would share one `import.meta`; this gives each its own.
 * What is put before the first line has no line break, so that positions stay true from the second line on.
 */
const ownMeta: Plugin = {
  name: 'own-meta',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta')) return undefined
      const own = { __moduleUrl: pathToFileURL(path).href, __moduleFile: path, __moduleFolder: dirname(path) }
      const head = Object.entries(own).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
      const shebang = /^#!.*/.exec(text)?.[0] ?? ''
      return { contents: head.join('') + text.slice(shebang.length), loader: loaderOf(path) }
    })
  },
}

function loaderOf(path: string): 'ts' | 'tsx' | 'js' | 'jsx' {
  if (path.endsWith('.tsx')) return 'tsx'
  if (path.endsWith('.jsx')) return 'jsx'
  return path.endsWith('ts') ? 'ts' : 'js'
}

/** Makes the sources of a source map absolute, for readers of coverage; they are relative to the bundle at first. */
function absolute(output: OutputFile): string | Uint8Array {
  if (!output.path.endsWith('.map')) return output.contents
  const map: SourceMapPayload = JSON.parse(output.text)
  const from = dirname(output.path)
  map.sources = map.sources.map((source) => (source.endsWith(START) ? START : resolve(from, source)))
  return JSON.stringify(map)
}

function mapOf(file: string): SourceMap | undefined {
  const known = maps.get(file)
  if (known !== undefined) return known
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    maps.set(file, map)
    return map
  } catch {
    // A stack is worth showing even if its frames cannot be moved.
    return undefined
  }
}

/** The folder of the bundles. Its path is real: V8 names scripts by their real paths, and `locate` looks for these. */
function home(): string {
  if (folder !== undefined) return folder
  const { path, remove } = temporaryFolder()
  process.once('exit', remove)
  folder = path
  return path
}

function isFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

function reason({ errors: [first, ...others] }: BuildFailure): string {
  if (first === undefined) return 'the bundler gave no reason'
  const { text, location } = first
  const where = location === null ? '' : `${shown(resolve(location.file))}:${location.line}:${location.column + 1}: `
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `${where}${text.replaceAll(/\s+/g, ' ')}${more}`
}

/** A path relative to the working directory, if the file is below that. */
function shown(path: string): string {
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
