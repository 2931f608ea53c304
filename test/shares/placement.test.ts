/** Figures 6, 7, 10 and 11 as runs, compared with fluid shares; and the command that shows them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mean } from 'simple-statistics'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/core/time.ts'
import { QUERIES } from '../../scenarios/shares/paper/placement.ts'
import {
  PARALLEL,
  problemsOf,
  problemsOfRun,
  runVariant,
  SEQUENTIAL,
  type Setting,
  type VariantRun,
} from '../../scenarios/shares/placement/measure.ts'
import { runPlacements } from '../../scenarios/shares/placement/one-run.ts'
import { evennessOf } from '../../scenarios/shares/placement/random.ts'
import {
  VARIANTS_6,
  VARIANTS_7,
  VARIANTS_10,
  VARIANTS_11,
  type Variant,
} from '../../scenarios/shares/placement/variants.ts'
import { runScenario } from '../bidding/command.ts'
import { RUNTIMES } from '../system/harness.ts'
import { TIE } from './golden/tie.ts'

const files = mkdtempSync(join(tmpdir(), 'bourse-placement-'))

/** Quantum boundaries do not fall on the ends of these scenes. */
const UNEVEN: Setting = { ...SEQUENTIAL, length: units(1237) }

for (const runtime of RUNTIMES) {
  for (const [figure, stories] of [
    [6, VARIANTS_6],
    [7, VARIANTS_7],
  ] as const) {
    for (const story of stories) {
      test(`figure ${figure}, ${story.what}: exact tickets, and time within a quantum in every scene (${runtime})`, async () => {
        const told = await runVariant(story, UNEVEN, { seed: 1, runtime })
        assert.equal(problemsOf(told), [])
        for (const [n, { what, jobs }] of told.phases.entries()) {
          for (const { job, used } of jobs) {
            const error = Math.abs((used[0] ?? 0) - (story.phases[n]?.shares[job.name] ?? 0))
            assert.ok(error * UNEVEN.length <= UNEVEN.sharing.quantum, what)
          }
        }
      })
    }
  }

  for (const [figure, stories] of [
    [10, VARIANTS_10],
    [11, VARIANTS_11],
  ] as const) {
    for (const story of stories) {
      test(`figure ${figure}, ${story.what}: exact tickets at every instant of a parallel job (${runtime})`, async () => {
        const setting = { ...PARALLEL, warmUp: units(500), length: units(2000) }
        const told = await runVariant(story, setting, { seed: 3, runtime })
        assert.equal(problemsOf(told), [])
        const z = told.phases[0]?.jobs.find(({ job }) => job.name === 'Z')
        assert.ok((z?.rate ?? 0) > 0.02, `${z?.rate} rounds in a millisecond`)
      })
    }
  }
}

const one = (told: VariantRun, name: string) => told.phases[0]?.jobs.find(({ job }) => job.name === name)

test('figure 10: the time that Z leaves on machines with fewer tickets goes to the others there, and Z hardly gains', async () => {
  const setting = { ...PARALLEL, warmUp: units(2000), length: units(20_000) }
  const [low, high] = await Promise.all(
    VARIANTS_10.map((story: Variant) => runVariant(story, setting, { seed: 1, runtime: 'inline' })),
  )
  if (!low || !high) throw new Error('two stories')
  const ratio = (one(high, 'Z')?.rate ?? 0) / (one(low, 'Z')?.rate ?? 0)
  // the spec has 0.3013 / 0.3386
  assert.ok(ratio > 0.8 && ratio < 1, String(ratio))
  for (const name of ['E', 'G', 'H', 'I']) assert.ok((one(low, name)?.used[0] ?? 0) > 0.49)
  for (const name of ['E', 'G', 'H', 'I']) assert.ok((one(high, name)?.used[0] ?? 1) < 0.37)
})

test('a tie of tickets goes to the fewest jobs, then to the first', async () => {
  const split = (tickets: number, jobs: number) => Array.from({ length: jobs }, () => tickets / jobs)
  const there = TIE.nodes.flatMap(([tickets, jobs], i) =>
    split(tickets, jobs).map((part, n) => ({
      name: `n${i}.${n}`,
      tickets: part === 100 ? 100 : ([40, 30, 30][n] ?? 0),
      on: [i + 1],
    })),
  )
  for (const ask of [null, 3]) {
    const run = await runPlacements(
      {
        machines: 3,
        sharing: SEQUENTIAL.sharing,
        jobs: [...there, { name: 'x', tickets: 100 }],
        terms: { ask, balance: 'tickets' },
      },
      { runtime: 'inline', memoryMB: 8 },
      { until: units(100) },
    )
    assert.equal(run.heard.get('x')?.placed, [[`m${TIE.byTickets}`]])
  }
})

for (const { asked, most, deviation, tolerance } of QUERIES.slice(0, 4)) {
  test(`asking ${asked} of 100 at random: the fullest machine, and how uneven they are`, async () => {
    const found = []
    for (const seed of [1, 2, 3]) found.push(await evennessOf(asked, { seed, runtime: 'inline' }))
    const measured = mean(found.map((evenness) => evenness.most))
    assert.ok(Math.abs(measured - most) <= tolerance, `${measured} is not ${most}`)
    const spread = mean(found.map((evenness) => evenness.deviation))
    assert.ok(Math.abs(spread - deviation) <= 0.15 * deviation, `${spread} is not ${deviation}`)
    assert.equal(
      found.flatMap(({ run }) => problemsOfRun(run)),
      [],
    )
  })
}

test('asking all machines places the same number of jobs on each', async () => {
  const { most, deviation } = await evennessOf(100, { seed: 1, runtime: 'inline' })
  assert.equal([most, deviation], [1, 0])
})

test('the command gives the figures as JSON, and processor time per job and machine', async () => {
  const file = join(files, 'jobs.csv')
  const { code, stdout } = await runScenario('shares/placement', [
    '--figure',
    '7',
    '--json',
    '--quiet',
    '--jobs-out',
    file,
  ])
  assert.is(code, 0)
  const { results, checks } = JSON.parse(stdout)
  assert.ok(checks.length > 0)
  const greedy = results.figure7.stories[1].scenes
  const of = (scene: number, name: string) => greedy[scene].jobs.find(({ job }: { job: string }) => job === name)
  assert.equal([of(0, 'A2').machines, of(1, 'E').machines], [['m1'], ['m4']])
  assert.ok(Math.abs(of(1, 'A1').fluid - 1 / 3) < 1e-12)
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  assert.is(head, 'figure,run,seed,job,machine,cpu')
  assert.is(lines.length, 12)
})

test('an unknown figure is reported in one line, with exit code 2', async () => {
  const { code, stderr } = await runScenario('shares/placement', ['--figure', '8'])
  assert.is(code, 2)
  assert.is(stderr, 'bourse: --figure must be 6, 7, 10, 11, random or all, not "8"\n')
})

test.after(() => rmSync(files, { recursive: true }))
test.run()
