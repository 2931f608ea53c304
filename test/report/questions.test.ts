/** The pictures that answer the question of a run: what they show, and where. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { STANDARD } from '../../actors/processor/sharing.ts'
import { sum } from '../../lib/core/tally.ts'
import { units } from '../../lib/core/time.ts'
import { LIMITS, readRun } from '../../lib/report/model.ts'
import { runIn } from '../../lib/report/moments.ts'
import { type RunPictures, shownPictures } from '../../lib/report/pictures.ts'
import type { ShownPicture } from '../../lib/report/types.ts'
import type { PageReader, Picture } from '../../lib/scenario/page.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import { Windows } from '../../lib/scenario/windows.ts'
import { marketPage } from '../../scenarios/bidding/page.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { coschedulingPage } from '../../scenarios/shares/coscheduling/page.ts'
import { runs } from '../../scenarios/shares/model.ts'
import { clusterPage } from '../../scenarios/shares/page.ts'
import { linesOf, marketLines } from '../trace/traces.ts'

const dots = (...points: readonly (readonly [x: number, y: number])[]): Picture['series'][number] => ({
  name: 'some',
  shape: 'dots',
  points: points.map(([x, y]) => ({ x, y, name: `task ${x}`, to: { object: `task ${x}` } })),
})

const runWith = (pictures: readonly Picture[], more: Partial<RunPictures> = {}): RunPictures => ({
  name: '',
  pictures,
  until: units(10),
  unit: 'ms',
  incidents: [],
  tones: [],
  ...more,
})

const only = (pictures: readonly ShownPicture[]): string => pictures[0]?.panels[0]?.svg ?? ''

/** The elements of a name in a drawing, each as its attributes. */
const elementsIn = (svg: string, name: string): Record<string, string>[] =>
  [...svg.matchAll(new RegExp(`<${name} ([^>]*?)/?>`, 'g'))].map(([, text = '']) =>
    Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
  )

const ofClass = (svg: string, name: string, kind: string) =>
  elementsIn(svg, name).filter((one) => one['class']?.split(' ').includes(kind))

const circlesIn = (svg: string) => elementsIn(svg, 'circle').map(({ cx, cy }) => [Number(cx), Number(cy)] as const)
const titlesIn = (svg: string): string[] => [...svg.matchAll(/<title>(.*?)<\/title>/g)].map(([, text = '']) => text)

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.05, `${actual}, not ${expected}`)

const DEAD = {
  type: 'dead',
  who: '@m1',
  from: units(2),
  until: units(4),
  error: '',
  other: '',
  by: 0,
  lost: 0,
} as const
const over = (...series: Picture['series']): Picture => ({ title: 'A & <b>', y: { label: 'y', min: 0 }, series })

test('a dead machine is a band from its death to its return, over the time of the run', () => {
  const svg = only(shownPictures([runWith([over(dots([units(2), 1], [units(4), 2]))], { incidents: [DEAD] })]))
  const [band] = ofClass(svg, 'rect', 'band')
  const [from, until] = circlesIn(svg)
  near(Number(band?.['x']), from?.[0] ?? 0)
  near(Number(band?.['x']) + Number(band?.['width']), until?.[0] ?? 0)
  assert.ok(titlesIn(svg).includes('m1 dead'))
  assert.match(svg, '>time [ms]<')
})

test('a picture of one value has an axis that begins at it', () => {
  const svg = only(shownPictures([runWith([over(dots([units(2), 0]))])]))
  assert.not.match(svg, />-\d/)
})

test('an actor that was restarted at once was not dead', () => {
  const incidents = [{ ...DEAD, who: 'bank@hub', until: DEAD.from }]
  const titles = titlesIn(only(shownPictures([runWith([over(dots([units(9), 1]))], { incidents })])))
  assert.ok(titles.includes('bank@hub restarted'), titles.join('; '))
})

test('slow links and slow disks are bands with names', () => {
  const slow = { ...DEAD, by: units(1) }
  const incidents = [
    { ...slow, type: 'slow links', who: 'm1', other: 'm2' } as const,
    { ...slow, type: 'slow disk', who: 'a@m1' } as const,
  ]
  const titles = titlesIn(only(shownPictures([runWith([over(dots([units(9), 1]))], { incidents })])))
  for (const title of ['slow links between m1 and m2', 'slow disk of a@m1']) assert.ok(titles.includes(title), title)
})

