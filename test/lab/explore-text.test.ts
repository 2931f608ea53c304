/** What a search tells of itself in lines. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Deviations, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { units } from '../../lib/core/time.ts'
import { unfinishedText } from '../../lib/explore/counterexample.ts'
import { runUndisturbed } from '../../lib/explore/undisturbed.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import { keptLine } from '../../scenarios/lab/explore/corpus.ts'
import type { Searched } from '../../scenarios/lab/explore/search.ts'
import { goalLines, neverSeen, statistics } from '../../scenarios/lab/explore/text.ts'
import { requireRun, tellingProgress, undisturbedChecks } from '../../scenarios/lab/explore/undisturbed.ts'
import { progressWithin } from '../../scenarios/lab/progress.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { continuingFor, shrinkingFor } from '../../scenarios/lab/shrinking.ts'
import { runScenario } from '../bidding/command.ts'
import adding from '../fixtures/adding/adding.ts'

const test = suite('lab/explore/text')

const FOUND: Searched = {
  schedules: 100,
  struck: 0,
  decisions: 1000,
  steps: 1000,
  longestHold: units(2.5),
  holds: 0,
  cutHolds: 0,
  failed: 0,
  failures: [],
  outcomes: new Map(),
  pairs: { met: 0, both: 0 },
  seen: new Set(),
  seconds: 1,
  outOfTime: false,
}

/** The lines of a search with these numbers. */
const linesOf = (numbers: Partial<Searched>, notAsked: readonly string[] = []): string[] =>
  statistics({ ...FOUND, ...numbers }, adding.specification(new Map()), { mayFail: false, end: '', notAsked }).split(
    '\n',
  )

test('says what a racing pair is, and how many of them were handled in both orders', () => {
  for (const [met, both, says] of [
    [
      717,
      448,
      '717 pairs of events waited at one actor at the same time (racing pairs); the runs handled 448 of them in both orders',
    ],
    [
      1,
      0,
      '1 pair of events waited at one actor at the same time (racing pairs); the runs handled 0 of them in both orders',
    ],
    [0, 0, 'no decision had a choice between two events, so no racing pairs were counted'],
  ] as const) {
    assert.is(linesOf({ pairs: { met, both } })[1], says)
  }
})

test('says how many events were held back in all, and how many of these holds ended at the limit', () => {
  for (const [holds, cutHolds, says] of [
    [1203, 48, '1203 events were held back, each for at most 2.5 units (--hold); this limit ended 48 of these holds'],
    [1, 0, '1 event was held back, for at most 2.5 units (--hold)'],
    [1, 1, '1 event was held back, for at most 2.5 units (--hold); this limit ended the hold'],
    [7, 0, '7 events were held back, each for at most 2.5 units (--hold); this limit ended none of these holds'],
    [0, 0, 'no event was held back'],
  ] as const) {
    assert.ok(linesOf({ holds, cutHolds }).includes(says), says)
  }
})

test('a reachability goal that was not met is told with its hint, if it has one', () => {
  const sometimes = [
    sometime('task lost', 'client', 'failed'),
    sometime('no bid', 'client', 'repeated', undefined, 'needs --retry 5'),
  ]
  const specification = { ...adding.specification(new Map()), sometimes }
  const says = 'reachability goals met: 0 of 2; not met: task lost, no bid (needs --retry 5)'
  assert.equal(goalLines(specification, new Set()), [says])
  assert.equal(goalLines(specification, new Set(['task lost', 'no bid'])), ['reachability goals met: 2 of 2'])
  assert.equal(neverSeen(specification, new Set()), ['task lost', 'no bid'])
})

test('names the promises that no run of the search is asked for', () => {
  const says = '2 promises checked only in the run without a schedule: tasks start in time; no task starts early'
  assert.ok(linesOf({}, ['tasks start in time', 'no task starts early']).includes(says))
  assert.not.match(linesOf({}).join('\n'), 'without a schedule')
})

test('says what became of kept runs, whatever their number', () => {
  for (const [broken, refused, kept, says] of [
    [0, 0, 3, 'all 3 kept runs of cases keep every promise now'],
    [3, 0, 0, 'all 3 kept runs of cases still break a promise'],
    [0, 2, 0, 'both kept runs of cases are refused'],
    [1, 1, 2, '4 kept runs of cases: 1 still breaks a promise, 1 is refused, 2 keep every promise now'],
    [2, 0, 1, '3 kept runs of cases: 2 still break a promise, 1 keeps every promise now'],
    [0, 0, 1, 'the only kept run of cases keeps every promise now'],
    [1, 0, 0, 'the only kept run of cases still breaks a promise'],
    [0, 1, 0, 'the only kept run of cases is refused'],
  ] as const) {
    assert.is(keptLine('cases', { broken, refused, kept }), says)
  }
})

