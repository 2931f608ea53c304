/**
 * Freezes the contexts and events that handlers and guards get, so that a write to them throws. This is done only while a
 * step runs that is checked (lib/engine/checked.ts).
 */
import { isObject } from '../core/data.ts'

let isFreezing = false

/** Runs a step in which handlers and guards get frozen data. */
export function freezing<T>(run: () => T): T {
  const before = isFreezing
  isFreezing = true
  try {
    return run()
  } finally {
    isFreezing = before
  }
}

/** Freezes a context or event that is about to be handed to a handler or guard, if the step under way is checked. */
export function handOut(data: unknown): void {
  if (isFreezing) freezeDeeply(data)
}

/**
 * Freezes lists and plain objects, and all those in them. Instances of classes stay as they are, since their methods may
 * have to write. Frozen objects are taken to be frozen deeply, so that only new data costs time.
 */
function freezeDeeply(data: unknown): void {
  const waiting = [data]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (!isFreezable(next) || Object.isFrozen(next)) continue
    Object.freeze(next)
    for (const inner of Object.values(next)) waiting.push(inner)
  }
}

function isFreezable(value: unknown): value is object {
  if (!isObject(value)) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
