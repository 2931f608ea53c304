import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { racesIn } from '../../lib/explore/races.ts'
import { Replay } from '../../lib/replay/replay.ts'
import '../../scenarios/registered.ts'
import { readTrace } from '../../lib/trace/read.ts'
import { thingOf } from '../../lib/trace/run.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { sceneOf, studyScene } from '../../scenarios/lab/races/study.ts'
import { foundIn, subjectOf } from '../../scenarios/lab/subject.ts'
import { runScenario } from '../bidding/command.ts'
import { runsIn, textOf as textIn } from '../report/html.ts'

const MARKET =
  '--tasks 6 --speeds 1,1,2 --clients 2 --deal drawn --load 0.5 --latency 1 --late-bids 0.1 --query off'.split(' ')

const test = suite('scenarios/lab/races.ts')
const folder = mkdtempSync(join(tmpdir(), 'races-'))
const inFolder = (name: string) => join(folder, name)
test.after(() => rmSync(folder, { recursive: true }))

test('lists races and draws them; the printed command forces the other order, inline and on threads', async () => {
  const pictures = inFolder('pictures')
  const { code, stdout } = await runScenario('lab/races', [...MARKET, '--tries', '1', '--pictures', pictures])
  assert.is(code, 0, stdout)
  assert.match(stdout, /^pairs that could have come in the other order \d+: \d+ commute, \d+ race$/m)
  assert.match(stdout, /^client +serving +bid \/ bid +\d+ +0 +0 +they commute$/m)
  assert.ok(readdirSync(pictures).includes('race-1-other.mmd'))
  assert.match(
    readFileSync(join(pictures, 'race-1-recorded.mmd'), 'utf8'),
    /^---\ntitle: "Race 1, .*"\n---\nsequenceDiagram\n/,
  )

  const [, who, first, second] =
    /^1\. (\S+) handled .* \((\S+)\) at \S+ before .* \((\S+)\) at \S+$/m.exec(stdout) ?? []
  const [, command] = /npx tsx scenarios\/(bidding\/market\.ts .*) --runtime inline$/m.exec(stdout) ?? []
  if (!command) throw new Error(`expected a command in ${stdout}`)
  const words = command.split(' ').slice(1)
  const traces = ['inline', 'threads'].map((runtime) => ({ runtime, trace: inFolder(`${runtime}.jsonl`) }))
  for (const { runtime, trace } of traces) {
    const run = await runScenario('bidding/market', [...words, '--runtime', runtime, '--trace', trace])
    assert.is(run.code, 0, run.stderr)
    const steps = runOf(readTrace(trace))
      .steps.filter((step) => step.who === who)
      .map(thingOf)
    assert.ok(steps.indexOf(second ?? '') < steps.indexOf(first ?? ''), `${runtime}: ${steps.join(' ')}`)
    assert.ok(steps.includes(second ?? ''))
  }
})

test('a page shows several races in words, each next to the recorded run, and --race chooses the first', async () => {
  const path = inFolder('races.html')
  const small = [
    '--tasks',
    '4',
    '--speeds',
    '1,1,2',
    '--clients',
    '2',
    '--load',
    '2',
    '--latency',
    '1',
    ...'--deal drawn --late-bids off --query off --quiet'.split(' '),
  ]
  const page = async (...more: readonly string[]) => {
    const { code, stderr } = await runScenario('lab/races', [...small, '--report', path, ...more])
    assert.is(code, 0, stderr)
    const html = readFileSync(path, 'utf8')
    return { html, told: textIn(html), data: runsIn(html) }
  }
  const { html, told, data } = await page()
  assert.equal(
    data.runs.map(({ name }) => name),
    ['As recorded', ...[1, 2, 3, 4, 5].map((race) => `Race ${race}, the other order`)],
  )
  assert.equal(
    data.pairs?.map(({ runs }) => runs),
    [1, 2, 3, 4, 5].map((other) => [0, other]),
  )
  assert.is(data.pairs?.[0]?.name, '1. client@c1 handled the bid of contractor@m3 before its timer evaluate')
  assert.match(
    told,
    'It changes what comes out: task 0 at attempt 1 on m3 as recorded, task 0 at attempt 1 on m1 in the other',
  )
  assert.match(told, '5 of them are shown below; --race K shows race K')
  assert.match(html, '--race 6')
  const sixth = await page('--race', '6')
  assert.match(
    sixth.data.pairs?.[0]?.name ?? '',
    /^6\. contractor@m3 handled the cancelAll of client@c1 before the finished of /,
  )
  const none = await runScenario('lab/races', [...small, '--race', '7'])
  assert.is(none.code, 2)
  assert.match(none.stderr, '--race must be one of the 6 races whose other order was run, not 7')
})

