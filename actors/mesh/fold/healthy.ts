/** What is left of a machine that lost processors (section 8). */
import { isIn, type Place } from '../mapping.ts'
import type { Rectangle } from '../rectangle.ts'
import { cellsOf, deepestOf } from './cells.ts'

/**
 * The largest cell, of any level, without a dead processor: from then on it is the machine. Of equal ones the upper, then the
 * left. null: every processor is dead.
 */
export function healthyOf(area: Rectangle, dead: readonly Place[]): Rectangle | null {
  for (let level = 0; level <= deepestOf(area); level++) {
    const healthy = cellsOf(area, level)
      .flat()
      .find((cell) => !dead.some((processor) => isIn(cell, processor)))
    if (healthy) return healthy
  }
  return null
}
