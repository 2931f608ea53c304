/** Space-time diagrams of a run, and of its counterfactual runs with two events in the other order. */
import { join } from 'node:path'
import { makeFolder, writeResult } from '../../../lib/cli/index.ts'
import { MOST } from '../../../lib/trace/export/limit.ts'
import { toMermaid } from '../../../lib/trace/export/mermaid.ts'
import type { Run } from '../../../lib/trace/run.ts'
import type { RaceStudy, Tried } from './study.ts'
import { swapText } from './text.ts'

/** The number of events to draw after a race. */
const AFTERWARDS = 50

/** Writes two files for each race that was tried, such as `race-1-recorded.mmd` and `race-1-other.mmd`. */
export function draw({ recorded, kinds }: RaceStudy, folder: string, flag: string): void {
  makeFolder(folder, flag)
  for (const tried of kinds.flatMap((kind) => kind.tried)) {
    if (recorded) write(tried, recorded.run, 'recorded', folder, flag)
    write(tried, tried.run, 'other', folder, flag)
  }
}

function write({ number, race }: Tried, run: Run, which: 'recorded' | 'other', folder: string, flag: string): void {
  const most = Math.max(MOST.mermaid, race.step.index + AFTERWARDS)
  const title = `Race ${number}, ${which} order. As recorded ${swapText(race)}`
  const picture = `---\ntitle: ${JSON.stringify(title)}\n---\n${toMermaid(run, { most })}`
  writeResult(join(folder, `race-${number}-${which}.mmd`), picture, flag)
}
