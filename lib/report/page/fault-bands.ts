/** Draws the faults of a run on a time axis: the beginning of each as a line, and its length as a band. */
import type { TimeMark } from '../marks.ts'
import type { Ink } from './colors.ts'

/** The height of the names, in pixels. */
export const NAMES = 16
/** The least pixels between the beginnings of two names. */
const APART = 6

const INKS = {
  fault: 'red',
  dead: 'red',
  paused: 'faint',
  'cut off': 'orange',
  'slow links': 'yellow',
  'slow disk': 'yellow',
  'wrong clock': 'yellow',
} as const

export interface MarkArea {
  readonly xOf: (time: number) => number
  /** The top and the bottom of the bands; names are in the first pixels. */
  readonly from: number
  readonly to: number
  readonly width: number
}

/** Draws the lengths of faults. A death is shown by its row. */
export function paintSpans(
  context: CanvasRenderingContext2D,
  ink: (ink: Ink) => string,
  marks: readonly TimeMark[],
  { xOf, from, to, width }: MarkArea,
): void {
  context.globalAlpha = 0.16
  for (const { type, from: begin, until } of marks) {
    const [x, end] = [xOf(begin), xOf(until)]
    if (type === 'dead' || end <= x || end < 0 || x > width) continue
    context.fillStyle = ink(INKS[type])
    context.fillRect(x, from + NAMES, end - x, to - from - NAMES)
  }
  context.globalAlpha = 1
}

/** Draws a line where each begins, with its name if there is room. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  ink: (ink: Ink) => string,
  marks: readonly TimeMark[],
  { xOf, from, to, width }: MarkArea,
): void {
  let written = Number.NEGATIVE_INFINITY
  for (const { type, from: begin, label } of marks) {
    const x = xOf(begin)
    if (x < 0 || x > width) continue
    // a line without a name begins below the names
    const isNamed = x >= written
    const top = isNamed ? from : from + NAMES
    context.fillStyle = ink(INKS[type])
    context.fillRect(x, top, 1.5, to - top)
    if (!isNamed) continue
    context.fillStyle = ink(type === 'paused' ? 'faint' : 'bad')
    context.fillText(label, x + 4, from + 7)
    written = x + 4 + context.measureText(label).width + APART
  }
}
