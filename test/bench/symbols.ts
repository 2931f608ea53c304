/** What perf is told of compiled code, with every place moved from a bundle, which goes with the process, to where it was written. */
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
