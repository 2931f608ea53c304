/** The load of a run over time, which pages draw from the trace alone. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sum } from '../../lib/core/tally.ts'
import { units } from '../../lib/core/time.ts'
import { frequentTypes } from '../../lib/report/colored-types.ts'
import { loadPictures, shownLoad } from '../../lib/report/load.ts'
import { LIMITS, readRun } from '../../lib/report/model.ts'
import { KINDS, type ShownRun } from '../../lib/report/types.ts'
import type { Picture, PicturePoint } from '../../lib/scenario/page.ts'
import { marketPage } from '../../scenarios/bidding/page.ts'
import { marketLines } from '../trace/traces.ts'

/** A message of a type from actor 1 to an actor, and the times at which it is sent and handled; null for never. */
type Mail = readonly [type: string, to: number, sent: number, handled: number | null]

/** A run of four units with three actors and these messages. */
function runOf(mails: readonly Mail[], more: Partial<ShownRun> = {}): ShownRun {
  const events = mails
    .flatMap(([, to, sent, handled], mail) => [
      { at: sent, lane: 1, kind: 'timer' as const, mail },
      ...(handled === null ? [] : [{ at: handled, lane: to, kind: 'mail' as const, mail }]),
    ])
    .sort((one, other) => one.at - other.at || other.kind.localeCompare(one.kind))
  const texts = ['', ...new Set(mails.map(([type]) => type)), 'works', 'down']
  const sends = events.filter(({ kind }) => kind === 'timer')
  const none = events.map(() => 0)
  return {
    name: '',
    focus: -1,
    story: [],
    tiles: [],
    unit: 'ms',
    omissions: [],
    texts,
    until: units(4),
    seen: units(4),
    beyond: 0,
    lanes: ['system', 'a@m1', 'b@m1', 'c@m2'].map((name) => ({ name, machine: null })),
    events: {
      lane: events.map(({ lane }) => lane),
      later: events.map(({ at }, i) => units(at - (events[i - 1]?.at ?? 0))),
      kind: events.map(({ kind }) => KINDS.indexOf(kind)),
      what: none,
      state: none,
      sends: events.map(({ kind }) => (kind === 'timer' ? 1 : 0)),
      flags: [],
      links: [],
      entered: [],
      remarks: [],
      facts: [],
    },
    sends: {
      to: sends.map(({ mail }) => mails[mail]?.[1] ?? 0),
      type: sends.map(({ mail }) => texts.indexOf(mails[mail]?.[0] ?? '')),
      topic: sends.map(() => 0),
      way: sends.map(() => 0),
      handled: sends.map((send) => {
        const handler = events.findIndex(({ mail, kind }) => mail === send.mail && kind === 'mail')
        return handler < 0 ? 0 : handler - events.indexOf(send)
      }),
      lost: [],
      content: sends.map(() => -1),
    },
    contents: { shapes: [], values: [] },
    rows: [],
    bars: { row: [], from: [], length: [], label: [], tone: [], object: [], area: [] },
    gaps: [],
    grid: null,
    machines: [],
    incidents: [],
    objects: [],
    ...more,
  }
}

const picturesOf = (run: ShownRun, hasWork = false): Map<string, Picture> =>
  new Map(loadPictures(run, frequentTypes([run]), hasWork).map((one) => [one.title, one]))

/** The value of a series at an instant. */
function valueAt(picture: Picture | undefined, name: string, at: number): number | undefined {
  const series = picture?.series.find((one) => one.name === name)
  return series?.points.findLast(({ x }) => x <= units(at))?.y
}

/** The number of messages in each window of a series of rates per unit of time. */
const amountsOf = (points: readonly PicturePoint[]): readonly number[] =>
  points.slice(0, -1).map(({ x, y }, i) => (y * ((points[i + 1]?.x ?? x) - x)) / units(1))

const WAITING = 'Messages sent and not yet handled'

test('messages wait from their sending until they are handled', () => {
  const waiting = picturesOf(
    runOf([
      ['a', 2, 1, 3],
      ['a', 3, 1, 3],
    ]),
  ).get(WAITING)
  assert.equal(
    [0.5, 1.5, 2.5, 3.5].map((at) => valueAt(waiting, 'all mailboxes', at)),
    [0, 2, 2, 0],
  )
  assert.equal(
    [0.5, 1.5, 2.5, 3.5].map((at) => valueAt(waiting, 'the fullest mailbox', at)),
    [0, 1, 1, 0],
  )
})

test('messages that are handled at the instant of their sending wait for each other', () => {
  const waiting = picturesOf(runOf([1, 2, 3].map(() => ['a', 2, 2, 2] as const))).get(WAITING)
  assert.equal(
    [1, 2, 3].map((at) => valueAt(waiting, 'the fullest mailbox', at)),
    [0, 3, 0],
  )
})

test('lost messages wait in no mailbox, and others that nobody handles wait to the end', () => {
  const run = runOf([
    ['a', 2, 1, null],
    ['a', 2, 2, null],
    ['a', 2, 3, null],
  ])
  const waiting = (sends: Partial<ShownRun['sends']>) =>
    valueAt(picturesOf({ ...run, sends: { ...run.sends, ...sends } }).get(WAITING), 'all mailboxes', 4)
  assert.is(waiting({}), 3)
  assert.is(waiting({ lost: [0, 1] }), 2)
  assert.is(waiting({ lost: [0, 1], way: [0, -1, 0] }), 1)
})

