/** Rewrites perf's map of compiled code: places in a bundle, which vanishes with the process, become places in source files. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { execArgv, pid } from 'node:process'
import { locate } from '../../lib/runtime/bundle.ts'

/** Rewrites the map under `node --perf-basic-prof`, and does nothing otherwise. */
export function placeSymbols(): void {
  if (!execArgv.includes('--perf-basic-prof')) return
  const path = `/tmp/perf-${pid}.map`
  writeFileSync(`${path}.placed`, locate(readFileSync(path, 'utf8')))
  renameSync(`${path}.placed`, path)
}
