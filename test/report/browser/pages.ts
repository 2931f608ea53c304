/** Page files for tests, made from runs in memory. */
import { writeFileSync } from 'node:fs'
import { reportOf } from '../../../lib/report/command.ts'
import type { Recorded } from '../../../lib/report/model.ts'
import { htmlOf } from '../../../lib/report/page.ts'
import type { Report } from '../../../lib/report/types.ts'

/** The report of a command with these runs. */
export const reportWith = (runs: readonly Recorded[], text = 'a table'): Promise<Report> =>
  reportOf({
    scenario: 'test/scenario',
    summary: 'Tests.',
    command: 'npx tsx test',
    version: '0',
    text,
    options: [['--seed', '1']],
    checks: [{ name: 'no task lost', ok: true, measured: 0, expected: 0, tolerance: null }],
    exhibits: { runs },
    systems: [],
    timeline: undefined,
  })

export async function writePage(path: string, report: Report): Promise<string> {
  writeFileSync(path, await htmlOf(report))
  return `file://${path}`
}
