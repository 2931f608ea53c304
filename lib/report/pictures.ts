/** The pictures of a page: those of its runs, side by side on one scale, or together in one. */
import { type Time, toUnits, UNIT } from '../core/time.ts'
import type { Picture, PictureAxis, PicturePoint, PictureSeries } from '../scenario/page.ts'
import { type Axis, type Band, type Drawn, drawing, type Panel, type Spot } from './drawing.ts'
import type { Incident } from './incidents.ts'
import { type Ink, sharedInks, toneInks } from './inks.ts'
import { fragmentOf } from './links.ts'
import { incidentName } from './marks.ts'
import type { ShownPicture } from './types.ts'

/** The pictures of one run, and what they are drawn with. */
export interface RunPictures {
  /** The name that distinguishes it from other runs; '' if it is the only one. */
  readonly name: string
  readonly pictures: readonly Picture[]
  readonly until: Time
  /** The unit of time. */
  readonly unit: string
  readonly incidents: readonly Incident[]
  /** The tones of its timeline in the order of first use, which decide the colours. */
  readonly tones: readonly string[]
}

/** The most dots of a picture that carry their names. */
const NAMED_MAX = 250

/** Numbers up to this size have a place on an axis. Sums of them, as of stacked areas, are still finite. */
const SIZE_MAX = 1e300

/** A picture of one run. */
interface Owned {
  readonly run: RunPictures
  readonly picture: Picture
  /** What the fragments of its links add: the place of the run among several. */
  readonly where: string
}

/** The pictures of all runs: those of one title side by side. */
export function shownPictures(runs: readonly RunPictures[]): ShownPicture[] {
  const titles = new Set(runs.flatMap(({ pictures }) => pictures.map(({ title }) => title)))
  const tones = [...new Set(runs.flatMap((run) => run.tones))]
  return [...titles].flatMap((title) => {
    const all = runs.flatMap((run, place) => {
      const where = runs.length > 1 ? `&run=${place + 1}` : ''
      return run.pictures.filter((one) => one.title === title).map((picture): Owned => ({ run, picture, where }))
    })
    const [first] = all
    if (!first || all.every(({ picture }) => picture.series.every(({ points }) => points.length === 0))) return []
    const isShared = first.picture.isShared === true && all.length > 1
    const shown = isShared ? [together(all, first)] : all
    const inks = inksOf(shown, tones)
    const panels = shown.map((one) => panelOf(one, inks))
    const [x, y] = [scaleOf(panels.map((panel) => panel.x)), scaleOf(panels.map((panel) => panel.y))]
    const seen = panels.flatMap(({ series }) => series.filter(({ points }) => points.length > 0))
    const names = new Map(seen.map(({ name, ink }) => [name, ink]))
    return [
      {
        title,
        notes: [...shown.flatMap(notesOf), ...[sharedInks([...names.values()])].filter(Boolean)],
        legend: names.size > 1 ? [...names].map(([name, ink]) => ({ name, ink })) : [],
        panels: panels.map((panel, i) => ({
          name: isShared ? '' : (shown[i]?.run.name ?? ''),
          svg: drawing({
            ...panel,
            x: { ...panel.x, ...x },
            y: { ...panel.y, ...y },
            namedMax: Math.floor(NAMED_MAX / panels.length),
          }),
        })),
      },
    ]
  })
}

/** One picture with the series of all runs, which are named after them. */
const together = (all: readonly Owned[], { run, picture }: Owned): Owned => ({
  where: '',
  run: { ...run, name: '', until: Math.max(...all.map((one) => one.run.until)), incidents: [] },
  picture: {
    ...picture,
    series: all.flatMap(({ run: { name }, picture: { series } }) =>
      series.map((one): PictureSeries => {
        const own = series.length > 1 ? `${name}: ${one.name}` : name
        return { ...one, name: own, tone: own }
      }),
    ),
  },
})

/** The colours of series by tone, as in the timelines. */
function inksOf(all: readonly Owned[], tones: readonly string[]): ReadonlyMap<string, Ink> {
  const own = all.flatMap(({ picture }) =>
    picture.series.filter(({ shape }) => shape !== 'reference').map(({ tone, name }) => tone ?? name),
  )
  const known = new Set(own)
  return toneInks([...new Set([...tones.filter((tone) => known.has(tone)), ...own])])
}