test('the five most frequent types have areas of their own, and the sum of all areas is the number of messages', () => {
  const mails = ['f', 'a', 'b', 'c', 'd', 'e', 'g'].flatMap((type, i): Mail[] =>
    Array.from({ length: type === 'f' || type === 'g' ? 1 : 9 - i }, (): Mail => [type, 2, 1, 2]),
  )
  const sent = picturesOf(runOf(mails)).get('Messages sent')
  assert.equal(
    sent?.series.map(({ name, shape }) => `${name} ${shape}`),
    ['a', 'b', 'c', 'd', 'e', 'others'].map((name) => `${name} area`),
  )
  const amounts = sent?.series.map(({ points }) => sum(amountsOf(points)))
  assert.equal(
    amounts?.map((amount) => Math.round(amount)),
    [8, 7, 6, 5, 4, 2],
  )
})

test('a type that is called others is counted once, apart from the others', () => {
  const types = ['others', 'a', 'b', 'c', 'd', 'rare']
  const mails = types.flatMap((type, i) => Array.from({ length: 9 - i }, (): Mail => [type, 2, 1, 2]))
  const sent = picturesOf(runOf(mails)).get('Messages sent')
  assert.equal(
    sent?.series.map(({ name, points }) => [name, Math.round(sum(amountsOf(points)))]),
    [
      ['others', 9],
      ['a', 8],
      ['b', 7],
      ['c', 6],
      ['d', 5],
      ['all others', 4],
    ],
  )
})

test('the utilisation is the share of time with a bar, if the protocol says what work is', () => {
  const run = runOf([['a', 2, 1, 2]])
  const [works, down] = [run.texts.indexOf('works'), run.texts.indexOf('down')]
  const bars = {
    ...run.bars,
    row: [0, 0, 1],
    from: [0, 2, 0].map(units),
    length: [2, 2, 4].map(units),
    label: [0, 0, 0],
    tone: [works, down, works],
    object: [0, 0, 0],
  }
  const worked = { ...run, rows: ['m1', 'm2'], bars }
  const utilisation = picturesOf(worked, true).get('Utilisation')
  assert.equal(
    [1, 3].map((at) => ['m1', 'm2'].map((row) => valueAt(utilisation, row, at))),
    [
      [1, 1],
      [0, 1],
    ],
  )
  assert.is(picturesOf(worked, false).get('Utilisation'), undefined)
  assert.is(picturesOf({ ...worked, bars: { ...bars, tone: [down, down, down] } }, true).get('Utilisation'), undefined)
  const many = picturesOf({ ...worked, rows: ['m1', 'm2', 'm3', 'm4', 'm5'] }, true).get('Utilisation')
  assert.equal(
    many?.series.map(({ name }) => name),
    ['mean of 5', 'the busiest: m2', 'the least busy: m5'],
  )
  assert.is(valueAt(many, 'mean of 5', 1), 2 / 5)
})

test('all runs of a page have windows of one width, and the page says it', () => {
  const mails = [1, 2, 3].map((at): Mail => ['a', 2, at, at])
  const [short, long] = [
    runOf(mails, { name: 'short' }),
    runOf(mails, { name: 'long', until: units(100), seen: units(100) }),
  ]
  const widthsOf = (run: ShownRun): readonly number[] => {
    const [first = { x: 0 }, second = { x: 0 }] =
      loadPictures(run, ['a'], false, units(100))[0]?.series[0]?.points ?? []
    return [first.x, second.x]
  }
  // a shorter run ends within the first window
  assert.equal(widthsOf(long), [0, 4_096_000])
  assert.equal(widthsOf(short), [0, units(4)])
  const read = [short, long].map((run) => ({
    run,
    pictures: { name: run.name, pictures: [], until: run.until, unit: 'ms', incidents: [], tones: [] },
    hasWork: false,
  }))
  const load = shownLoad(read, true)
  assert.equal(load?.notes, ['Each step covers 4.1 ms, in all runs.'])
  assert.match(JSON.stringify(load?.pictures), /time 0 to 4: a/, 'the whole of the short run is one window')
})

test('a run without messages and work has no load', async () => {
  const run = runOf([], { until: 0, seen: 0 })
  const pictures = { name: '', pictures: [], until: 0, unit: 'ms', incidents: [], tones: [] }
  assert.is(shownLoad([{ run, pictures, hasWork: false }], true), undefined)
})

test('the load of a market is small, and says where the page cuts off the messages', async () => {
  const lines = await marketLines({ tasks: 60 })
  const whole = shownLoad([await readRun({ name: '', lines, page: marketPage }, LIMITS)], false)
  assert.equal(
    whole?.pictures.map(({ title }) => title),
    ['Utilisation', 'Messages sent', WAITING],
  )
  assert.match(whole?.notes.join('\n') ?? '', /^Each step covers [\d.]+ \w+\.$/)
  const size = JSON.stringify(whole).length
  assert.ok(size < 60_000, `${size} characters`)
  const cut = shownLoad([await readRun({ name: '', lines, page: marketPage }, { ...LIMITS, events: 500 })], false)
  assert.match(cut?.notes[1] ?? '', /^messages are drawn up to time [\d.]+ of [\d.]+\.$/)
  const few = shownLoad([await readRun({ name: '', lines, page: marketPage }, { ...LIMITS, bars: 10 })], false)
  assert.equal(
    few?.pictures.map(({ title }) => title),
    ['Messages sent', WAITING],
  )
})

test.run()
