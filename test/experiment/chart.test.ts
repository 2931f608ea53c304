import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Chart, valuesOf } from '../../lib/experiment/chart.ts'
import { inlineSvgOf, svgOf } from '../../lib/experiment/drawing.ts'
import { MAX_SERIES } from '../../lib/experiment/marks.ts'
import { logTicksOf, ticksOf } from '../../lib/experiment/ticks.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('chart')

interface Node {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Node[]
  text: string
}

const unescaped = (text: string): string => {
  assert.not.match(text, /[<"]|&(?!(amp|lt|gt|quot);)/)
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return text.replaceAll(/&(\w+);/g, (_, name: string) => characters[name] ?? '')
}

/** Reads what `svgOf` writes; throws at anything that is not well-formed. */
function read(svg: string): Node {
  const root: Node = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [root]
  let rest = svg.trimEnd()
  while (rest !== '') {
    const token = /^(?:<(\/?)(\w+)((?: [\w:-]+="[^"]*")*)(\/?)>|([^<]+))/.exec(rest)
    if (token === null) throw new Error(`not well-formed at ${rest.slice(0, 40)}`)
    const [whole, closing, name = '', attributes = '', empty, text] = token
    rest = rest.slice(whole.length)
    const top = open.at(-1)
    if (top === undefined) throw new Error('closed too often')
    if (text !== undefined) top.text += unescaped(text)
    else if (closing) assert.is(open.pop()?.name, name)
    else {
      const pairs = [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])
      const keys = pairs.map(([key]) => key)
      assert.is(new Set(keys).size, keys.length, `an attribute twice in ${whole}`)
      const node = {
        name,
        children: [],
        text: '',
        attributes: new Map(pairs.map(([key = '', value = '']) => [key, unescaped(value)])),
      }
      top.children.push(node)
      if (!empty) open.push(node)
    }
  }
  assert.is(open.length, 1, 'an element is not closed')
  assert.is(root.children.length, 1)
  return root.children[0] ?? root
}

const all = (node: Node): Node[] => [node, ...node.children.flatMap(all)]
const ofClass = (node: Node, name: string): Node[] =>
  all(node).filter(({ attributes }) => attributes.get('class')?.split(' ').includes(name))
const numbersOf = (text = ''): number[] => (text.match(/-?[\d.]+/g) ?? []).map(Number)

const chart: Chart = {
  title: 'Flow & <load>',
  x: { label: 'load', unit: '%', min: 0, max: 100 },
  y: { label: 'mean flow', unit: 'units', min: 0 },
  series: [
    {
      name: 'DSP "lazy"',
      points: [
        { x: 10, y: { mean: 22.4, halfWidth: 0.15 } },
        { x: 50, y: { mean: 37.6, halfWidth: 3 } },
        { x: 90, y: { mean: 61.4, halfWidth: null } },
      ],
    },
    {
      name: 'random',
      points: [
        { x: 10, y: 49.8 },
        { x: 30, y: null },
        { x: 50, y: 46 },
        { x: 90, y: 98 },
      ],
    },
    { name: 'points only', line: false, points: [{ x: 50, y: 27.6 }] },
  ],
}

test('it is well-formed, has a title, and escapes text', () => {
  const svg = read(svgOf(chart))
  assert.is(svg.attributes.get('xmlns'), 'http://www.w3.org/2000/svg')
  assert.is(svg.attributes.get('role'), 'img')
  assert.equal(
    svg.children.slice(0, 2).map(({ name, text }) => [name, text]),
    [
      ['title', 'Flow & <load>'],
      ['desc', 'mean flow [units] over load [%]: DSP "lazy" (3 points), random (4 points), points only (1 points).'],
    ],
  )
  const texts = all(svg)
    .filter(({ name }) => name === 'text')
    .map(({ text }) => text)
  for (const expected of ['Flow & <load>', 'load [%]', 'mean flow [units]', 'DSP "lazy"', 'random', '100'])
    assert.ok(texts.includes(expected), expected)
})

test('every point is at its coordinates, with its interval, and a gap breaks the line', () => {
  const svg = read(svgOf(chart))
  const [dsp, random, single] = ofClass(svg, 'series')
  if (!dsp || !random || !single) throw new Error('expected three series')
  const placesOf = (series: Node) =>
    ofClass(series, 'point').map(({ attributes }) => numbersOf(attributes.get('transform')))
  const [first = [], second = [], third = []] = placesOf(dsp)
  const other = placesOf(random)
  assert.is(other.length, 3)
  assert.is(placesOf(single).length, 1)
  // linear in x and in y; coordinates are rounded to hundredths, and extrapolated by a factor of 2 here
  const slope = ((third[1] ?? 0) - (first[1] ?? 0)) / (61.4 - 22.4)
  const near = (actual: number | undefined, expected: number) =>
    assert.ok(actual !== undefined && Math.abs(actual - expected) <= 0.03, `expected ${expected}, got ${actual}`)
  near(third[0], (second[0] ?? 0) * 2 - (first[0] ?? 0))
  near(second[1], (first[1] ?? 0) + slope * (37.6 - 22.4))
  near(other[2]?.[1], (first[1] ?? 0) + slope * (98 - 22.4))
  const intervals = ofClass(dsp, 'interval').map(({ attributes }) => numbersOf(attributes.get('d')))
  assert.is(intervals.length, 2)
  near(intervals[1]?.[0], second[0] ?? 0)
  near(intervals[1]?.[1], (second[1] ?? 0) - slope * 3)
  near(intervals[1]?.[2], (second[1] ?? 0) + slope * 3)
  const lineOf = (series: Node) => ofClass(series, 'line')[0]?.attributes.get('d') ?? ''
  assert.is(lineOf(dsp).replaceAll(/[^ML]/g, ''), 'MLL')
  assert.is(lineOf(random).replaceAll(/[^ML]/g, ''), 'ML')
  assert.is(lineOf(single), '')
  assert.is(ofClass(dsp, 'point')[1]?.children[0]?.text, 'DSP "lazy", load 50 %: 37.6 ± 3')
})

test('with any numbers and names, all points and intervals are inside the picture', () => {
  const value = fc.double({ min: -1e9, max: 1e9, noNaN: true })
  const half = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }))
  const point = fc.record({ x: value, y: fc.record({ mean: value, halfWidth: half }) })
  const series = fc.record({
    name: fc.string({ unit: 'binary', maxLength: 12 }),
    points: fc.array(point, { maxLength: 8 }),
  })
  fc.assert(
    fc.property(fc.array(series, { maxLength: 4 }), (given) => {
      const svg = read(svgOf({ title: 'any', x: { label: 'x' }, y: { label: 'y' }, series: given }))
      const points = given.flatMap((one) => one.points)
      const places = ofClass(svg, 'point').map(({ attributes }) => numbersOf(attributes.get('transform')))
      assert.is(places.length, points.length)
      assert.is(ofClass(svg, 'interval').length, points.filter(({ y }) => y.halfWidth !== null).length)
      for (const { attributes } of ofClass(svg, 'interval')) {
        const [x = -1, low = -1, high = -1] = numbersOf(attributes.get('d'))
        places.push([x, low], [x, high])
      }
      const [, , width = 0, height = 0] = numbersOf(svg.attributes.get('viewBox'))
      for (const [x = -1, y = -1] of places) assert.ok(x >= 0 && x <= width && y >= 0 && y <= height, `${x}, ${y}`)
    }),
    { numRuns: 200 },
  )
})

