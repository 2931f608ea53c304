/** Drawings of plans: processors from left to right, time downwards. */
import { type Fraction, greatestDivisor, toNumber } from '../../../actors/mesh/fraction.ts'
import { element, escaped, PAPER_STYLE } from '../../../lib/experiment/svg.ts'
import type { Piece, Plan } from './plan.ts'

const WIDTH_MAX = 64
const LINES_MAX = 64

const common = (one: number, other: number): number => (one / greatestDivisor(one, other)) * other

/** The least common denominator of all times. */
const ticksOf = (pieces: readonly Piece[]): number =>
  pieces.flatMap(({ start, lasts }) => [start, lasts]).reduce((ticks, { denominator }) => common(ticks, denominator), 1)

/** A text with a line for each tick and job numbers for processors; null if it would be too large. */
export function textOfPlan({ pieces }: Plan, processors: number): readonly string[] | null {
  const ticks = ticksOf(pieces)
  const step = pieces.reduce((all, { x, width }) => greatestDivisor(greatestDivisor(all, x), width), processors)
  const cells = processors / step
  const digits = String(pieces.length).length
  if (cells > WIDTH_MAX || ticks > LINES_MAX) return null
  const at = (time: Fraction) => Math.round(toNumber(time) * ticks)
  return Array.from({ length: ticks }, (_, tick) =>
    Array.from({ length: cells }, (_, cell) => {
      const piece = pieces.find(
        ({ x, width, start, lasts }) =>
          x <= cell * step && cell * step < x + width && at(start) <= tick && tick < at(start) + at(lasts),
      )
      return (piece ? String(piece.job) : '.').padStart(digits)
    }).join(' '),
  )
}

const [WIDTH, HEIGHT, MARGIN, HEAD] = [640, 360, 50, 40] as const
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999999'] as const

/** The plan as an SVG document. */
export function svgOfPlan({ policy, pieces, cost }: Plan, processors: number): string {
  const title = `${policy}, ${processors} processors: ${cost} exchanged in a period`
  const drawn = pieces.map(({ job, minimum, x, width, start, lasts }) => {
    const [left, top] = [MARGIN + (x / processors) * WIDTH, HEAD + toNumber(start) * HEIGHT]
    const [across, down] = [(width / processors) * WIDTH, toNumber(lasts) * HEIGHT]
    const fill = COLORS[(job - 1) % COLORS.length]
    return element(
      'g',
      { class: 'job' },
      element('title', {}, escaped(`job ${job}, at least ${minimum}: ${width} processors from ${x} on`)),
      element('rect', { x: left, y: top, width: across, height: down, fill, 'fill-opacity': 0.35, class: 'ink' }),
      element(
        'text',
        { x: left + across / 2, y: top + down / 2 + 4, 'text-anchor': 'middle' },
        escaped(across < LABEL ? `${job}` : `${job} (${minimum})`),
      ),
    )
  })
  const [width, height] = [WIDTH + 2 * MARGIN, HEIGHT + HEAD + MARGIN]
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
    element('title', {}, escaped(title)),
    PAPER_STYLE,
    element('rect', { width, height, class: 'paper' }),
    element(
      'g',
      { 'font-family': 'system-ui, sans-serif', 'font-size': 12 },
      element('text', { x: MARGIN, y: 24, 'font-size': '15', 'font-weight': '600' }, escaped(title)),
      ...drawn,
      element('text', { x: MARGIN, y: height - 20 }, `processors 0 to ${processors - 1}; time downwards, one period`),
    ),
  )}\n`
}

/** The least width of a block that shows its minimum. */
const LABEL = 44
