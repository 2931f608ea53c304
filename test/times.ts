/** The seconds that each test file took when it last ran in this checkout, so that the longest files can be started first. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

const cache = fileURLToPath(new URL('../node_modules/.cache/bourse-times.json', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))
/** Seconds by the path in the project. */
const Times = v.record(v.string(), v.number())

/** The order in which all end soonest: the longest first. Files without a known time come before them, the largest first. */
export function longestFirst(files: readonly string[]): string[] {
  const times = read()
  const known = files.map((path) => ({ path, seconds: times[relative(root, path)], bytes: statSync(path).size }))
  return known
    .sort((a, b) => (b.seconds ?? Number.MAX_VALUE) - (a.seconds ?? Number.MAX_VALUE) || b.bytes - a.bytes)
    .map(({ path }) => path)
}

/** Keeps the seconds of some files; those of others stay. */
export function keepTimes(seconds: ReadonlyMap<string, number>): void {
  const times = [...seconds].map(([path, time]) => [relative(root, path), time] as const)
  const draft = `${cache}.${process.pid}`
  try {
    mkdirSync(dirname(cache), { recursive: true })
    writeFileSync(draft, JSON.stringify({ ...read(), ...Object.fromEntries(times) }))
    renameSync(draft, cache)
  } catch {
    // The order matters for speed only.
  }
}

function read(): v.InferOutput<typeof Times> {
  try {
    const { success, output } = v.safeParse(Times, JSON.parse(readFileSync(cache, 'utf8')))
    return success ? output : {}
  } catch {
    return {}
  }
}
