/** The place of an event after the window of a live page has moved on. */
import type { ShownWindow } from './types.ts'

const WHOLE: ShownWindow = { dropped: 0, standing: 0 }

/** The place of an event in the next picture; -1 if it is left out there. */
export function movedEvent(event: number, before: ShownWindow = WHOLE, after: ShownWindow = WHOLE): number {
  if (before.dropped === after.dropped) return event
  if (event < before.standing) return -1
  const moved = event - before.standing + before.dropped - after.dropped + after.standing
  return moved < after.standing ? -1 : moved
}
