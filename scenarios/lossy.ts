/** Whether a run can be held to promises about all mail. */
import type { Fault } from '../lib/faults/faults.ts'
import { bridges } from '../lib/reliable/options.ts'
import { isDeviations } from '../lib/schedule.ts'
import { complete } from '../lib/system/options.ts'
import type { GivenOptions } from '../lib/system.ts'

/** May mail be lost for good? Reliable delivery gets over loss, and over cuts that are not longer than its patience. */
export function isLossy(how: GivenOptions, faults: readonly Fault[]): boolean {
  const cuts = faults.flatMap((fault) => (fault.type === 'cut' ? fault.until - fault.at : []))
  const { reliable, network, schedule } = complete(how)
  if (!reliable && isDeviations(schedule) && schedule.lost.length > 0) return true
  if (!reliable) return network.loss > 0 || cuts.length > 0
  return cuts.reduce((sum, length) => sum + length, 0) > bridges(reliable)
}
