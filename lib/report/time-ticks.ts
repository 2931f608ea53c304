/** The ticks and the title of a time axis. */
import { type Ticks, ticksOf } from '../experiment/ticks.ts'
import type { Viewport } from './viewport.ts'

const MICRO = 1e6
/** The least pixels between two ticks. */
const APART = 70

/** The ticks of a window of time that is as many pixels wide: their instants in millionths, and labels of at most two decimals. */
export function timeTicks({ from, to }: Viewport, width: number): Ticks {
  const { values } = ticksOf(from / MICRO, to / MICRO, Math.max(2, Math.min(12, Math.floor(width / APART))))
  // a tick between two hundredths would have the label of its neighbour
  const exact = values.filter((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6)
  const decimals = Math.max(0, ...exact.map((value) => String(Number(value.toFixed(2))).split('.')[1]?.length ?? 0))
  return { values: exact.map((value) => Math.round(value * MICRO)), labels: exact.map((v) => v.toFixed(decimals)) }
}

/** What a time axis shows, and in which unit. */
export const axisTitle = (unit: string): string => `time in ${unit}`
