/**
 * Real work on the market: a picture is rendered in tiles, and compared with the same picture rendered in one thread.
 */

import { setImmediate } from 'node:timers/promises'
import { machineOf, toUnits, units } from '../../lib/actor.ts'
import {
  faultsOf,
  type Invocation,
  type OptionsOf,
  type Outcome,
  resultFile,
  runMain,
  systemOptions,
  UsageError,
} from '../../lib/cli/index.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import { jobsCsv } from '../../lib/workload/jobs-out.ts'
import { isClientFact } from './oracle/ledger.ts'
import { marketPage } from './page.ts'
import '../registered.ts'
import { biddingMarket } from './market.ts'
import { addressesOf, type Market, termsOf } from './model.ts'
import { checksOf, isLossy } from './oracle.ts'
import { requirePatience } from './patience.ts'
import { flags } from './render/flags.ts'
import { Gallery } from './render/gallery.ts'
import { type Pixels, place, render, type Size, type Tile, tilesOf } from './render/picture.ts'
import { png } from './render/png.ts'
import { renderChecks, renderResults, renderTable } from './render/report.ts'
import { rowsOf } from './results.ts'
import { machineTable } from './tables.ts'

type Options = OptionsOf<typeof flags>

const PICTURE = new URL('./render/picture.ts', import.meta.url)

/** The least wait for bids, because threads cannot keep waits of less than some milliseconds. */
const THREADS_WAIT = units(5)

function requireSense(options: Options): void {
  const { size, tiles } = options
  const least = Math.min(size.width, size.height)
  if (tiles > least) throw UsageError.invalid('--tiles', `at most ${least}`, String(tiles), 'each has a pixel or more')
  requirePatience(options)
}

function marketOf(options: Options, tiles: readonly Tile[]): Market {
  const { protocol, speeds, size, interval, estimate, latency, jitter, query, timeout, silence, cutoff } = options
  const jobs = tiles.map((tile, i) => ({
    id: String(i),
    client: 'c1',
    arrival: i * interval,
    estimate,
    work: { module: PICTURE.href, export: 'render', args: [size, tile] },
  }))
  const delay = latency + jitter
  const wait = 2 * delay + THREADS_WAIT
  const terms = termsOf(protocol, delay, {
    wait,
    retry: protocol === 'dsp' ? null : 5 * wait,
    query,
    timeout,
    silence,
    cutoff,
  })
  return { protocol, speeds, clients: ['c1'], jobs, terms }
}

/** Renders the picture in this thread, tile by tile, so that an interrupt is handled in between. */
async function renderAlone(size: Size, tiles: readonly Tile[]): Promise<{ pixels: Pixels; seconds: number }> {
  const pixels = new Uint8Array(3 * size.width * size.height)
  const began = performance.now()
  for (const tile of tiles) {
    place(pixels, size, tile, render(size, tile))
    await setImmediate()
  }
  return { pixels, seconds: (performance.now() - began) / 1000 }
}

/** Notes deaths and failures on stderr. */
function watch(system: System, note: (text: string) => void): void {
  const say = (text: string) => note(`  ${toUnits(system.now).toFixed(0).padStart(5)}  ${text}`)
  system.onDeath(({ address, cause }) => say(`${address} is dead (${cause.message})`))
  system.onFact((fact, { who }) => {
    if (!isClientFact(fact, who) || fact.type !== 'failed') return
    const machine = machineOf(fact.contractor)
    const why =
      fact.reason === 'silent'
        ? `gets no answer for tile ${fact.task} from ${machine}`
        : `hears that ${machine} lost tile ${fact.task}`
    say(`${who} ${why}, and announces it again`)
  })
}

async function runOnce(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note, progress, onSystem, byHand } = invocation
  requireSense(options)
  const { seed, size, speeds, protocol, scale, out, jobsOut } = options
  const tiles = tilesOf(size, options.tiles)
  const market = marketOf(options, tiles)
  const faults = faultsOf(options, addressesOf(market))
  const writePicture = resultFile(out, '--out')
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  const about = { scenario: 'bidding/render', protocol, speeds, size, tiles: tiles.length, terms: market.terms }
  const how = systemOptions(options, { ...about, faults: faults.map(printFault) })
  note(`bidding/render, ${protocol}, seed ${seed}: ${tiles.length} tiles of ${size.width} x ${size.height} pixels`)
  const gallery = new Gallery(size, tiles)
  const run = await biddingMarket.run(market, how, faults, {
    onSystem: (system) => {
      onSystem(system)
      watch(system, note)
      system.onFact((fact, { who }) => {
        if (isClientFact(fact, who)) gallery.hear(fact)
      })
    },
    onDone: (done) => progress(done, tiles.length, `${done} of ${tiles.length} tiles`),
  })
  writePicture(png(size, gallery.pixels))
  writeJobs(jobsCsv(rowsOf(market, run)))
  note('rendering the same picture in one thread')
  const alone = await renderAlone(size, tiles)
  const results = renderResults(market, run, gallery, alone, scale)
  return {
    results: { ...results, picture: out, deadLetters: Object.fromEntries(run.deadLetters) },
    checks: [...checksOf(market, run, isLossy(how, [...faults, ...byHand()])), ...renderChecks(gallery, results)],
    messages: run.messages,
    tables: [machineTable(market, run), renderTable(results)],
    text: `${out} is written.`,
  }
}

await runMain({
  name: 'bidding/render',
  summary: 'Real work on the market: its machines render a picture in tiles, each tile in its own thread.',
  usage: 'Always one run, in real time.',
  flags,
  page: marketPage,
  main: runOnce,
})
