/**
 * Compiled TypeScript, kept in `node_modules/.cache/bourse`. The name of a file there is the hash of everything that its
 * text depends on, so a changed source has another name, and two processes may write the same file. Where nothing can be
 * written, each process compiles for itself.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../../node_modules/.cache/bourse/', import.meta.url))

/** How long a file of the cache is kept that no source needs, in milliseconds: one week. */
const KEPT = 7 * 24 * 60 * 60 * 1000

const options = {
  loader: 'ts',
  format: 'esm',
  target: 'node20.19',
  sourcemap: 'inline',
  sourcesContent: false,
  logLevel: 'silent',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
}
const compiler = `${require('esbuild/package.json').version} ${JSON.stringify(options)}`

/** The JavaScript of a TypeScript file. */
export function compiled(path) {
  const text = readFileSync(path)
  const file = fileOf(path, text)
  const known = read(file)
  if (known !== undefined) return known
  const { code } = transformed(path, text)
  write(file, code)
  return code
}

function transformed(path, text) {
  const { transformSync } = require('esbuild')
  try {
    return transformSync(text, optionsFor(path))
  } catch {
    // The error names the whole path.
    return transformSync(text, { ...options, sourcefile: path })
  }
}

/** Compiles the files that the cache lacks, with one process of the compiler, and removes what has not been needed for a week. */
export async function prepare(paths) {
  const esbuild = require('esbuild')
  const sources = paths.map((path) => ({ path, text: readFileSync(path) }))
  const needed = new Map(sources.map(({ path, text }) => [fileOf(path, text), { path, text }]))
  const present = new Set(filesIn(folder))
  const compile = async ([file, { path, text }]) => {
    try {
      write(file, (await esbuild.transform(text, optionsFor(path))).code)
    } catch {
      // Whoever imports a file with an error sees the error.
    }
  }
  await Promise.all([...needed].filter(([file]) => !present.has(file)).map(compile))
  for (const file of present) if (!needed.has(file)) removeOld(file)
}

/** A source map names its source relative to the module, so copies of one file share their compiled text. */
function optionsFor(path) {
  return { ...options, sourcefile: encodeURIComponent(basename(path)) }
}

function fileOf(path, text) {
  const hash = createHash('sha1')
    .update(`${compiler}\n${basename(path)}\n`)
    .update(text)
  return folder + hash.digest('hex')
}

function filesIn(path) {
  try {
    return readdirSync(path).map((name) => join(path, name))
  } catch {
    return []
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Writes a whole file or none: a reader never sees half of it. */
function write(file, text) {
  const draft = `${file}.${randomUUID()}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(draft, text)
    renameSync(draft, file)
  } catch {
    // The folder cannot be written, or the disk is full.
    remove(draft)
  }
}

function removeOld(file) {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
  if (mtimeMs !== undefined && Date.now() - mtimeMs > KEPT) remove(file)
}

function remove(file) {
  try {
    rmSync(file)
  } catch {
    // It was never written, or another process has removed it.
  }
}
