/** What a page says about the parts of a run that it leaves out. */
import { shortUnits } from '../core/format.ts'
import type { Prefix } from './prefix.ts'
import type { ReadingLimits } from './reading.ts'

/** The numbers of parts that are left out. */
interface Omitted {
  readonly contents: number
  readonly bars: number
  readonly objects: number
}

export function omissionsOf(
  { events, shown, until, isCut, window }: Prefix,
  seen: number,
  { isRecent = false }: ReadingLimits,
  { contents, bars, objects }: Omitted,
): string[] {
  const count = (many: number): string => many.toLocaleString('en')
  const [to, end] = [shortUnits(seen), shortUnits(until)]
  return [
    ...(window
      ? [
          `The page has the last ${count(shown)} of ${count(events)} events (--live-events). Of those before it has the beginnings of actors and the steps that led to their states. The answer above and the tables are about the whole run.`,
        ]
      : []),
    ...(shown < events && !window
      ? [
          `The page has the first ${count(shown)} of ${count(events)} events, up to time ${to} of ${end}. The answer above, the timeline and the tables are about the whole run.`,
        ]
      : []),
    ...(contents > 0 ? [`The contents of ${count(contents)} later messages and facts did not fit on the page.`] : []),
    ...(bars > 0
      ? [`The ${isRecent ? 'first' : 'last'} ${count(bars)} bars of the timeline did not fit on the page.`]
      : []),
    ...(objects > 0 ? [`The last ${count(objects)} objects did not fit on the page.`] : []),
    ...(isCut ? ['The record of the run itself was cut off at its limit of bytes.'] : []),
  ]
}
