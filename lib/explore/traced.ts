/** A run of a stage with its trace in memory. */

import type { Scheduler } from '../actor/schedule.ts'
import type { Fault } from '../scenario/faults.ts'
import type { Specification } from '../scenario/specification.ts'
import { headOf } from '../system/options.ts'
import type { Line } from '../trace/lines.ts'
import { type Trace, traceOf } from '../trace/read.ts'
import { type Run, runOf } from '../trace/steps.ts'
import { type Execution, execute } from './execution.ts'

export interface Traced extends Execution {
  readonly trace: Trace
  readonly run: Run
}

const TRACED_MB = 64

export async function traced(
  stage: Specification,
  scheduler: Scheduler,
  faults: readonly Fault[] = stage.faults,
): Promise<Traced> {
  const lines: Line[] = []
  const watched: Specification = {
    ...stage,
    // what every step reports waits in memory until the end of its round
    options: { memoryMB: TRACED_MB, ...stage.options, trace: true },
    open(system) {
      lines.push(headOf(system.options))
      system.onLine((line) => lines.push(line))
      return stage.open(system)
    },
  }
  const lived = await execute(watched, scheduler, faults)
  const trace = traceOf(lines)
  return { ...lived, trace, run: runOf(trace) }
}
