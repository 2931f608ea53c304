/**
 * Jobs share a mesh of processors in rectangles (McCann 1994), by a script or with random arrivals. Without flags it
 * runs a short script.
 */
import { meshTimeline } from '../../actors/mesh/timeline.ts'
import { type Invocation, type Outcome, resultFile, runMain, systemOptions } from '../../lib/cli/index.ts'
import { mishapsOf, missedLines } from '../mishaps.ts'
import { demonstrate } from './demonstration.ts'
import { svgOfSteps } from './drawing.ts'
import { flags } from './flags.ts'
import { runMesh } from './one-run.ts'
import { arrivedOf, checksOf, jobsCsv, stepsOf } from './results.ts'
import { type Options, setUp } from './setup.ts'
import { arrivedText, stepText } from './tables.ts'

async function runOnce(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, note, progress, onSystem, byHand } = invocation
  const { policy, mesh, seed } = options
  const setup = setUp(options)
  const writeJobs = resultFile(options.jobsOut, '--jobs-out')
  const writeSvg = resultFile(options.svg, '--svg')
  const how = systemOptions(options, setup.about)
  const isScript = setup.ops.length > 0
  const coming = isScript ? setup.ops.length : setup.jobs.length
  note(`mesh/run, ${policy}, seed ${seed}: ${coming} ${isScript ? 'operations' : 'jobs'}`)
  const run = await runMesh(setup.multicomputer, how, setup.faults, {
    onSystem,
    onDone: (done) => !isScript && progress(done, coming, `${done} jobs`),
  })
  writeJobs(jobsCsv(setup, run))
  const [checks, messages] = [checksOf({ ...setup, faults: [...setup.faults, ...byHand()] }, run), run.messages]
  const mishaps = mishapsOf(run)
  const missed = missedLines(run).map((line) => `${line}\n`)
  if (!isScript) {
    const arrived = arrivedOf(setup, run)
    const text = [arrivedText(policy, arrived), ...missed].join('')
    return { results: { ...arrived, ...mishaps }, checks, messages, text }
  }
  const steps = stepsOf(setup, run.watch)
  const drawn = svgOfSteps(mesh, policy, steps)
  writeSvg(drawn)
  const text = [...steps.map((step) => `${stepText(mesh, step)}\n`), ...missed].join('')
  const charts = [{ title: `Partitions under ${policy}`, says: 'The text has them too.', svg: drawn }]
  return { results: { steps, ...mishaps }, checks, messages, text, exhibits: { charts } }
}

await runMain({
  name: 'mesh/run',
  summary:
    'Jobs share a mesh of processors by rectangles, under EQUI, EQUI+ or folding (McCann 1994); times in seconds.',
  flags,
  timeline: meshTimeline,
  main: (invocation) => (invocation.isDemonstration ? demonstrate(invocation) : runOnce(invocation)),
})
