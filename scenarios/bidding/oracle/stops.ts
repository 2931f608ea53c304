/** The promise about cancelled executions: none goes on for longer than the order to stop it takes. */
import { machineOf, type Time } from '../../../lib/actor.ts'
import type { Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import { isOver, leftBy, placedOn, placeOf, taskIn, taskOf } from './facts.ts'

const isFinish = taskIn('processor', 'finished')

/** It holds in runs without faults, in which cancelling a task stops it. */
export const stopsInTime = (delay: Time): Property =>
  safety('a cancelled execution is stopped', () => {
    /** Since when each task is over, and since when it is no longer placed with a machine. */
    const over = new Map<number, Time>()
    const left = new Map<string, Time>()
    return {
      fold: (observed) => {
        const { at, who } = observed
        if (isOver(observed)) over.set(taskOf(observed), at)
        const [before, now] = [leftBy(observed), placedOn(observed)]
        if (before !== undefined) left.set(placeOf(observed, before), at)
        if (now !== undefined) left.delete(placeOf(observed, now))
        if (!isFinish(observed)) return undefined
        const key = placeOf(observed, machineOf(who))
        const since = Math.min(over.get(taskOf(observed)) ?? at, left.get(key) ?? at)
        return at > since + delay
          ? `${key} ran on until ${instant(at)}, and was cancelled at ${instant(since)}`
          : undefined
      },
    }
  })