test('one that stays dead is marked to the end, and an axis of its own has no bands', () => {
  const dead = { ...DEAD, until: null }
  const picture = over(dots([units(10), 1]))
  const svg = only(shownPictures([runWith([picture], { incidents: [dead] })]))
  const [band] = ofClass(svg, 'rect', 'band')
  near(Number(band?.['x']) + Number(band?.['width']), circlesIn(svg)[0]?.[0] ?? 0)
  const other = only(shownPictures([runWith([{ ...picture, x: { label: 'x' } }], { incidents: [dead] })]))
  assert.equal(ofClass(other, 'rect', 'band'), [])
})

test('a dot has its name and leads to its place, and no text is markup', () => {
  const svg = only(shownPictures([runWith([over({ ...dots([units(3), 1.5]), name: '<i>' })])]))
  assert.match(svg, 'aria-label="A &amp; &lt;b&gt;. y over time [ms]: &lt;i&gt;."')
  assert.match(svg, `<a href="#object=task+${units(3)}" tabindex="-1">`)
  assert.ok(titlesIn(svg).includes(`task ${units(3)}: 1.5 at time 3`))
  assert.not.match(svg, /<[bi]>/)
  // an image may not have links
  assert.match(svg, 'role="group"')
})

test('areas are stacked, and each part of the time says all values', () => {
  const area = (name: string, y: number): Picture['series'][number] => ({
    name,
    shape: 'area',
    points: [0, 5, 10].map((at) => ({ x: units(at), y })),
  })
  const top = { name: 'due', shape: 'reference' as const, points: [0, 10].map((at) => ({ x: units(at), y: 3 })) }
  const svg = only(shownPictures([runWith([over(area('a', 1), area('b', 2), top)])]))
  const [a, b] = ofClass(svg, 'path', 'area').map(({ d = '' }) => (d.match(/[\d.]+/g) ?? []).map(Number))
  const [line = []] = ofClass(svg, 'path', 'reference').map(({ d = '' }) => (d.match(/[\d.]+/g) ?? []).map(Number))
  // b begins at the top of a, and its own top is the sum
  near(b?.[1] ?? 0, line[1] ?? 0)
  near(b?.at(-2) ?? 0, a?.[1] ?? 0)
  assert.ok(titlesIn(svg).includes('time 0 to 5: a 1, b 2'), titlesIn(svg).join('; '))
  assert.match(svg, `href="#at=${units(5)}"`)
})

test('several runs are drawn side by side on one scale, in the same colours', () => {
  const one = runWith([over({ ...dots([units(1), 5]), name: 'u1' }, { ...dots([units(2), 1]), name: 'u2' })], {
    name: 'A',
  })
  const other = runWith([over({ ...dots([units(1), 100]), name: 'u2' }, { ...dots([units(9), 5]), name: 'u1' })], {
    name: 'B',
  })
  const [picture] = shownPictures([one, { ...other, until: units(40) }])
  assert.equal(
    picture?.panels.map(({ name }) => name),
    ['A', 'B'],
  )
  const [a, b] = (picture?.panels ?? []).map(({ svg }) => circlesIn(svg))
  // the same values are at the same places
  near(a?.[0]?.[1] ?? 0, b?.[1]?.[1] ?? 1)
  near(a?.[0]?.[0] ?? 0, b?.[0]?.[0] ?? 1)
  assert.match(picture?.panels[1]?.svg ?? '', `href="#object=task+${units(9)}&amp;run=2"`)
  assert.equal(['#object=task+9&run=2', '#object=task+9', '#object=task+9&run=0'].map(runIn), [1, undefined, undefined])
  assert.equal(picture?.legend, [
    { name: 'u1', ink: 'blue' },
    { name: 'u2', ink: 'orange' },
  ])
})

