/**
 * Checks what handlers do with contexts: those that handlers and guards get are frozen, so that a write to them throws. In a
 * strict step a handler may change only fields that its context has. This is done only while a step runs that is checked
 * (lib/engine/checked.ts).
 */
import { isObject } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { nearest } from '../core/format.ts'

/** Thrown for a handler that adds a field to its context, which ends the run; names the handler and the field. */
export class NewField extends BourseError {
  override readonly name = 'NewField'

  constructor(who: string, field: string, fields: readonly string[]) {
    const meant = nearest(field, fields)
    const mend = 'let the context begin with it, with undefined or null for no value'
    super(
      'BOURSE_STRICT',
      `${who} adds the field '${field}' to its context; ${meant === undefined ? mend : `did you mean '${meant}'? (if not, ${mend})`}`,
    )
  }
}

let isFreezing = false
let isStrict = false

/** Runs a step in which handlers and guards get frozen data, and if it is strict, in which no field of a context is new. */
export function freezing<T>(run: () => T, strict: boolean): T {
  const before = [isFreezing, isStrict] as const
  isFreezing = true
  isStrict = strict
  try {
    return run()
  } finally {
    ;[isFreezing, isStrict] = before
  }
}

/**
 * Checks that a handler changes only fields that its context has, if the step under way is strict.
 *
 * @param who names the handler that met `event`; called only for the error
 * @throws NewField
 */
export function requireFields<Event>(
  context: object,
  changes: object,
  who: (event: Event) => string,
  event: Event,
): void {
  if (!isStrict) return
  for (const field of Object.keys(changes)) {
    if (!Object.hasOwn(context, field)) throw new NewField(who(event), field, Object.keys(context))
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
