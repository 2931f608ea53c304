/** Runs the test files that are its arguments in this one process, and ends with exit code 1 at the first test that fails. */
import { resolve } from 'node:path'
import { run } from 'uvu/run'

await run(
  process.argv.slice(2).map((name) => ({ name, file: resolve(name) })),
  { bail: true },
)
