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
  return ordered(files, Number.MAX_VALUE).reverse()
}

/** The order in which most have ended at any time: the shortest first. Files without a known time come before them. */
export const shortestFirst = (files: readonly string[]): string[] => ordered(files, 0)

/** From the shortest to the longest; those without a known time are as long as `unknown`, the smallest first. */
function ordered(files: readonly string[], unknown: number): string[] {
  const times = read()
  return files
    .map((path) => ({ path, seconds: times[relative(root, path)] ?? unknown, bytes: statSync(path).size }))
    .sort((a, b) => a.seconds - b.seconds || a.bytes - b.bytes)
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