test('a curve without marks is its line, in the picture and in the legend', () => {
  const points = [0, 1, 2].map((x) => ({ x, y: x }))
  const svg = read(svgOf({ ...chart, series: [{ name: 'curve', points, marks: false }] }))
  assert.is(ofClass(svg, 'point').length, 0)
  assert.is(ofClass(svg, 'line')[0]?.attributes.get('d')?.replaceAll(/[^ML]/g, ''), 'MLL')
  assert.is(all(ofClass(svg, 'entry')[0] ?? svg).filter(({ name }) => name === 'path').length, 1)
})

test('the same chart is the same text', () => assert.is(svgOf(chart), svgOf(structuredClone(chart))))

test('each series has a colour and marker, or a dash, of its own; too many are refused', () => {
  const series = Array.from({ length: MAX_SERIES }, (_, i) => ({ name: `s${i}`, points: [{ x: i, y: i }] }))
  const svg = read(svgOf({ ...chart, series }))
  const looks = ofClass(svg, 'key').map(({ attributes, children: [line, marker] }) =>
    [attributes.get('color'), line?.attributes.get('stroke-dasharray'), marker?.attributes.get('d')].join(' '),
  )
  assert.is(new Set(looks).size, MAX_SERIES)
  throwsSaying(() => svgOf({ ...chart, series: [...series, ...series] }), `at most ${MAX_SERIES} series, not`)
})

/** Measured values beside those of a paper and the converged ones; the second one is beyond the axis. */
const compared: Chart = {
  title: 'Compared',
  x: { label: 'load' },
  y: { label: 'rate', unit: 'dollars', min: 0, cut: { below: -1 } },
  series: [
    {
      name: 'open',
      points: [
        { x: 1, y: { mean: 1, halfWidth: 0.25 } },
        { x: 2, y: -3 },
        { x: 3, y: -4.5 },
        { x: 4, y: 0.5, isShort: true },
      ],
      paper: [{ x: 1, y: { mean: 1.2, halfWidth: 0.1 } }],
      converged: [
        { x: 1, y: 1.1 },
        { x: 4, y: 0.4 },
      ],
    },
  ],
}

