/** `npm test [-- pattern...]`: runs the test files whose path contains a pattern, or all. */
import { availableParallelism } from 'node:os'
import { runFiles, summarize, testFiles } from './suite.ts'
import { keepTimes, longestFirst } from './times.ts'

const patterns = process.argv.slice(2)
const files = testFiles(patterns)
if (files.length === 0) console.log(`no test file matches ${patterns.join(', ')}`)
const verdicts = await runFiles(longestFirst(files), { parallel: availableParallelism() })
keepTimes(new Map(verdicts.map(({ file, seconds }) => [file, seconds])))
const hasPassed = summarize(verdicts)
process.exitCode ??= hasPassed && files.length > 0 ? 0 : 1
