/**
 * `npm test`: runs the test files but for those in full.ts, with a part of the random cases (repeats.ts), and the files of a folder in
 * shared processes. `npm run test:full` runs all, each in a process of its own.
 * `npm test -- pattern...`: runs all files whose path contains a pattern.
 */
import { availableParallelism } from 'node:os'
import { isFullOnly } from './full.ts'
import { QUICK } from './repeats.ts'
import { named, runFiles, summarize, testFiles } from './suite.ts'
import { keepTimes, longestFirst } from './times.ts'

const given = process.argv.slice(2)
const patterns = given.filter((one) => one !== '--full')
const isWhole = patterns.length > 0 || given.includes('--full')
const found = testFiles(patterns)
const files = found.filter((file) => isWhole || !isFullOnly(named(file)))
if (files.length === 0) console.log(`no test file matches ${patterns.join(', ')}`)
const verdicts = await runFiles(longestFirst(files), {
  parallel: availableParallelism(),
  isShared: !isWhole,
  environment: () => (isWhole ? {} : { [QUICK]: '1' }),
})
keepTimes(
  new Map(
    verdicts.flatMap(({ file, others, seconds }) =>
      [file, ...others].map((one) => [one, seconds / (1 + others.length)] as const),
    ),
  ),
)
if (files.length < found.length) console.log(`${found.length - files.length} files more: npm run test:full`)
const hasPassed = summarize(verdicts)
process.exitCode ??= hasPassed && files.length > 0 ? 0 : 1