test('runs that share a picture are a series each, and tones have the colours of the timeline', () => {
  const shared = { ...over(dots([units(1), 5])), isShared: true }
  const [picture] = shownPictures(['A', 'B'].map((name) => runWith([shared], { name, tones: ['other', 'B'] })))
  assert.is(picture?.panels.length, 1)
  assert.equal(
    picture?.legend.map(({ name }) => name),
    ['A', 'B'],
  )
  assert.is(picture?.legend[1]?.ink, 'blue')
})

test('a tone has a colour of the palette, also one that is called like a property of objects', () => {
  const names = ['constructor', 'late', 'other', '__proto__', 'toString']
  const [picture] = shownPictures([runWith([over(...names.map((name) => ({ ...dots([units(1), 5]), name })))])])
  assert.equal(
    picture?.legend.map(({ name, ink }) => `${name} ${ink}`),
    ['constructor blue', 'late red', 'other orange', '__proto__ green', 'toString pink'],
  )
})

test('more series than colours are said to share some', () => {
  const notesOf = (count: number) => {
    const series = Array.from({ length: count }, (_, i) => ({ ...dots([units(1), i]), name: `user ${i}` }))
    return shownPictures([runWith([over(...series)])])[0]?.notes
  }
  assert.equal(notesOf(7), [])
  assert.equal(notesOf(8), ['Some share a colour: point at one to read its name.'])
})

test('points that no axis has a place for are left out, and a note says how many', () => {
  const bad = dots([units(1), 1], [units(2), Number.NaN], [Number.POSITIVE_INFINITY, 3], [units(4), -1.7e308])
  const [picture] = shownPictures([runWith([over(bad, { ...dots([units(1), 2]), name: 'good' })])])
  assert.is(picture?.panels[0] && circlesIn(picture.panels[0].svg).length, 2)
  assert.not.match(picture?.panels[0]?.svg ?? '', /NaN|Infinity/)
  assert.equal(picture?.notes, ['3 of 4 points of some have no place on the axes and are left out.'])
  assert.equal(shownPictures([runWith([over(dots([units(1), 1]))])])[0]?.notes, [])
})

test('a logarithmic axis begins above zero, also if a point or a bound is zero', () => {
  const x = { label: 'x', log: true, min: 0 }
  const y = { label: 'y', log: true, min: 0, max: Number.NaN }
  const picture = { ...over(dots([0, 1], [1, 10], [10, 100], [100, 0])), x, y }
  const [both] = shownPictures(['A', 'B'].map((name) => runWith([picture], { name })))
  assert.is(circlesIn(both?.panels[1]?.svg ?? '').length, 2)
  assert.equal(
    both?.notes,
    ['A', 'B'].map((name) => `${name}: 2 of 4 points of some have no place on the axes and are left out.`),
  )
  const none = shownPictures([runWith([{ ...picture, series: [dots([0, 0])] }])])
  assert.equal(none[0]?.notes, ['1 of 1 points of some have no place on the axes and are left out.'])
})

test('the note of a picture stands below it, with the name of its run', () => {
  const picture = { ...over(dots([units(1), 1])), note: 'Some paid nothing.' }
  const [shown] = shownPictures(['A', 'B'].map((name) => runWith([picture], { name })))
  assert.equal(shown?.notes, ['A: Some paid nothing.', 'B: Some paid nothing.'])
})

test('a picture without any point is left out', () => {
  assert.equal(shownPictures([runWith([over(dots())])]), [])
})

test('on a logarithmic axis equal ratios are equal distances, and what has no logarithm is left out', () => {
  const some = dots([units(1), 1], [units(2), 10], [units(3), 100], [units(4), 0])
  const picture = { ...over(some), y: { label: 'y', log: true } }
  const [a, b, c, d] = circlesIn(only(shownPictures([runWith([picture])])))
  near((a?.[1] ?? 0) - (b?.[1] ?? 0), (b?.[1] ?? 0) - (c?.[1] ?? 0))
  assert.is(d, undefined)
})