function panelOf({ run, picture, where }: Owned, inks: ReadonlyMap<string, Ink>): Omit<Panel, 'namedMax'> {
  const { title, y } = picture
  const isTime = picture.x === undefined
  const x = picture.x ?? { label: 'time', unit: run.unit, min: 0, max: toUnits(run.until) }
  const placeOf = (point: PicturePoint): Spot => ({
    x: isTime ? toUnits(point.x) : point.x,
    y: point.y,
    name: point.name,
    to: point.to && `${fragmentOf(point.to)}${where}`,
  })
  const series = stacked(
    picture.series.map(
      (one): Drawn => ({
        ...one,
        ink: one.shape === 'reference' ? 'text' : (inks.get(one.tone ?? one.name) ?? 'blue'),
        points: one.points.filter(isDrawnIn(picture)).map(placeOf),
      }),
    ),
  )
  const points = series.flatMap((one) => one.points)
  const heights = points.flatMap((point) => [point.y, ...(point.base === undefined ? [] : [point.base])])
  return {
    title: run.name === '' ? title : `${title}, ${run.name}`,
    x: axisOf(
      x,
      points.map((point) => point.x),
    ),
    y: axisOf(y, heights),
    series,
    bands: isTime ? run.incidents.map((incident) => bandOf(incident, run.until)) : [],
    toOf: (place) => (isTime ? `${fragmentOf({ at: Math.round(place * UNIT) })}${where}` : ''),
  }
}

/** Says whether a number has a place on an axis: it is finite, and on a logarithmic axis greater than zero. */
const isOn = (value: number, axis: PictureAxis | undefined): boolean =>
  Math.abs(value) <= SIZE_MAX && (axis?.log !== true || value > 0)

const isDrawnIn =
  ({ x, y }: Picture) =>
  (point: PicturePoint): boolean =>
    isOn(point.x, x) && isOn(point.y, y)

/** The note of a picture, and for each series the number of points that are left out. */
function notesOf({ run: { name: own }, picture }: Owned): string[] {
  const isDrawn = isDrawnIn(picture)
  const named = (what: string): string => (own === '' ? what : `${own}: ${what}`)
  const omitted = picture.series.flatMap(({ name, points }) => {
    const count = points.filter((point) => !isDrawn(point)).length
    const what = `${count} of ${points.length} points of ${name} have no place on the axes and are left out.`
    return count > 0 ? [named(what)] : []
  })
  return [...(picture.note === undefined ? [] : [named(picture.note)]), ...omitted]
}

/** Stacks the areas: each begins where the one before ends. */
function stacked(series: readonly Drawn[]): readonly Drawn[] {
  const tops = new Map<number, number>()
  return series.map((one) => {
    if (one.shape !== 'area') return one
    const points = one.points.map((point) => {
      const base = tops.get(point.x) ?? 0
      tops.set(point.x, base + point.y)
      return { ...point, y: base + point.y, base }
    })
    return { ...one, points }
  })
}

function axisOf(axis: PictureAxis, values: readonly number[]): Axis {
  const { label, unit, min, max, log: isLog = false } = axis
  const all = [...values, ...[min, max].flatMap((bound) => (bound !== undefined && isOn(bound, axis) ? [bound] : []))]
  const [from = isLog ? 1 : 0, until = isLog ? 10 : 1] = all.reduce<readonly number[]>(
    ([least = all[0], most = all[0]], value) => [Math.min(least ?? value, value), Math.max(most ?? value, value)],
    [],
  )
  return { label, unit, from, until, isLog }
}

/** The range that all axes fit into. One value alone has a range above it. */
function scaleOf(axes: readonly Axis[]): Pick<Axis, 'from' | 'until'> {
  const from = Math.min(...axes.map((axis) => axis.from))
  const until = Math.max(...axes.map((axis) => axis.until))
  return { from, until: until > from || axes.some(({ isLog }) => isLog) ? until : from + 1 }
}

/** The time of an incident, as a band with its name. */
function bandOf(incident: Incident, end: Time): Band {
  const { from, until } = incident
  const label = incidentName({ ...incident, length: until === null ? null : until - from })
  return { from: toUnits(from), until: toUnits(until ?? end), label }
}