test('a point beyond the axis is an arrow at its edge with its value, and the line goes on to the edge', () => {
  const svg = read(svgOf(compared))
  const texts = all(svg).flatMap(({ name, text }) => (name === 'text' ? [text] : []))
  for (const tick of ['0.0', '1.4']) assert.ok(texts.includes(tick), texts.join())
  assert.is(ofClass(svg, 'point').length, 2)
  const beyond = ofClass(svg, 'beyond')
  assert.equal(
    beyond.map((one) => all(one).find(({ name }) => name === 'text')?.text),
    ['-3', '-4.5'],
  )
  const [, , bottom = 0] = numbersOf(ofClass(svg, 'axes')[0]?.attributes.get('d'))
  const heights = beyond.map((one) => numbersOf(one.children[0]?.attributes.get('transform'))[1])
  assert.equal(heights, [bottom, bottom])
  const line = ofClass(svg, 'line')[0]?.attributes.get('d') ?? ''
  assert.is(line.replaceAll(/[^ML]/g, ''), 'MLML', 'the line leaves the picture and comes back')
  assert.ok(numbersOf(line).every((_, i, places) => i % 2 === 0 || (places[i] ?? 0) <= bottom))
})

test('arrows of points at one place stand above each other', () => {
  const series = ['a', 'b', 'c'].map((name) => ({
    name,
    points: [
      { x: 1, y: -5 },
      { x: 2, y: 1 },
    ],
  }))
  const svg = read(svgOf({ ...compared, series }))
  const heights = ofClass(svg, 'beyond').map((one) => numbersOf(one.children[0]?.attributes.get('transform'))[1])
  assert.is(new Set(heights).size, 3)
})

test('the values of a paper are hollow marks, the converged ones a line, and values of short runs are pale', () => {
  const svg = read(svgOf(compared))
  const [hollow] = ofClass(svg, 'hollow')
  assert.is(hollow?.attributes.get('fill'), '#ffffff')
  assert.is(hollow?.attributes.get('d'), ofClass(svg, 'point')[0]?.attributes.get('d'))
  assert.is(hollow?.children[0]?.text, 'open, paper, load 1: 1.2 ± 0.1')
  assert.is(ofClass(svg, 'converged')[0]?.attributes.get('d')?.replaceAll(/[^ML]/g, ''), 'ML')
  const short = ofClass(svg, 'point').filter(({ attributes }) => attributes.get('class') === 'point short')
  assert.equal(
    short.map(({ children }) => children[0]?.text),
    ['open, load 4: 0.5, too short to judge'],
  )
  const entries = ofClass(svg, 'entry').map((one) => all(one).find(({ name }) => name === 'text')?.text)
  assert.equal(entries, ['open', 'the paper', 'converged', 'too short to judge'])
})

const kinds: Chart = {
  title: 'Kinds',
  x: { label: 'speeds', names: ['8', '4,4', '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1'] },
  y: { label: 'flow', min: 0 },
  series: ['gen', 'mult'].map((name) => ({
    name,
    points: [1, 2, 3].map((x) => ({ x, y: 10 * x })),
    converged: [{ x: 2, y: 21 }],
  })),
}

test('an axis of categories has their names, and no two series are in one place', () => {
  const svg = read(svgOf(kinds))
  const texts = all(svg).flatMap(({ name, text }) => (name === 'text' ? [text] : []))
  assert.ok(texts.includes('8') && texts.includes('4,4'))
  assert.is(
    texts.filter((one) => /^(1,)*1,?$/.test(one)).join(''),
    kinds.x.names?.[2],
    'a long name is broken in lines',
  )
  assert.is(ofClass(svg, 'line').length, 0, 'no line joins categories')
  const places = ofClass(svg, 'point').map(({ attributes }) => attributes.get('transform'))
  assert.is(new Set(places).size, 6)
  assert.is(ofClass(svg, 'point')[1]?.children[0]?.text, 'gen, 4,4: 20')
})

test('on a page each position tells its values, to the pointer and to the keyboard', () => {
  const svg = read(inlineSvgOf(compared, 342, 250))
  assert.is(svg.attributes.get('width'), '342')
  assert.is(all(svg).filter(({ name }) => name === 'title').length, 0, 'the browser would show it over the values')
  const columns = ofClass(svg, 'column')
  assert.equal(
    columns.map(({ attributes }) => [attributes.get('tabindex'), attributes.get('aria-label')]),
    [
      ['0', 'load 1. open: 1 ± 0.25, converged 1.1, paper 1.2 ± 0.1'],
      ['0', 'load 2. open: -3'],
      ['0', 'load 3. open: -4.5'],
      ['0', 'load 4. open: 0.5, converged 0.4, too short to judge'],
    ],
  )
  for (const readout of ofClass(svg, 'readout')) {
    const { attributes } = all(readout).find(({ name }) => name === 'rect') ?? readout
    const [x = -1, width = 0] = ['x', 'width'].map((name) => Number(attributes.get(name)))
    assert.ok(x >= 0 && x + width <= 342, `${x}, ${width}`)
  }
})

