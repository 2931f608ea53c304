/** Bars over time, from facts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { meshTimeline } from '../../actors/mesh/timeline.ts'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import type { Message } from '../../lib/core/data.ts'
import { UNIT } from '../../lib/core/time.ts'
import { Bars } from '../../lib/report/bars.ts'
import { Texts } from '../../lib/report/contents.ts'
import { LIMITS, shownRun } from '../../lib/report/model.ts'
import type { ShownRun } from '../../lib/report/types.ts'
import type { Timeline } from '../../lib/scenario/timeline.ts'
import { type Line, TRACE_VERSION } from '../../lib/trace/lines.ts'
import { marketLines } from '../trace/traces.ts'

/** Formats a bar as `row: label, tone, from-until`, in units. */
const barsIn = ({ rows, bars, texts }: ShownRun): string[] =>
  bars.row.map((row, i) => {
    const [from = 0, length = 0] = [bars.from[i], bars.length[i]]
    const [label, tone] = [texts[bars.label[i] ?? 0], texts[bars.tone[i] ?? 0]]
    return `${rows[row]}: ${label}, ${tone}, ${from / UNIT}-${(from + length) / UNIT}`
  })

/** A run of an actor that reports facts at whole units, dies at 50 and is restarted at 60; the run ends at 70. */
async function observing(
  who: string,
  facts: readonly (readonly [at: number, fact: Message])[],
  timeline: () => Timeline,
) {
  const spawn = { t: 'spawn', who, slot: 1, module: 'nowhere.ts', input: null }
  const lines: Line[] = [
    { t: 'trace', version: TRACE_VERSION, seed: 1 },
    { ...spawn, at: 0, life: 0 },
    { t: 'start', at: 0, who },
    ...facts.flatMap(([at, fact], n): Line[] => [
      { t: 'timer', at: at * UNIT, who, id: 't', n, kind: 'protocol', event: { type: 'x' } },
      { t: 'fact', at: at * UNIT, who, fact },
    ]),
    { t: 'died', at: 50 * UNIT, who, cause: 'Killed', message: '' },
    { ...spawn, at: 60 * UNIT, life: 1 },
    { t: 'start', at: 70 * UNIT, who },
  ]
  return barsIn(await shownRun({ name: '', lines, page: timeline }))
}

test('executions are bars by the way they ended, and a death ends open ones', async () => {
  const bars = await observing(
    'processor@m1',
    [
      [1, { type: 'started', task: 3, attempt: 1, work: 5 }],
      [4, { type: 'finished', task: 3, attempt: 1, busy: 3 }],
      [5, { type: 'started', task: 4, attempt: 2, work: 5 }],
      [7, { type: 'finished', task: 4, attempt: 2, busy: 2 }],
      [7, { type: 'started', task: 5, attempt: 1, work: 5 }],
      [9, { type: 'aborted', task: 5, attempt: 1, busy: 2 }],
      [40, { type: 'started', task: 6, attempt: 1, work: 50 }],
    ],
    processorTimeline(),
  )
  assert.equal(bars, [
    'm1: task 3, finished, 1-4',
    'm1: task 4, attempt 2, finished, a later attempt, 5-7',
    'm1: task 5, aborted, 7-9',
    'm1: task 6, lost in a death, 40-50',
    'm1: down, down, 50-60',
  ])
})

test('bars of shared time are made when a quantum is over', async () => {
  const ran = (job: string): Message => ({ type: 'ran', job, used: 3 * UNIT, switching: UNIT, pass: 0 })
  const facts = [[4, ran('A1')] as const, [8, ran('B1')] as const]
  const bars = await observing('processor@m2', facts, processorTimeline({ toneOf: (job) => job.slice(0, 1) }))
  assert.equal(bars, ['m2: A1, A, 0-4', 'm2: B1, B, 4-8', 'm2: down, down, 50-60'])
})

test('the time that a job spun at a barrier has bars of its own', async () => {
  const ran = (job: string, used: number): Message => ({
    type: 'ran',
    job,
    used: used * UNIT,
    switching: UNIT,
    pass: 0,
  })
  const spun = (lasted: number): Message => ({ type: 'spun', job: 'A', lasted: lasted * UNIT })
  const facts = [
    [4, spun(1)] as const,
    [9, spun(2)] as const,
    [9, ran('A', 8)] as const,
    [12, ran('B', 2)] as const,
    [20, spun(3)] as const,
  ]
  assert.equal(await observing('processor@m2', facts, processorTimeline()), [
    'm2: A, A, 0-3',
    'm2: A spins, spinning, 3-4',
    'm2: A, A, 4-7',
    'm2: A spins, spinning, 7-9',
    'm2: B, B, 9-12',
    'm2: down, down, 50-60',
  ])
})

