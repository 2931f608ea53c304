/** Faults by hand: what a page asks for becomes a fault of now, as a plan would have it. */
import type { Address } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { choiceIn, FieldError, numberIn, textIn } from '../core/decode.ts'
import { printUnits, timeOf } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import type { Strike } from '../scenario/fault-injector.ts'
import { parseFault, requireKnown } from '../scenario/faults.ts'

/**
 * `{ type: 'kill' | 'restart', who }`, or `{ type: 'cut', one, other, for }` with machines, and units that it lasts.
 *
 * @throws FieldError or UsageError for anything else, and for who is not among `addresses`
 */
export function handFault(asked: Plain, now: Time, addresses: readonly Address[]): Strike {
  const type = choiceIn(asked, 'type', ['kill', 'restart', 'cut'])
  const line = type === 'cut' ? cutIn(asked, now) : `${type} ${textIn(asked, 'who')} at ${printUnits(now)}`
  const fault = parseFault(line, 'fault')
  if (fault.type === 'kill random') throw new FieldError('an actor or machine as "who"', '"random"')
  requireKnown(fault, addresses, 'fault')
  return fault
}

function cutIn(asked: Plain, now: Time): string {
  const duration = timeOf(numberIn(asked, 'for'))
  if (!duration) throw new FieldError('units > 0 as "for"', String(numberIn(asked, 'for')))
  const until = printUnits(now + duration)
  return `cut ${textIn(asked, 'one')} | ${textIn(asked, 'other')} at ${printUnits(now)} until ${until}`
}
