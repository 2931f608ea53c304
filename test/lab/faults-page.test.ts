/** The page of a failing fault plan: its shrunk run beside the nearest run that keeps all promises. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Graph } from '../../lib/report/graph.ts'
import { type Recorded, shownRun } from '../../lib/report/model.ts'
import { BROKE, type ShownRun } from '../../lib/report/types.ts'
import { planRunner } from '../../lib/scenario/fault-plans.ts'
import { textOf as sayOf } from '../../lib/scenario/page.ts'
import type { Scenario } from '../../lib/scenario/scenario.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { FAULT_PLANS } from '../../scenarios/bidding/fault-plans.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { planExhibit } from '../../scenarios/lab/faults/exhibit.ts'
import { runScenario } from '../bidding/command.ts'
import { elementIn, runsIn, textOf } from '../report/html.ts'

const test = suite('the page of a failing fault plan')

const COUNTING = 'test/fixtures/counting/counting.ts'
const folder = mkdtempSync(join(tmpdir(), 'bourse-plans-'))
test.after(() => rmSync(folder, { recursive: true }))

/** Runs fault plans of the counting scenario; returns what the page says of the failure, and its runs. */
async function pageOf(...args: readonly string[]) {
  const path = join(folder, 'plans.html')
  const shared = ['--plans', '1', '--threads', '0', '--quiet', '--report', path]
  const { code, stdout } = await runScenario('lab/faults', [COUNTING, ...shared, ...args])
  assert.is(code, 1, stdout)
  const html = readFileSync(path, 'utf8')
  return { said: textOf(elementIn(html, 'failures')), story: textOf(elementIn(html, 'story')), runs: runsIn(html).runs }
}

const focusIn = (run: ShownRun): string => {
  const graph = new Graph(run)
  return `${graph.laneName(graph.lane(run.focus))} ${graph.name(run.focus)}`
}

test('shows the run beside the one without the fault that matters, both at the step that breaks the promise', async () => {
  const { said, story, runs } = await pageOf('--forgetful', '--only', 'restarts', '--from', '5')
  const [failing, passing] = runs
  assert.ok(failing && passing)
  assert.is(failing.name, 'Fails: an addition is counted once')
  assert.is(passing.name, 'Holds without: restart client@c3 at 13.6')
  assert.is(focusIn(failing), 'counter@hub add')
  assert.ok((new Graph(failing).flags[failing.focus] ?? 0) & BROKE)
  assert.match(
    story,
    /^The promise "an addition is counted once" breaks at [\d.]+, when counter@hub#2 handles add from /,
  )
  assert.match(story, /It takes 4 faults.*restart client@c3 at 13\.6\. The run next to it/)
  const [bad, good] = [new Graph(failing), new Graph(passing)]
  assert.ok((good.at[passing.focus] ?? Infinity) <= (bad.at[failing.focus] ?? 0))
  assert.match(said, 'what is left of restarts, plan 5 of seed 1: 4 of 4 timed faults')
  assert.match(said, "--fault 'restart client@c3 at 13.6' --forgetful --runtime inline")
})

test('shows the run without losses beside one that lost messages, also under a hashed order', async () => {
  const { said, runs } = await pageOf('--times=1', '--only', 'losses', '--from', '6')
  assert.equal(
    runs.map(({ name }) => name),
    ['Fails: every addition is counted', 'Holds without: faults, losses, duplicates and jitter'],
  )
  assert.match(said, '0 of 0 timed faults')
  assert.match(said, /--seed \d+ --schedule \d+ --loss 0\.\d+ --duplicate 0\.\d+ --times 1 --runtime inline/)
})

const MORTAL = 'no processor dies'

/** A specification with a promise that any kill of a processor breaks. */
const immortal = (specification: Specification): Specification => ({
  ...specification,
  only: (tasks) => immortal(specification.only(tasks)),
  async open(system) {
    await specification.open(system)
    const broken = (who: string) => ({ property: MORTAL, text: `${who} did` })
    return { violations: ({ dead }) => [...dead].filter((who) => who.startsWith('processor')).map(broken) }
  },
})

test('shrinks a plan of a family, whose command repeats the whole plan', async () => {
  const specify: typeof biddingMarket.specify = (...given) => immortal(biddingMarket.specify(...given))
  const scenario: Scenario = {
    ...biddingMarket,
    faultPlans: () => planRunner(FAULT_PLANS, { specify, run: biddingMarket.run }),
  }
  const subject = { name: 'bidding/market', scenario, given: new Map() }
  const { evidence, repeat, runs } = await planExhibit(
    subject,
    { kind: 'eager kills', runtime: 'inline', seed: 1, n: 2 },
    {},
  )
  const [broken = '', left = '', fault] = evidence.map(sayOf)
  assert.match(broken, /^no processor dies: processor@m\d+ did$/)
  assert.match(left, /^what is left of eager kills, plan 2 of seed 1: 1 of \d+ timed faults and 1 of 20 tasks$/)
  assert.match(repeat, "lab/faults.ts bidding/market --seed 1 --only 'eager kills' --from 2 --plans 1 --threads 0")
  const [failing, passing] = await Promise.all(runs.map((run: Recorded) => shownRun(run)))
  assert.ok(failing && passing)
  assert.is(focusIn(failing), `system fault: ${fault}`)
  assert.is(passing.name, `Holds without: ${fault}`)
  assert.is.not(passing.focus, -1)
})

test.run()
