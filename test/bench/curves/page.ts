/** The page of curves. */
import type { Chart } from '../../../lib/experiment/chart.ts'
import { svgOf } from '../../../lib/experiment/drawing.ts'
import { escaped } from '../../../lib/experiment/svg.ts'
import { digits } from '../measure.ts'
import { bendOf, powerOf, type Spot } from './fit.ts'
import type { Subject } from './subjects.ts'

export interface Measured {
  readonly subject: Subject
  readonly curves: readonly { readonly name: string; readonly spots: readonly Spot[] }[]
}

const chartOf = ({ subject, curves }: Measured): Chart => ({
  title: subject.title,
  x: { label: subject.of, log: true },
  y: { label: subject.value, unit: subject.unit, log: true },
  series: curves.map(({ name, spots }) => ({ name, points: spots.map(({ size, value }) => ({ x: size, y: value })) })),
})

/** The growth as a sentence: the power of all points, and its change at a bend. */
export function growthOf(spots: readonly Spot[]): string {
  const bend = bendOf(spots)
  const power = digits(powerOf(spots))
  if (!bend) return `as the power ${power}`
  return `as the power ${power}; bends at ${bend.at}: ${digits(bend.before)} up to there, ${digits(bend.after)} from there`
}

/** A table with a row for each size: the measured values, and the powers since the previous size. */
export function rowsOf({ curves }: Measured): string[][] {
  const sizes = [...new Set(curves.flatMap(({ spots }) => spots.map(({ size }) => size)))].sort((a, b) => a - b)
  return sizes.map((size) => [
    String(size),
    ...curves.flatMap(({ spots }) => {
      const i = spots.findIndex((spot) => spot.size === size)
      const [before, spot] = [spots[i - 1], spots[i]]
      if (!spot) return ['', '']
      return [digits(spot.value), before ? digits(powerOf([before, spot])) : '']
    }),
  ])
}

export const headsOf = ({ subject, curves }: Measured): string[] => [
  subject.of,
  ...curves.flatMap(({ name }) => [name, `power (${name})`]),
]

const tag = (name: string, inside: string) => `<${name}>${inside}</${name}>`
const rowOf = (cell: string, cells: readonly string[]) =>
  tag('tr', cells.map((text) => tag(cell, escaped(text))).join(''))

const sectionOf = (measured: Measured): string =>
  tag(
    'section',
    [
      tag('h2', escaped(measured.subject.title)),
      svgOf(chartOf(measured)),
      tag('ul', measured.curves.map(({ name, spots }) => tag('li', escaped(`${name}: ${growthOf(spots)}`))).join('\n')),
      tag('p', escaped(measured.subject.why)),
      tag('table', [rowOf('th', headsOf(measured)), ...rowsOf(measured).map((row) => rowOf('td', row))].join('\n')),
    ].join('\n'),
  )

const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 760px; margin: 2rem auto; padding: 0 1rem }
svg { max-width: 100%; height: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: 0 .8em 0 0; text-align: right; font-weight: normal }
th { border-bottom: 1px solid }
section { margin-top: 3rem }`

/** Makes the page; `said` are further lines on the run. */
export const pageOf = (all: readonly Measured[], said: readonly string[]): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bourse: growth</title>
<style>${STYLE}</style>
<h1>How costs grow</h1>
<p>Both axes are logarithmic, so that a power is a straight line and its slope the power. The power of all points is fitted; where two
lines that meet fit much better than one, it is said where they meet.</p>
${said.map((line) => tag('p', escaped(line))).join('\n')}
${all.map(sectionOf).join('\n')}
</html>
`