test('very many points are drawn without names, and steps as fine as the picture', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => [units(i / 2000), i % 7] as const)
  const steps = { ...dots(...many), shape: 'steps' as const }
  const svg = only(shownPictures([runWith([over(dots(...many))])]))
  assert.is(circlesIn(svg).length, 0, 'too many have the same height')
  const rising = many.map(([x], i) => [x, i] as const)
  const named = titlesIn(only(shownPictures([runWith([over(dots(...rising))])]))).filter((one) =>
    one.startsWith('task'),
  )
  assert.is(named.length, 250)
  assert.match(named.at(-1) ?? '', ': 19999 at time')
  const [line] = ofClass(only(shownPictures([runWith([over(steps)])])), 'path', 'steps')
  assert.ok((line?.['d']?.length ?? 0) < 40_000, `${line?.['d']?.length} characters`)
  // the greatest and the least value are still there
  const few = only(shownPictures([runWith([over({ ...steps, points: steps.points.slice(0, 100) })])]))
  const rangeOf = (d = ''): number[] => {
    const heights = [...d.matchAll(/V([\d.]+)/g)].map(([, y]) => Number(y))
    return [Math.min(...heights), Math.max(...heights)]
  }
  assert.equal(rangeOf(line?.['d']), rangeOf(ofClass(few, 'path', 'steps')[0]?.['d']))
})

type Runnable = Pick<Scenario, 'specification' | 'page'>

/** The pictures of a recorded run, by title. */
async function picturesOf(lines: Parameters<typeof readRun>[0]['lines'], page: () => PageReader) {
  const { pictures } = await readRun({ name: '', lines, page }, LIMITS)
  return new Map(pictures.pictures.map((one) => [one.title, one]))
}

test('the page of a market shows the tasks in flight, and the flow time of each at its end', async () => {
  const lines = await marketLines({ tasks: 12, faults: ['kill @m3 at 60', 'restart @m3 at 100'] })
  const pictures = await picturesOf(lines, marketPage)
  const flight = pictures.get('Tasks in flight')?.series[0]?.points ?? []
  assert.is(flight.length, 24)
  assert.equal([flight.at(0)?.y, flight.at(-1)?.y], [1, 0])
  const [once, again] = pictures.get('Flow time of each task, at its end')?.series ?? []
  assert.is((once?.points.length ?? 0) + (again?.points.length ?? 0), 12)
  assert.is(again?.points.length, 1, 'the task that died with m3')
  assert.equal(again?.points[0]?.to, { object: again?.points[0]?.name })
})

test('the page of a cluster shows what each user had over time, and lines of what was due', () => {
  // a has 2 of 3 tickets, and after 6000 ms nothing at all
  const orders = ['a', 'b'].map((user) => runs(`${user}.1`, 'm1', { currency: user }))
  const page = clusterPage({ machines: 1, sharing: { ...STANDARD, funding: { a: 200, b: 100 } }, orders })
  for (let n = 1; n <= 120; n++) {
    const job = n > 60 || n % 3 === 0 ? 'b.1' : 'a.1'
    page.fold?.({ type: 'ran', job, used: units(100), switching: 0 }, 'processor@m1', units(100 * n))
  }
  const [picture] = page.pictures?.(units(12_000)) ?? []
  const lines = picture?.series.filter(({ shape }) => shape === 'reference')
  const heights = lines?.map(({ points }) => points.map(({ y }) => y.toFixed(6)))
  assert.equal(heights, [
    ['0.666667', '0.666667'],
    ['1.000000', '1.000000'],
  ])
  const [a, b] = picture?.series.filter(({ shape }) => shape === 'area') ?? []
  assert.equal([a?.name, b?.name], ['a', 'b'])
  const mean = (from: number, until: number): number => {
    const own = (a?.points ?? []).filter(({ x }) => x >= units(from) && x < units(until))
    return sum(own, ({ y }) => y) / own.length
  }
  assert.ok(Math.abs(mean(0, 5500) - 2 / 3) < 0.05, `${mean(0, 5500)}`)
  assert.is(mean(6500, 12_000), 0)
  assert.ok(a?.points.every(({ y }, i) => Math.abs(y + (b?.points[i]?.y ?? 0) - 1) < 1e-9))
})