test('finds the races of the run in a trace', async () => {
  const trace = inFolder('run.jsonl')
  await runScenario('bidding/market', [...MARKET, '--trace', trace])
  const told = await runScenario('lab/races', [trace, '--json', '--quiet'])
  const own = await runScenario('lab/races', [...MARKET, '--tries', '0', '--json', '--quiet'])
  assert.is(told.code, 0, told.stderr)
  assert.equal(JSON.parse(told.stdout).results, JSON.parse(own.stdout).results)
  assert.equal(
    [told, own].map(({ stdout }) => JSON.parse(stdout).checks),
    [[], []],
  )
  assert.ok(JSON.parse(told.stdout).results.races > 5)
})

test('refuses a run without a schedule, and files that it cannot read', async () => {
  for (const [args, said] of [
    [['--schedule', '7'], '--schedule must be fifo or a schedule that the explorer printed (b1:...), not 7'],
    [['--check-determinism'], '--check-determinism cannot be given: it repeats one run'],
    [[inFolder('nothing')], ': no such file'],
    [['bidding/markt'], 'unknown scenario "bidding/markt"; did you mean bidding/market? (known: '],
    [[inFolder('nothing'), '--tasks', '6'], '--tasks cannot be combined with a trace'],
    [['one', 'two'], 'this command takes at most one file, not 2'],
  ] as const) {
    const { code, stderr } = await runScenario('lab/races', args)
    assert.is(code, 2)
    assert.ok(stderr.includes(said), stderr)
    assert.is(stderr.trim().split('\n').length, 1, stderr)
  }
})

test('says that nothing is known of the promises where no race was run in its other order', async () => {
  const none = await runScenario('lab/races', [...MARKET, '--tries', '0', '--quiet'])
  const says = 'no race was run in its other order (--tries 0), so nothing is known of the promises there\n'
  assert.ok(none.stdout.includes(says), none.stdout)
  assert.not.match(none.stdout, 'ok ')
})

test('handles signals between any two pairs and any two tries', async () => {
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  try {
    const replay = await Replay.open(readTrace(inFolder('run.jsonl')))
    const before = turns
    const groups = await racesIn(replay)
    assert.ok(turns - before >= groups.reduce((sum, { pairs }) => sum + pairs, 0))
    const scene = sceneOf(subjectOf(await foundIn(MARKET), MARKET, {}))
    const seen = new Set<number>()
    const { kinds } = await studyScene(scene, { tries: 1, onTried: () => seen.add(turns) })
    assert.is(seen.size, kinds.filter(({ tried }) => tried.length > 0).length)
  } finally {
    clearImmediate(next)
  }
})

test('says so when it is interrupted', async () => {
  let sent = false
  const { code, stderr, stdout } = await runScenario('lab/races', [...MARKET, '--tries', '1000'], (send, seen) => {
    if (sent || !seen.includes('its races')) return
    sent = true
    send('SIGINT')
  })
  assert.is(code, 130)
  assert.match(stderr, /\ninterrupted\n$/)
  assert.is(stdout, '')
})

test.run()
