import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runAlike } from '../../lib/cli/determinism.ts'
import type { Check } from '../../lib/cli/index.ts'
import { Graph } from '../../lib/report/graph.ts'
import { runScenario } from '../bidding/command.ts'
import { sampled } from '../repeats.ts'
import { elementIn, runsIn, textOf } from '../report/html.ts'

const test = suite('--check-determinism')

const SCENARIOS = [
  ['bidding/market', '--tasks', '8', '--latency', '1', '--protocol', 'eager', '--kill', 'contractor@m2 at 3'],
  ['bidding/market', '--tasks', '8', '--latency', '1', '--loss', '0.1', '--reliable', '--schedule', '7'],
  ['shares/stride', '--quanta', '20'],
  ['shares/cluster', '--until', '4000', '--machines', '2'],
  ['shares/placer', '--latency', '1', '--fault', 'restart user@u at 30'],
  ['shares/coscheduling', '--machines', '2', '--warm-up', '100', '--measure', '100', '--timeline', '0'],
] as const

for (const [name, ...args] of sampled(SCENARIOS)) {
  test(`finds equal traces on threads and inline: ${name} ${args.join(' ')}`, async () => {
    const { code, stdout } = await runScenario(name, [...args, '--check-determinism', '--json'])
    const { checks }: { checks: Check[] } = JSON.parse(stdout)
    const alike = checks.filter((check) => check.name.startsWith('the trace of a run'))
    assert.equal(
      alike.map(({ ok }) => ok),
      [true, true, true],
    )
    assert.is(code, 0)
  })
}

const given = new Map<string, readonly string[]>()
const ignore = (): void => {}

test('names the first different line of a trace', async () => {
  let runs = 0
  const { outcome, differing } = await runAlike(
    given,
    async (how) => {
      writeFileSync(how.get('trace')?.[0] ?? '', `head\nstep ${runs++ === 2 ? 'two' : 'one'}\n`)
      const checks: readonly Check[] = []
      return { checks }
    },
    ignore,
  )
  const { checks } = outcome
  assert.equal(
    checks.map(({ ok }) => ok),
    [true, false, true],
  )
  assert.is(checks[1]?.measured, 'differs from line 2: step two')
  assert.equal(checks[1]?.evidence, ['the first run has there: step one'])
  assert.equal(differing, [])
})

test('shows on a page the first run beside the one that differs, both at the first difference', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-unsteady-'))
  try {
    const page = join(folder, 'page.html')
    const program = '../test/fixtures/cli/unsteady'
    const { code, stdout } = await runScenario(program, ['--check-determinism', '--report', page])
    assert.is(code, 1, stdout)
    assert.match(stdout, /FAILED the trace of a run on inline against the first, on threads: differs from line \d+: /)
    const html = readFileSync(page, 'utf8')
    assert.match(textOf(elementIn(html, 'failures')), 'the first run has there: {"t":"spawn"')
    const { runs } = runsIn(html)
    assert.equal(
      runs.map(({ name }) => name),
      ['The first run, on threads', 'The third run, inline'],
    )
    // the client is spawned with another input, which is its first difference
    for (const run of runs) assert.is(new Graph(run).name(run.focus), 'spawn client@c1, incarnation 1')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('is refused in real time, with --trace and with --runtime', async () => {
  for (const flags of [
    ['--time', 'real'],
    ['--trace', 'x.jsonl'],
    ['--runtime', 'pool'],
  ]) {
    const { code, stderr } = await runScenario('bidding/market', ['--check-determinism', ...flags])
    assert.is(code, 2)
    assert.match(stderr, /^bourse: --check-determinism (needs|cannot)/)
  }
})

test.run()
