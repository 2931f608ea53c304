/** Rewrites the map that perf reads of compiled code: places in a bundle, which ends with the process, become places in source files. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { execArgv, pid } from 'node:process'
import { locate } from '../../lib/runtime/bundle.ts'

/** Under `node --perf-basic-prof`; else there is nothing to move. */
export function placeSymbols(): void {
  if (!execArgv.includes('--perf-basic-prof')) return
  const path = `/tmp/perf-${pid}.map`
  writeFileSync(`${path}.placed`, locate(readFileSync(path, 'utf8')))
  renameSync(`${path}.placed`, path)
}