test('a run that goes on when the time is up is told with its last event and the command that repeats it', () => {
  const textOf = (deviations: Deviations): string =>
    unfinishedText(
      { name: 'lab/run', scenario: adding },
      { given: [], limits: {} },
      {
        run: 7,
        deviations,
        faults: ['kill client@c0 at 5'],
        steps: 1,
        now: units(2.5),
        seconds: 3,
        last: { who: 'client@c0', type: 'begin', isTimer: true },
      },
    )
  const [wentOn, last, again, command = ''] = textOf(NO_DEVIATIONS).split('\n')
  assert.is(wentOn, 'run 7 had not ended when the time was up; a repetition for 3 seconds took 1 step, up to 2.5 units')
  assert.equal([last, again], ['  in the last one client@c0 handled timer begin', '  to repeat it:'])
  assert.match(command, / --fault 'kill client@c0 at 5' --schedule b1:\S+ --runtime inline$/)
  const holds = Array.from({ length: 500 }, (_, n) => ({ thing: `2.0.${n}`, until: n }))
  const long = textOf({ ...NO_DEVIATIONS, holds })
  assert.match(long, /\n {2}its schedule of \d{4} characters is not printed: .* \(--json\)\n {2}- kill client@c0 at 5$/)
})

test('progress says that it is a share of the time where the time ends a search', () => {
  let now = 0
  const told: string[] = []
  const progress = (done: number, total: number | null, what = ''): void => {
    told.push(`${Math.round((100 * done) / (total ?? 1))} % ${what}`)
  }
  const tell = progressWithin(progress, 1000, 20, () => now)
  tell(0, '0 schedules')
  now = 5000
  tell(10, '10 schedules')
  tell(500, '500 schedules')
  progressWithin(progress, 1000, undefined, () => now)(10, '10 schedules')
  assert.equal(told, [
    '0 % 0 schedules',
    '25 % of the time (--seconds), 10 schedules',
    '50 % 500 schedules',
    '1 % 10 schedules',
  ])
})

test('progress of shrinking says that it is a share of the time', () => {
  const told: string[] = []
  const progress = (_: number, total: number | null, what = ''): void => void told.push(`${total} ${what}`)
  const size = { runs: 20, deviations: 3, faults: 1, tasks: 0 }
  shrinkingFor(30, 'run 5', { progress }).onProgress?.(size)
  continuingFor(30, 'run 5', 9, { progress }).onRun?.(2)
  assert.equal(told, [
    '30 of the time (--shrink-seconds), shrinking run 5: 3 deviations, 1 fault left after 20 runs',
    '30 of the time (--shrink-seconds), continuing run 5: 2 continuations',
  ])
})

test('the undisturbed run tells how far it is, however often it is made', async () => {
  const { flags, specification } = scenarioNamed('bidding/market')
  const market = specification(collect(flags, ['--tasks', '200', '--speeds', '1,1,2', '--load', '0.9']).given)
  const told: string[] = []
  const watched = tellingProgress(market, (text) => told.push(text))
  await requireRun(watched, ['kill any contractor'])
  const first = told.splice(0)
  assert.equal(undisturbedChecks(await runUndisturbed(watched), { runs: 0 }), [])
  for (const texts of [first, told]) {
    assert.ok(texts.length > 1, texts.join())
    for (const text of texts) assert.match(text, /^the undisturbed run is at [\d.]+ units, after \d+ steps$/)
    assert.is(new Set(texts).size, texts.length)
  }
})

test('the first line comes before the undisturbed run has ended', async () => {
  const args = ['bidding/market', '--tasks', '100', '--speeds', '1,1,2', '--faults', 'kill any nobody']
  const { code, stderr } = await runScenario('lab/explore', args)
  assert.is(code, 2)
  const [first = '', second = ''] = stderr.split('\n')
  assert.match(first, /^bidding\/market .*, seed 1: 1000 schedules, strategy portfolio, faults drawn: kill any nobody$/)
  assert.match(second, /^bourse: unknown role "nobody"/)
})

test.run()
