/** Draws how many events there are in each part of each lane, where they are too many to be drawn one by one. */
import { LEVELS, levelOf } from '../density.ts'
import type { Sheet } from './sheet.ts'

/** The width of a part, in pixels. */
const PART = 2

/** Draws the counts as intensity; returns the highest. */
export function paintDensity(sheet: Sheet): number {
  const { context, ink, picture, width, left } = sheet
  const { selected, viewport, rowHeight } = picture
  const density = picture.density()
  const parts = Math.max(1, Math.floor((width - left) / PART))
  const all = selected.lanes.map((lane) => ({ lane, counts: density.counts(lane, viewport, parts) }))
  const most = all.reduce((high, { counts }) => counts.reduce((one, count) => Math.max(one, count), high), 0)
  const high = Math.max(3, Math.min(rowHeight - 4, 18))
  // one path for each level, which is much faster than a rectangle at a time
  const paths = Array.from({ length: LEVELS + 1 }, () => new Path2D())
  for (const { lane, counts } of all) {
    const y = (sheet.y(lane) ?? 0) - high / 2
    for (const [part, count] of counts.entries()) {
      if (count > 0) paths[levelOf(count, most)]?.rect(left + part * PART, y, PART, high)
    }
  }
  context.fillStyle = ink(selected.event < 0 ? 'text' : 'faint')
  for (const [level, path] of paths.entries()) {
    context.globalAlpha = 0.1 + (0.8 * level) / LEVELS
    context.fill(path)
  }
  context.globalAlpha = 1
  return most
}
