/** The times of a report page in a real browser: to make it, to load it, and to draw a frame with many events. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { termsOf } from '../../scenarios/bidding/model.ts'
import { browserAt, chromiumPath, NO_BROWSER } from '../report/browser/chromium.ts'
import { reportWith, writePage } from '../report/browser/pages.ts'
import { costOf, digits, type Measure, median, type Row } from './measure.ts'

const SPEEDS = [4, 1, 1, 1, 1]
/** The tasks of markets whose runs have at least a given number of events. */
const SIZES = [
  { events: 10_000, tasks: 440 },
  { events: 100_000, tasks: 4_400 },
]

async function linesOf(tasks: number): Promise<Iterable<Line>> {
  const generated = generateJobs({ seed: 1, tasks, load: 0.5, speeds: SPEEDS, errors: 'perfect' })
  const jobs = withClients(generated, ['c1'], 1)
  let lines: () => Iterable<Line> = () => []
  await biddingMarket.run(
    { protocol: 'dsp', speeds: SPEEDS, clients: ['c1'], jobs, terms: termsOf('dsp', 0) },
    { runtime: 'inline', record: true },
    [],
    {
      onSystem: (system) => {
        lines = () => system.recorded()
      },
    },
  )
  return lines()
}

/** Shows all events, redraws the picture in every frame, and returns the milliseconds between frames. */
const FRAMES = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const canvas = document.querySelector('#diagram')
  const press = (key) => canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  press('0')
  let last = await frame()
  const took = []
  for (let i = 0; i < 24; i++) {
    press('0')
    const now = await frame()
    if (i > 3) took.push(now - last)
    last = now
  }
  return JSON.stringify({ took, sight: document.querySelector('#sight').textContent })
})()`

async function rowsOf(events: number, tasks: number, executablePath: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'))
  const browser = await browserAt(executablePath)
  try {
    const lines = await linesOf(tasks)
    const path = join(folder, 'page.html')
    const made = await costOf(async () => {
      await writePage(path, await reportWith([{ name: '', lines, page: processorTimeline() }]))
    })
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    const there = await costOf(async () => {
      await page.goto(`file://${path}`)
      await page.waitForFunction(`document.querySelector('#sight')?.textContent !== ''`)
    })
    const { took, sight }: { took: number[]; sight: string } = JSON.parse(String(await page.evaluate(FRAMES)))
    const size = `${digits(statSync(path).size / 1e6)} MB`
    return [
      { name: `report of ${events} events: page made`, ours: `${digits(made.ms)} ms`, other: size },
      { name: `report of ${events} events: page there`, ours: `${digits(there.ms)} ms`, other: '' },
      {
        name: `report of ${events} events: frame, ${sight.split('.')[0]}`,
        ours: `${digits(median(took))} ms`,
        other: '',
      },
    ]
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}

export const report: readonly Measure[] = [
  {
    name: 'report',
    run: async ({ quick }) => {
      const path = chromiumPath()
      if (path === undefined) return [{ name: 'report', ours: 'not run', other: NO_BROWSER }]
      const rows: Row[] = []
      for (const { events, tasks } of quick ? SIZES.slice(0, 1) : SIZES)
        rows.push(...(await rowsOf(events, tasks, path)))
      return rows
    },
  },
]