test('a job on a mesh has bars for waiting, moving and computing, with its partition', async () => {
  const partition = { row: 0, column: 4, rows: 2, columns: 4 }
  const bars = await observing(
    'job@j1',
    [
      [1, { type: 'began', job: 7, attempt: 1 }],
      [2, { type: 'moved', partition, took: 0 }],
      [5, { type: 'resumed', pace: 1 }],
      [9, { type: 'stopped' }],
      [12, { type: 'ended', job: 7, attempt: 1, left: 0 }],
    ],
    meshTimeline,
  )
  assert.equal(bars.slice(0, 4), [
    'job 7: job 7 waits, waiting, 1-2',
    'job 7: job 7 moves to 0,4 2x4, moving, 2-5',
    'job 7: job 7 computes on 0,4 2x4, computing, 5-9',
    'job 7: job 7 waits, waiting, 9-12',
  ])
})

test('the bars of a market cover all time of a machine, and none twice', async () => {
  const lines = await marketLines({ tasks: 12, faults: ['kill @m1 at 60', 'restart @m1 at 120'] })
  const run = await shownRun({ name: '', lines, page: processorTimeline() })
  assert.equal(run.rows, ['m1', 'm2', 'm3'])
  assert.ok(barsIn(run).includes('m1: down, down, 60-120'), barsIn(run).join('\n'))
  for (const [row] of run.rows.entries()) {
    const own = [...run.bars.row.keys()].filter((bar) => run.bars.row[bar] === row)
    const ends = own.map((bar) => (run.bars.from[bar] ?? 0) + (run.bars.length[bar] ?? 0))
    assert.ok(own.every((bar, i) => i === 0 || (run.bars.from[bar] ?? 0) >= (ends[i - 1] ?? 0)))
  }
})

test('bars beyond the limit are counted', async () => {
  const lines = await marketLines({ tasks: 12 })
  const run = await shownRun({ name: '', lines, page: processorTimeline() }, { ...LIMITS, bars: 5 })
  assert.is(run.bars.row.length, 5)
  assert.match(run.omissions.join(), /The last \d+ bars of the timeline did not fit on the page\./)
})

test('the time of bars beyond the limit is a gap of their row, and no idle time', async () => {
  const page = processorTimeline()
  const lines = await marketLines({ tasks: 12 })
  const all = await shownRun({ name: '', lines, page })
  assert.equal(all.gaps, [])
  const cut = await shownRun({ name: '', lines, page }, { ...LIMITS, bars: 5 })
  const endOf = (bar: number): number => (all.bars.from[bar] ?? 0) + (all.bars.length[bar] ?? 0)
  for (const [row] of all.rows.entries()) {
    const left = [...all.bars.row.keys()].filter((bar) => bar >= 5 && all.bars.row[bar] === row)
    const from = Math.min(...left.map((bar) => all.bars.from[bar] ?? 0))
    const until = Math.max(...left.map(endOf))
    assert.equal(
      cut.gaps.filter((gap) => gap.row === row),
      left.length > 0 ? [{ row, from, length: until - from }] : [],
    )
  }
  assert.ok(cut.gaps.length > 0)
})

test('an area that lies on no grid is left out, and its bar stays', async () => {
  const row = 'm1'
  const grid = { name: 'mesh', vacant: 'empty', prefix: '' }
  const areas = [
    [0, 0, 2, 3],
    [0, 0, 5000, 5000],
    [1024, 0, 1, 1],
    [0.5, 0, 1, 1],
    [-1, 0, 1, 1],
    [0, 0, Number.NaN, 1],
    [0, 0, 1, Number.POSITIVE_INFINITY],
  ].map(([row = 0, column = 0, rows = 0, columns = 0]) => ({ row, column, rows, columns }))
  const bars = new Bars(
    {
      rowOf: () => row,
      marks: () => areas.map((area) => ({ type: 'was', row, from: 0, label: 'job', tone: 'computing', area })),
      grid,
    },
    100,
  )
  bars.fact({ type: 'placed' }, 'a@m1', 5)
  const shown = bars.shown(5, new Texts())
  assert.equal(shown.grid, { ...grid, rows: 2, columns: 3, open: 0 })
  assert.equal(shown.bars.area, [0, 0, 2, 3, ...areas.slice(1).flatMap(() => [0, 0, 0, 0])])
})

test.run()
