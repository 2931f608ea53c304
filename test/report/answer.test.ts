/** The answer of a page: what went wrong, what it cost, and links to the places in the run. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { UNIT, units } from '../../lib/core/time.ts'
import { reportOf } from '../../lib/report/command.ts'
import { Texts } from '../../lib/report/contents.ts'
import { Graph } from '../../lib/report/graph.ts'
import { type Incident, Incidents, incidentSentences } from '../../lib/report/incidents.ts'
import { fragmentOf, linked, type Names, type ShownSentence } from '../../lib/report/links.ts'
import { shownRun } from '../../lib/report/model.ts'
import { isAbout, lifeOf, linkIn, momentOf, sightOf } from '../../lib/report/moments.ts'
import { openingOf, PARTS } from '../../lib/report/opening.ts'
import { Reading } from '../../lib/report/reading.ts'
import { order } from '../../lib/report/sorting.ts'
import { besideCalm, runsTable, tilesOf } from '../../lib/report/tiles.ts'
import { spanning } from '../../lib/report/viewport.ts'
import { Lives } from '../../lib/scenario/lives.ts'
import { few, listOf, ofRun, outOf, type PageReader, say, textOf, time, timeBetween } from '../../lib/scenario/page.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { marketPage } from '../../scenarios/bidding/page.ts'
import { marketLines } from '../trace/traces.ts'

const head = { scenario: 's', summary: '', command: '', version: '0', options: [], text: '', checks: [], systems: [] }

const wordsOf = (sentence: ShownSentence): string =>
  sentence.map((part) => (typeof part === 'string' ? part : part[0])).join('')

const incidentsOf = (...lines: Line[]): readonly Incident[] => {
  const incidents = new Incidents()
  for (const who of ['a@m1', 'b@m1', 'c@m2']) incidents.add({ t: 'spawn', at: 0, who })
  for (const line of lines) incidents.add(line)
  return incidents.all
}

const died = (who: string, at: number, cause = 'Killed'): Line => ({
  t: 'died',
  at: at * UNIT,
  who,
  cause,
  message: 'no',
})
const told = (all: readonly Incident[]): string[] => incidentSentences(all).map(textOf)

test('actors of a machine that die and come back together are told as one', () => {
  const back = ['a@m1', 'b@m1'].map((who): Line => ({ t: 'spawn', at: 9 * UNIT, who }))
  assert.equal(told(incidentsOf(died('a@m1', 5), died('b@m1', 5), ...back)), ['m1 was dead from 5.00 to 9.00.'])
  assert.equal(told(incidentsOf(died('a@m1', 5))), ['a@m1 died at 5.00 and stayed dead.'])
  assert.equal(told(incidentsOf(died('c@m2', 5), { t: 'spawn', at: 6 * UNIT, who: 'c@m2' })), [
    'c@m2 was dead from 5.00 to 6.00.',
  ])
})

test('actors that die some time after the fault that killed them are told with both times', () => {
  const fault: Line = { t: 'fault', at: 5 * UNIT, fault: 'kill @m1 at 5' }
  const deaths = [died('a@m1', 7), died('b@m1', 8)]
  const back = ['a@m1', 'b@m1'].map((who): Line => ({ t: 'spawn', at: 9 * UNIT, who }))
  assert.equal(told(incidentsOf(fault, ...deaths)), ['m1, killed at 5.00, died at 7.00 and stayed dead.'])
  assert.equal(told(incidentsOf(fault, ...deaths, ...back)), ['m1, killed at 5.00, was dead from 7.00 to 9.00.'])
})

test('slow links and slow disks are told with their delays, and cost no mail', () => {
  const faults = ['slow m1 | m2 by 5 at 4 until 9', 'slow m2 | * by 2 at 5 until 6', 'slow c@m2 by 3 at 8 until 20']
  const lines = faults.map((fault): Line => ({ t: 'fault', at: 0, fault }))
  const lost: Line = { t: 'dead', at: 5 * UNIT, from: 'a@m1', to: 'c@m2', reason: 'partition' }
  const all = incidentsOf(...lines, lost)
  assert.equal(told(all), [
    'Mail between m1 and m2 took 5.00 longer from 4.00 to 9.00.',
    'Mail between m2 and all others took 2.00 longer from 5.00 to 6.00.',
    'The disk of c@m2 took 3.00 for each write from 8.00 to 20.00.',
  ])
  assert.equal(
    all.map(({ lost: count }) => count),
    [0, 0, 0],
  )
  assert.equal(incidentSentences(all, 8 * UNIT).map(textOf), [
    'Mail between m1 and m2 takes 5.00 longer from 4.00 until 9.00.',
    'Mail between m2 and all others took 2.00 longer from 5.00 to 6.00.',
    'The disk of c@m2 takes 3.00 for each write from 8.00 until 20.00.',
  ])
})

test('clocks that jump are told with their jumps', () => {
  const faults = ['jump m1 by 5 at 4', 'jump m2 by -0.5 at 5 until 9']
  const all = incidentsOf(...faults.map((fault): Line => ({ t: 'fault', at: 0, fault })))
  assert.equal(told(all), [
    'The clock of m1 jumped 5.00 ahead at 4.00.',
    'The clock of m2 jumped 0.50 back at 5.00, and returned at 9.00.',
  ])
  assert.equal(incidentSentences(all, 8 * UNIT).map(textOf), [
    'The clock of m1 jumped 5.00 ahead at 4.00.',
    'The clock of m2 jumped 0.50 back at 5.00.',
  ])
})

test('an incident that was to outlast its run is told until the end of that run', () => {
  const reading = new Reading({}, { bars: 9, objects: 9, phases: 9 })
  for (const fault of ['partition m1 | m2 at 4 until 99', 'jump m2 by 5 at 5 until 99'])
    reading.add({ t: 'fault', at: units(4), fault })
  reading.add({ t: 'deliver', at: units(20), who: 'a@m1' })
  assert.equal(reading.told(new Texts()).story.map(wordsOf), [
    'm1 could not reach m2 from 4.00 to 20.00.',
    'The clock of m2 jumped 5.00 ahead at 5.00.',
  ])
})

test('crashes, pauses and partitions are told with their times, and no more than four at length', () => {
  const faults = ['pause c@m2 for 3 at 8', 'partition m1 | m2 at 4 until 9', 'something else']
  const lines = faults.map((fault): Line => ({ t: 'fault', at: 0, fault }))
  assert.equal(told(incidentsOf(...lines, died('a@m1', 6, 'TypeError'))), [
    'm1 could not reach m2 from 4.00 to 9.00.',
    'a@m1 crashed at 6.00: TypeError: no.',
    'c@m2 did nothing from 8.00 to 11.00.',
  ])
  const many = incidentsOf(...[1, 2, 3, 4, 5, 6].map((at) => died('c@m2', at)))
  assert.equal(told(many).slice(4), ['There were 2 more such incidents.'])
  assert.equal(told(many.slice(1)).slice(4), ['There was 1 more such incident.'])
})

const NAMES: Names = {
  actors: new Set(['client@c1', 'worker.3@m2']),
  machines: new Set(['c1', 'm2', 'a']),
  objects: new Set(['task 15', 'job A.1']),
}

test('names in a sentence become links, and nothing else does', () => {
  assert.equal(linked('client@c1 gave task 15 to m2, and job A.1 to a worker.', NAMES), [
    ['client@c1', '#actor=client%40c1'],
    ' gave ',
    ['task 15', '#object=task+15'],
    ' to ',
    ['m2', '#actor=%40m2'],
    ', and ',
    ['job A.1', '#object=job+A.1'],
    ' to a worker.',
  ])
  assert.equal(linked('task 1 and m20 of worker.3@m2.', NAMES), [
    'task 1 and m20 of ',
    ['worker.3@m2', '#actor=worker.3%40m2'],
    '.',
  ])
  assert.equal(linked(say`It began at ${time(units(2.5))}, ${3} times.`, NAMES), [
    'It began at ',
    ['2.50', '#at=2500000'],
    ', 3 times.',
  ])
  assert.equal(linked('', NAMES), [])
})

test('the fragment of a link leads to its place, and another fragment leads nowhere', () => {
  assert.equal(linkIn('#object=task+15'), { object: 'task 15' })
  assert.equal(linkIn('#actor=%40m2'), { actor: '@m2' })
  assert.equal(linkIn('#at=2500000'), { at: 2_500_000 })
  assert.equal(['#at=soon', '#results', ''].map(linkIn), [undefined, undefined, undefined])
})

const FAULTS = ['kill @m3 at 60', 'restart @m3 at 100']

test('the page of a market tells which task a death cost, who did it, and leads to the moment', async () => {
  const lines = await marketLines({ tasks: 12, faults: FAULTS })
  const run = await shownRun({ name: '', lines, page: marketPage })
  const story = run.story.map(wordsOf)
  assert.is(story[0], 'm3 was dead from 60.00 to 100.00.')
  const missed = /^client@c\d missed (task \d+) at (\S+), (\S+) units after m3 died; (m\d) did it instead\.$/
  const [, task = '', at = '', late = '', machine = ''] = missed.exec(story[1] ?? '') ?? []
  assert.is((Number(at) - 60).toFixed(2), late)
  assert.match(
    story.at(-1) ?? '',
    /^Of the announced tasks, all 12 were done, on average [\d.]+ units after they came\.$/,
  )
  const [objects] = run.objects
  const row = objects?.rows.find(([id]) => `task ${id}` === task) ?? []
  assert.equal([row[3], row[4], row[8]], [machine, '2', 'done'])
  const graph = new Graph(run)
  const event = momentOf(graph, { object: task })
  assert.is((graph.at[event] ?? 0) > units(60), true, 'the last event about the task, which the other machine did')
  assert.ok(isAbout(graph, event, task.slice('task '.length)))
  assert.is(graph.kind(momentOf(graph, { actor: '@m3' })), 'died')
  assert.is(graph.at[momentOf(graph, { at: units(80) })] ?? 0, Math.max(...graph.at.filter((one) => one <= units(80))))
  assert.is(momentOf(graph, { actor: '@nowhere' }), -1)
  const byThen = momentOf(graph, { actor: 'client@c1', at: units(80) })
  assert.is(graph.laneName(graph.lane(byThen)), 'client@c1')
  const isLast = (other: number): boolean => other <= byThen || (graph.at[other] ?? 0) > units(80)
  assert.ok((graph.at[byThen] ?? 0) <= units(80) && graph.lanes[graph.lane(byThen)]?.every(isLast))
  const mail = graph.mail.findIndex((send) => send >= 0)
  const handles = `${graph.name(mail)} from ${graph.laneName(graph.lane(graph.sender[graph.mail[mail] ?? 0] ?? 0))}`
  const link = { actor: graph.laneName(graph.lane(mail)), at: graph.at[mail] ?? 0, handles }
  assert.is(momentOf(graph, link), mail)
  assert.equal(linkIn(fragmentOf(link)), link)
  const phases = phasesOf(run, task)
  const [first, last] = [phases[0], phases.at(-1)]
  const life = { from: first?.from ?? 0, to: (last?.from ?? 0) + (last?.length ?? 0) }
  assert.equal(lifeOf(graph, task), life)
  assert.is(lifeOf(graph, 'task 99'), undefined)
  const window = spanning(life, { from: 0, to: run.until, least: 1 })
  assert.ok(window.from < life.from && window.to > life.to && window.to - window.from < 1.2 * (life.to - life.from))
  assert.equal(
    phases.map(({ tone }) => tone).filter((tone) => ['lost in a death', 'down', 'finished'].includes(tone)),
    ['lost in a death', 'down', 'finished'],
  )
})

test('the end of a lost task is the death, and what is shown of its life ends soon after it', async () => {
  const lines = await marketLines({ tasks: 12, faults: ['m1', 'm2', 'm3'].map((machine) => `kill @${machine} at 60`) })
  const run = await shownRun({ name: '', lines, page: marketPage })
  const graph = new Graph(run)
  const ids = run.objects[0]?.rows.map(([id]) => `task ${id}`) ?? []
  const lost = ids.filter((task) => graph.kind(momentOf(graph, { object: task })) === 'died')
  const [task = ''] = lost
  assert.is(lifeOf(graph, task)?.to, run.until, 'its last phase is open')
  const { from = 0, to = 0 } = sightOf(graph, task) ?? {}
  assert.ok(to >= units(60) && to < units(100), `${from / 1e6} to ${to / 1e6}`)
  const finished = ids.find((one) => (lifeOf(graph, one)?.to ?? run.until) < run.until) ?? ''
  assert.equal(sightOf(graph, finished), lifeOf(graph, finished))
})

test('a page opens at the end of the first object of its story that ends in the run, or else where most bars change', async () => {
  const lines = await marketLines({ tasks: 12 })
  const run = await shownRun({ name: '', lines, page: marketPage })
  const opening = (...story: ShownSentence[]): number => openingOf(new Graph({ ...run, story })) ?? -1
  const graph = new Graph(run)
  const task = ['task 7', '#object=task+7'] as const
  assert.is(opening(['m1 did ', ['m1', '#actor=%40m1'], task]), graph.at[momentOf(graph, { object: 'task 7' })])
  const changes = run.bars.from.flatMap((from, i) => [from, from + (run.bars.length[i] ?? 0)])
  const near = (at: number): number => changes.filter((one) => Math.abs(one - at) <= run.seen / PARTS / 2).length
  const busiest = opening()
  assert.ok(changes.every((one) => near(busiest) >= near(one - (one % (run.seen / PARTS)) + run.seen / PARTS / 2)))
  assert.is(opening([['task 99', '#object=task+99']]), busiest, 'the page has no such task')
  const { phases } = run.objects[0] ?? {}
  assert.ok(phases)
  const long = { ...phases, from: phases.from.map(() => 0), length: phases.length.map(() => run.until - 1) }
  const objects = run.objects.map((kind) => ({ ...kind, phases: long }))
  assert.is(openingOf(new Graph({ ...run, objects, story: [[task]] })), busiest, 'it lives for most of the run')
})

function phasesOf(run: Awaited<ReturnType<typeof shownRun>>, name: string) {
  const [{ rows, phases } = { rows: [], phases: null }] = run.objects
  const place = rows.findIndex(([id]) => `task ${id}` === name)
  return (phases?.object ?? []).flatMap((object, i) =>
    object === place
      ? [
          {
            label: run.texts[phases?.label[i] ?? 0],
            tone: run.texts[phases?.tone[i] ?? 0] ?? '',
            from: phases?.from[i] ?? 0,
            length: phases?.length[i] ?? 0,
          },
        ]
      : [],
  )
}

test('a failed check names its evidence, and the names are links', async () => {
  const lines = await marketLines({ tasks: 6 })
  const { checks } = await reportOf({
    scenario: 's',
    summary: '',
    command: '',
    version: '0',
    options: [],
    text: '',
    checks: [
      { name: 'c', ok: false, measured: 'task 3 failed', expected: 'none', tolerance: null, evidence: ['task 4'] },
    ],
    exhibits: { runs: [{ name: '', lines, page: marketPage }] },
    systems: [],
  })
  assert.equal(checks[0]?.measured, [['task 3', '#object=task+3'], ' failed'])
  assert.equal(checks[0]?.evidence, [[['task 4', '#object=task+4']]])
})

test('a long run is told as a whole, although the page has the beginning of its events', async () => {
  const lines = await marketLines({ tasks: 12 })
  const whole = await shownRun({ name: '', lines, page: marketPage })
  const { LIMITS } = await import('../../lib/report/model.ts')
  const cut = await shownRun({ name: '', lines, page: marketPage }, { ...LIMITS, events: 50 })
  assert.is(cut.events.lane.length, 50)
  assert.equal([cut.story, cut.tiles, cut.objects.length], [whole.story, whole.tiles, 1])
  assert.equal(cut.bars.length, whole.bars.length)
})

test('a number stands beside the same number without faults, and says which is better', () => {
  const tiles = tilesOf([
    { label: 'flow', value: 3, digits: 1, unit: 'units', better: 'less' },
    { label: 'done', value: { mean: 7, halfWidth: 0.5 }, better: 'more' },
    { label: 'tasks', value: 'all 3' },
  ])
  assert.equal(
    tiles.map(({ value }) => value),
    ['3.0', '7 ± 0.5', 'all 3'],
  )
  const calm = [
    { label: 'flow', value: 2.04, digits: 1 },
    { label: 'done', value: 6 },
    { label: 'tasks', value: 'all 3' },
  ]
  assert.equal(
    besideCalm(tiles, calm).map(({ without, change }) => [without, change]),
    [
      ['2.0', 'worse'],
      ['6', 'better'],
      ['all 3', 'same'],
    ],
  )
})

test('each of several comparisons tells its own story, whose links lead into its run', async () => {
  const lines = await marketLines({ tasks: 4 })
  const runs = ['a', 'b', 'c', 'd'].map((name) => ({ name, lines, page: marketPage }))
  const pairs = [0, 2].map((about) => ({
    name: `failure ${about}`,
    story: [say`It breaks at ${time(units(5))}.`],
    repeat: `repeat ${about}`,
    runs: [about, about + 1],
    about,
  }))
  const report = await reportOf({ ...head, exhibits: { runs, pairs, story: ['Two promises are broken.'] } })
  assert.equal(report.stories, [
    { name: 'failure 0', story: [['It breaks at ', ['5.00', '#at=5000000&run=1'], '.']], repeat: 'repeat 0' },
    { name: 'failure 2', story: [['It breaks at ', ['5.00', '#at=5000000&run=3'], '.']], repeat: 'repeat 2' },
  ])
  assert.equal(report.pairs, [
    { name: 'failure 0', runs: [0, 1] },
    { name: 'failure 2', runs: [2, 3] },
  ])
  assert.is(report.beside, undefined, 'runs of different failures are not compared')
  assert.equal(report.pictures, [], 'the pictures of a family answer another question')
})

test('runs of a comparison stand side by side, with the numbers that all of them have', async () => {
  const lines = await marketLines({ tasks: 4 })
  const run = (name: string, page: () => PageReader) => shownRun({ name, lines, page })
  const some = (): PageReader => ({
    tiles: () => [
      { label: 'a', value: 1, unit: 's' },
      { label: 'b', value: 2 },
    ],
  })
  const other = (): PageReader => ({ tiles: () => [{ label: 'a', value: 3, unit: 's' }] })
  const table = runsTable([await run('one', some), await run('two', other)])
  assert.equal(
    table?.columns.map(({ name }) => name),
    ['', 'one', 'two'],
  )
  assert.equal(table?.rows, [['a [s]', '1', '3']])
  assert.is(runsTable([await run('one', some)]), undefined)
})

test('each of several runs has its own answer, whose links lead into it', async () => {
  const lines = await marketLines({ tasks: 4 })
  const page = (says: string) => (): PageReader => ({ story: () => [say`${says} at ${time(3 * UNIT)}.`] })
  const runs = [
    { name: 'one', lines, page: page('First') },
    { name: 'silent', lines },
    { name: 'two', lines, page: page('Second') },
  ]
  const { story, stories = [] } = await reportOf({ ...head, exhibits: { runs } })
  assert.equal(story, [])
  assert.equal(
    stories.map(({ name, story: [told = []] }) => [name, wordsOf(told)]),
    [
      ['one', 'First at 3.00.'],
      ['two', 'Second at 3.00.'],
    ],
  )
  assert.equal(stories[1]?.story[0]?.[1], ['3.00', `#at=${3 * UNIT}&run=3`])
})

test('the answer of a comparison stands above those of its runs, and its numbers lead into them', async () => {
  const lines = await marketLines({ tasks: 4 })
  const runs = ['one', 'two'].map((name) => ({ name, lines, page: () => ({ story: () => [`I am ${name}.`] }) }))
  const head = { scenario: 's', summary: '', command: '', version: '0', options: [], text: '', checks: [], systems: [] }
  const parts = [say`${ofRun('two', 7)} under two`, say`${ofRun('one', 8, { object: 'task 3' })} under one`]
  const comparison = [say`There are ${listOf([...parts, say`${ofRun('three', 9)} elsewhere`])}.`]
  const { story, stories = [], pictures } = await reportOf({ ...head, exhibits: { runs, comparison } })
  assert.equal(story, [
    [
      'There are ',
      ['7', '#run=2'],
      ' under two, ',
      ['8', '#object=task+3&run=1'],
      // a run that is not on the page
      ' under one and 9 elsewhere.',
    ],
  ])
  assert.is(stories.length, 2)
  assert.ok(pictures.length >= 0)
})

test('the time between two instants is the difference of the numbers that are shown', () => {
  assert.is(timeBetween(units(524.684), units(689.566)), '164.89')
  assert.is(textOf(say`${time(units(524.684))} ${time(units(689.566))}`), '524.68 689.57')
})

test('columns of tables are sorted by numbers, then words, and gaps come last', () => {
  const texts = ['10', '', '9.5 ± 3', '-', 'b2', 'b10', '1,000', '-4']
  const sorted = (isDown: boolean) => order(texts, isDown).map((i) => texts[i])
  assert.equal(sorted(false), ['-4', '9.5 ± 3', '10', '1,000', 'b2', 'b10', '', '-'])
  assert.equal(sorted(true), ['1,000', '10', '9.5 ± 3', '-4', 'b10', 'b2', '-', ''])
})

test('a phase of an object ends where the next begins, and the open one lasts until now', () => {
  const lives = new Lives()
  lives.begin(3, 0, 'waits', 'waiting')
  lives.begin(3, 5, 'runs', 'running')
  lives.end(3, 9, 'finished')
  lives.begin(3, 9, 'nothing', 'moving')
  lives.begin(3, 9, 'reports', 'moving')
  assert.equal(
    lives.of(3, 12).map(({ label, from, until, tone }) => `${label} ${from}-${until} ${tone}`),
    ['waits 0-5 waiting', 'runs 5-9 finished', 'reports 9-12 moving'],
  )
  assert.equal(lives.of(4, 12), [])
})

test('parts of a whole and lists of names are short', () => {
  assert.equal([outOf(3, 3), outOf(2, 3)], ['all 3', '2 of 3'])
  assert.equal([few(['a', 'b']), few(['a', 'b', 'c', 'd', 'e'])], ['a, b', 'a, b, c and 2 more'])
})

test.run()
