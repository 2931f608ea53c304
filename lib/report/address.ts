/**
 * The fragment of a page's address: what the page shows, so that a link opens it at the same place. A fragment may come from
 * anywhere, so each value is read as what it has to be, within limits, and left out if it is not.
 */
import { EVERYTHING, type Filter, isEverything } from './filter.ts'
import type { Viewport } from './viewport.ts'

export type AxisName = 'order' | 'time'

/** What a page shows of its runs. */
export interface Place {
  /** The place of the run among those of the page. */
  readonly run: number
  /** The selected event; -1 for none. */
  readonly event: number
  readonly object: string
  readonly filter: Filter
  readonly axis: AxisName
  readonly isWhole: boolean
  /** The window of time, in millionths; null for the whole run. */
  readonly window: Viewport | null
  /** The columns of the diagram by order, of which many may be of one instant; null if the window decides. */
  readonly columns: Viewport | null
  /** The instant of the map of a grid, in millionths; null if it follows the selection. */
  readonly moment: number | null
}

/** The most characters of a text. */
const TEXT_MAX = 200
const MICRO = 1e6

/** The fragment of a place: `#event=12&from=3.5&to=20`. What is as usual is left out. */
export function fragmentOf(place: Place): string {
  const { run, event, object, filter, axis, isWhole, window, columns, moment } = place
  const fields = new URLSearchParams()
  if (run > 0) fields.set('run', String(run + 1))
  // with an event the fragment is a place of the page, and without one a link in a sentence
  fields.set('event', event < 0 ? 'none' : String(event + 1))
  if (object !== '') fields.set('object', object)
  for (const name of ['actors', 'type', 'topic'] as const) if (filter[name] !== '') fields.set(name, filter[name])
  if (axis !== 'order') fields.set('axis', axis)
  if (isWhole) fields.set('causes', 'all')
  fields.set('from', timeOf(window?.from ?? 0))
  fields.set('to', window ? timeOf(window.to) : 'end')
  if (window && columns) fields.set('columns', [columns.from, columns.to].map(decimals).join('_'))
  if (moment !== null) fields.set('moment', timeOf(moment))
  return `#${fields}`
}

/** The place that a fragment names, without what it leaves out; null for a fragment that names no place. */
export function placeIn(fragment: string): Partial<Place> | null {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const event = fields.get('event')
  if (event === null) return null
  const text = (name: string): string => {
    const value = fields.get(name) ?? ''
    return value.length > TEXT_MAX ? '' : value
  }
  const number = numberIn(event)
  const run = numberIn(fields.get('run'))
  const filter = { actors: text('actors'), type: text('type'), topic: text('topic') }
  const window = windowIn(fields.get('from'), fields.get('to'))
  return {
    event: number === null ? -1 : number - 1,
    object: text('object'),
    filter: isEverything(filter) ? EVERYTHING : filter,
    axis: fields.get('axis') === 'time' ? 'time' : 'order',
    isWhole: fields.get('causes') === 'all',
    ...(run !== null && run > 0 && { run: run - 1 }),
    ...(window !== undefined && { window }),
    columns: window ? columnsIn(fields.get('columns')) : null,
    moment: timeIn(fields.get('moment')),
  }
}

/** A whole number of at most nine digits; null for another text. */
const numberIn = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null)

/** A number with at most six decimals. */
const decimals = (number: number): string => number.toFixed(6).replace(/\.?0+$/, '')

/** An instant in millionths, which a drag may have set between two of them, as a time in units: `3.5`. */
const timeOf = (at: number): string => decimals(Math.round(at) / MICRO)

/** A time in units, in millionths; null for another text. */
const timeIn = (text: string | null): number | null =>
  text !== null && /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Math.round(Number(text) * MICRO) : null

/** The columns that a text names, such as `-0.5_43.5`; null for another text. */
function columnsIn(text: string | null): Viewport | null {
  const [, from, to] = /^(-?\d{1,9}(?:\.\d{1,6})?)_(-?\d{1,9}(?:\.\d{1,6})?)$/.exec(text ?? '') ?? []
  return from !== undefined && Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : null
}

/** The window between two times; null for the whole run, and undefined for texts that name none. */
function windowIn(from: string | null, to: string | null): Viewport | null | undefined {
  const [begin, end] = [timeIn(from), timeIn(to)]
  if (begin === 0 && to === 'end') return null
  return begin !== null && end !== null && begin <= end ? { from: begin, to: end } : undefined
}