test('the values of a chart are a table', () => {
  const { columns, rows } = valuesOf(compared, 2)
  assert.equal(
    columns.map(({ name }) => name),
    ['load', 'series', 'rate', 'converged', 'paper', ''],
  )
  assert.equal(rows[0], [1, 'open', { mean: 1, halfWidth: 0.25 }, 1.1, { mean: 1.2, halfWidth: 0.1 }, ''])
  assert.equal(rows[3], [4, 'open', 0.5, 0.4, null, 'too short to judge'])
  const plain = valuesOf({ ...kinds, series: kinds.series.map(({ name, points }) => ({ name, points })) }, 0)
  assert.equal(
    plain.columns.map(({ name }) => name),
    ['speeds', 'gen', 'mult'],
  )
  assert.equal(plain.rows[1], ['4,4', 20, 20])
})

test('infinite numbers and NaN are refused by name', () => {
  const series = [{ name: 'dsp', points: [{ x: 1, y: Number.NaN }] }]
  throwsSaying(() => svgOf({ ...chart, series }), 'the numbers of "dsp" must be finite, not NaN')
})

test('ticks are multiples of 1, 2 or 5 times a power of ten, around all values', () => {
  assert.equal(ticksOf(0, 100).labels, ['0', '20', '40', '60', '80', '100'])
  assert.equal(ticksOf(0.1, 0.9).labels, ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'])
  assert.equal(ticksOf(-3, 7).labels, ['-4', '-2', '0', '2', '4', '6', '8'])
  assert.equal(ticksOf(1234, 1310).values, [1220, 1240, 1260, 1280, 1300, 1320])
  assert.equal(ticksOf(5, 5).values.at(0), 2)
  assert.ok(ticksOf(0, 0).values.length > 2)
  const bound = fc.double({ min: -1e12, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(bound, bound, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      const { values, labels } = ticksOf(low, high)
      const reach = Math.max(high - low, Number.MIN_VALUE) * 1e-6
      return (
        (values[0] ?? Infinity) <= low + reach &&
        (values.at(-1) ?? -Infinity) >= high - reach &&
        values.length >= 2 &&
        values.length <= 12 &&
        labels.length === values.length
      )
    }),
  )
  throwsSaying(() => ticksOf(2, 1), 'bounds must be finite and in order')
})

test('on logarithmic axes equal ratios are equal distances, and numbers without a logarithm are refused', () => {
  const points = [1, 10, 1000].map((x) => ({ x, y: 5 / x }))
  const log = {
    ...chart,
    x: { label: 'n', log: true },
    y: { label: 'rate', log: true },
    series: [{ name: 's', points }],
  }
  const svg = read(svgOf(log))
  const [a = [], b = [], c = []] = ofClass(svg, 'point').map(({ attributes }) => numbersOf(attributes.get('transform')))
  for (const i of [0, 1]) {
    const [first, then] = [(b[i] ?? 0) - (a[i] ?? 0), (c[i] ?? 0) - (b[i] ?? 0)]
    assert.ok(Math.abs(2 * first - then) < 0.05, `${first}, ${then}`)
  }
  const zero = [{ name: 's', points: [{ x: 0, y: 1 }] }]
  throwsSaying(() => svgOf({ ...log, series: zero }), 'bounds must be finite, > 0')
})

test('ticks of a logarithmic axis are powers of ten, or also 2 and 5 times those', () => {
  assert.equal(logTicksOf(8, 511).labels, ['5', '10', '20', '50', '100', '200', '500', '1000'])
  assert.equal(logTicksOf(0.001, 1000).labels, ['0.001', '0.01', '0.1', '1', '10', '100', '1000'])
  assert.equal(logTicksOf(10, 10).values, [10, 20])
  const bound = fc.double({ min: 1e-200, max: 1e200, noNaN: true })
  fc.assert(
    fc.property(bound, bound, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      const { values } = logTicksOf(low, high)
      const [first = Infinity, last = -Infinity] = [values.at(0), values.at(-1)]
      return first <= low * 1.000001 && last >= high * 0.999999 && values.length >= 2 && values.length <= 16
    }),
  )
  throwsSaying(() => logTicksOf(0, 1), 'bounds must be finite, > 0')
})

test.run()
