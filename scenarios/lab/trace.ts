/** The command that reads a trace and shows it in tables, lines and the formats of other tools. */
import { runMain } from '../../lib/cli/index.ts'
import { scenario } from './trace/main.ts'

await runMain(scenario)
