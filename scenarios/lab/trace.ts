/** Seeing one run: what a trace tells, in tables, lines and other tools' formats. */
import { runMain } from '../../lib/cli/index.ts'
import { scenario } from './trace/main.ts'

await runMain(scenario)