test('the page of parallel jobs shows the machines on which each computes, and those that spin', () => {
  const page = coschedulingPage()
  // two jobs take turns of 10 ms on two machines; j2 spins for half of its time
  for (let n = 1; n <= 60; n++) {
    const at = units(10 * n)
    for (const who of ['processor@m1', 'processor@m2']) {
      const job = n % 2 === 0 ? 'j2' : 'j1'
      if (job === 'j2') page.fold?.({ type: 'spun', job, lasted: units(5) }, who, at)
      page.fold?.({ type: 'ran', job, used: units(10), switching: 0 }, who, at)
    }
    page.fold?.({ type: 'opened', job: 'j1' }, 'barrier@m1', at)
  }
  const [machines, barriers] = page.pictures?.(units(600)) ?? []
  const means = machines?.series.map(({ name, points }) => {
    const time = sum(
      points.keys(),
      (i) => (points[i]?.y ?? 0) * ((points[i + 1]?.x ?? 0) - (points[i]?.x ?? 0)) * (i + 1 < points.length ? 1 : 0),
    )
    return `${name} ${(time / units(600)).toFixed(2)}`
  })
  assert.equal(means, ['j1 1.00', 'j2 0.50', 'spinning at a barrier 0.50'])
  assert.ok(barriers?.series[0]?.points.every(({ y }) => y > 0))
})

test('windows keep their sums as they grow, and the last one is as long as the run', () => {
  const windows = new Windows(4)
  windows.add('a', 0, 3)
  windows.span('a', units(1), units(9))
  windows.add('b', units(10))
  const rates = windows.rates('a', units(10))
  const sums = rates.slice(0, -1).map(({ x, y }, i) => y * ((rates[i + 1]?.x ?? 0) - x))
  assert.ok(Math.abs(sums.reduce((sum, one) => sum + one, 0) - (units(8) + 3)) < 1e-6)
  assert.ok(rates.length >= 3 && rates.length <= 5)
  assert.is(rates.at(-1)?.x, units(10))
  assert.equal(windows.names, ['a', 'b'])
  assert.equal(windows.rates('c', 0), [])
})

/** The pictures of a run of a scenario with these flags, by title. */
async function picturesOfRun(scenario: Runnable, flags: Record<string, string>) {
  const options = new Map(Object.entries(flags).map(([key, value]) => [key, [value]]))
  const lines = await linesOf({}, async (system) => {
    await scenario.specification(options).open(system)
    await system.run()
  })
  return picturesOf(lines, scenario.page)
}

test('the page of contracts shows promised against actual completions: a late task lies above the diagonal', async () => {
  const pictures = await picturesOfRun(contractsRun, { tasks: '60', load: '1.5', processors: '2', threshold: '0' })
  const [promised, yields] = pictures.values()
  const of = (name: string) => promised?.series.find((one) => one.name.startsWith(name))?.points ?? []
  assert.ok(of('as promised').every(({ x, y }) => x === y))
  assert.ok(of('late').length > 0 && of('late').every(({ x, y }) => y > x))
  assert.ok(of('on time').length > 0 && of('on time').every(({ x, y }) => y <= x))
  const [, refused] = /^Without (\d+) tasks that all sites refused,/.exec(promised?.note ?? '') ?? []
  assert.is(of('late').length + of('on time').length + Number(refused), 60)
  assert.is(yields?.isShared, true)
  assert.is(yields?.series[0]?.points.length, of('late').length + of('on time').length + 2)
})

test('the page of an economy shows the wait and the price of each job, by user', async () => {
  const flags = { users: '2', processors: '8', span: '1000' }
  const [waits, prices] = (await picturesOfRun(economyRun, { policy: 'ECON', ...flags })).values()
  assert.equal(
    waits?.series.map(({ name }) => name),
    ['user u1', 'user u2'],
  )
  assert.equal(
    prices?.series.map(({ name }) => name),
    ['user u1', 'user u2'],
  )
  const points = waits?.series.flatMap((one) => one.points) ?? []
  assert.ok(points.length > 20 && points.every(({ y }) => y >= 0))
  assert.ok(prices?.series.every((one) => one.points.every(({ y }) => y > 0)))
  assert.match(prices?.note ?? '', /^\d+ of \d+ jobs paid nothing, because /)
  const plain = await picturesOfRun(economyRun, { policy: 'FCFS', ...flags })
  assert.is(plain.size, 1, 'without money there are no prices')
})

test.run()
