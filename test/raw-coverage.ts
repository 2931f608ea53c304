/**
 * The coverage that Node writes for each process and each thread (`NODE_V8_COVERAGE`), merged while the tests run.
 *
 * A run of all tests starts thousands of threads, and each writes about a megabyte, most of it about scripts of Node and of
 * packages. Kept until the end these are gigabytes. Besides, each process bundles its actors anew, under a new path, and to map
 * a bundle to its sources takes seconds. So scripts are kept by what they contain: equal bundles are one script.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mergeScriptCovs } from '@bcoe/v8-coverage'
import * as v from 'valibot'
import { fromLineStart } from './source-map.ts'

const SourceMap = v.looseObject({ sources: v.array(v.string()), mappings: v.string() })

const Raw = v.looseObject({
  result: v.array(
    v.looseObject({
      scriptId: v.string(),
      url: v.string(),
      // Written by V8: to check each of a million ranges takes longer than to merge them.
      functions: v.custom<Profiler.FunctionCoverage[]>(Array.isArray),
    }),
  ),
  'source-map-cache': v.optional(
    v.record(v.string(), v.looseObject({ data: v.nullable(SourceMap), lineLengths: v.array(v.number()) })),
    {},
  ),
})

/** How the names of scripts begin, which say what they contain. */
const NAMED = 'file:///script/'

type Mapped = NonNullable<v.InferOutput<typeof Raw>['source-map-cache']>[string]

export class RawCoverage {
  /** The paths of the sources of all scripts. */
  readonly loaded = new Set<string>()
  readonly #isOurs: (path: string) => boolean
  readonly #known = new Map<string, boolean>()
  readonly #scripts = new Map<string, Profiler.ScriptCoverage>()
  readonly #maps = new Map<string, unknown>()

  /** `isOurs` says of which sources the coverage is wanted. */
  constructor(isOurs: (path: string) => boolean) {
    this.#isOurs = isOurs
  }

  /** Adds all that Node or `write` has written in a folder, and removes the folder. */
  add(folder: string): void {
    if (!existsSync(folder)) return
    const found = new Map<string, Profiler.ScriptCoverage[]>()
    for (const name of readdirSync(folder)) {
      for (const script of this.#read(join(folder, name))) {
        found.set(script.url, [...(found.get(script.url) ?? []), script])
      }
    }
    rmSync(folder, { recursive: true })
    for (const [url, scripts] of found) this.#merge(url, scripts)
  }

  /** Adds sources that nothing has loaded. */
  addUnloaded(scripts: readonly Profiler.ScriptCoverage[]): void {
    for (const script of scripts) this.#scripts.set(script.url, script)
  }

  /** Writes each script to a file of a folder, in the form that Node writes. All in one file may be too long for a string. */
  write(folder: string): void {
    mkdirSync(folder, { recursive: true })
    for (const [index, script] of [...this.#scripts.values()].entries()) {
      const map = this.#maps.get(script.url)
      const cache = map === undefined ? {} : { [script.url]: map }
      writeFileSync(join(folder, `${index}.json`), JSON.stringify({ result: [script], 'source-map-cache': cache }))
    }
  }

  /** The scripts of a file with sources of ours, under the names that equal scripts share. */
  #read(file: string): Profiler.ScriptCoverage[] {
    const text = readFileSync(file, 'utf8')
    // A process that was killed has written half of its file.
    if (!text.endsWith('}')) return []
    const { result, 'source-map-cache': cache } = v.parse(Raw, JSON.parse(text))
    return result.flatMap(({ scriptId, url, functions }) => {
      const mapped = cache[url]
      const name = mapped === undefined ? undefined : this.#nameOf(url, mapped)
      return name === undefined ? [] : [{ scriptId, url: name, functions }]
    })
  }

  /** The name of a script by its text and its sources, or undefined if none of these is ours. */
  #nameOf(given: string, { data, lineLengths, ...entry }: Mapped): string | undefined {
    if (data === null) return undefined
    const sources = data.sources.map((source) => (source.startsWith('file:') ? fileURLToPath(source) : source))
    // The other sources of a bundle may be in folders with other names in each process.
    const kept = sources.map((source) => (this.#wants(source) ? source : ''))
    if (kept.every((source) => source === '')) return undefined
    const hash = createHash('sha1')
      .update(data.mappings)
      .update(JSON.stringify([kept, lineLengths]))
    const url = given.startsWith(NAMED) ? given : `${NAMED}${hash.digest('hex')}.js`
    if (!this.#maps.has(url)) {
      for (const source of kept) if (source !== '') this.loaded.add(source)
      const sourcesContent = kept.map((source) => (source === '' ? '' : readFileSync(source, 'utf8')))
      const mappings = fromLineStart(data.mappings)
      this.#maps.set(url, { ...entry, lineLengths, data: { ...data, sources, sourcesContent, mappings } })
    }
    return url
  }

  #wants(path: string): boolean {
    const known = this.#known.get(path) ?? (this.#isOurs(path) && existsSync(path))
    this.#known.set(path, known)
    return known
  }

  #merge(url: string, scripts: readonly Profiler.ScriptCoverage[]): void {
    const known = this.#scripts.get(url)
    const merged = mergeScriptCovs(known === undefined ? [...scripts] : [known, ...scripts])
    if (merged !== undefined) this.#scripts.set(url, merged)
  }
}
