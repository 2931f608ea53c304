import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DeviationScheduler } from '../../lib/actor/schedule.ts'
import { units } from '../../lib/core/time.ts'
import { tryOther } from '../../lib/explore/counterfactual.ts'
import { traced } from '../../lib/explore/execution.ts'
import { racesIn } from '../../lib/explore/races.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { collect } from '../../lib/scenario/flags.ts'
import type { Oracle } from '../../lib/scenario/oracle.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { thingOf } from '../../lib/trace/run.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import committing from '../fixtures/committing/committing.ts'

const NONE = { holds: [], lost: [], doubled: [] }

function market(flags: string): Specification {
  const { flags: known, specification } = scenarioNamed('bidding/market')
  return specification(collect(known, flags.split(' ')).given)
}

async function racesOf(specification: Specification) {
  const recorded = await traced(specification, new DeviationScheduler(NONE))
  return { recorded, groups: await racesIn(await Replay.open(recorded.trace)) }
}

const table = (groups: Awaited<ReturnType<typeof racesOf>>['groups']) =>
  groups.map(
    ({ role, state, types, pairs, races }) => `${role} ${state} ${types.join('/')} ${races.length} of ${pairs}`,
  )

const test = suite('the races of a run')

test('are found among pairs that no message orders: one task at one machine has one such pair, and it commutes', async () => {
  const { groups } = await racesOf(market('--tasks 1 --speeds 1 --clients 1 --latency 1'))
  assert.equal(table(groups), ['client serving bid/timer evaluate 0 of 1'])
})

const SIX = '--tasks 6 --speeds 1,1,2 --clients 2 --latency 1 --late-bids 0.1 --load 0.9'
const specification = market(SIX)
const { recorded, groups } = await racesOf(specification)

test('are between a step and an event that could have come in its place: no other timer for a timer, nor mail of one sender', () => {
  const slot = (thing: string) => thing.slice(0, thing.indexOf('.'))
  for (const { step, rival, hold } of groups.flatMap(({ races }) => races)) {
    assert.equal(hold, { thing: thingOf(step), until: step.n + 1 })
    assert.ok(rival.at >= step.at)
    if (step.on.what === 'timer') assert.not(rival.type.startsWith('timer'))
    else if (!rival.type.startsWith('timer')) assert.is.not(slot(rival.thing), slot(hold.thing))
  }
})

test('are grouped by kinds, and some kinds always commute', () => {
  const ofKind = (types: string) => groups.find((group) => group.types.join('/') === types && group.role === 'client')
  const bids = ofKind('bid/bid')
  assert.ok(bids && bids.pairs > 0)
  assert.is(bids.races.length, 0)
  const evaluations = ofKind('bid/timer evaluate')
  assert.ok(evaluations && evaluations.races.length > 0)
})

test('come in the other order when the earlier event is held, and some change the run', async () => {
  const races = groups.flatMap((group) => group.races)
  assert.ok(races.length > 5)
  const found = new Map<string, number>()
  for (const race of races) {
    const { isSwapped, effect, deviations } = await tryOther(specification, recorded, NONE, race)
    assert.ok(isSwapped, JSON.stringify(race.hold))
    assert.equal(deviations, { ...NONE, holds: [race.hold] })
    const by = effect?.by ?? 'benign'
    found.set(by, (found.get(by) ?? 0) + 1)
  }
  assert.ok((found.get('benign') ?? 0) > 0)
  assert.ok((found.get('time') ?? 0) > 0)
  assert.is(found.get('promise') ?? 0, 0)
})

test('include a timer that a step cancelled before it was due: with the step held, it fires', async () => {
  const impatient = market('--tasks 2 --speeds 1 --clients 1 --latency 1 --query 20 --timeout 5')
  const found = await racesOf(impatient)
  const answers = found.groups.find(({ types }) => types.join('/') === 'status/timer unanswered')
  const [race] = answers?.races ?? []
  if (!race) throw new Error('expected a race of an answer with its timeout')
  assert.is(race.rival.at - race.step.at, units(3))
  const { isSwapped, effect } = await tryOther(impatient, found.recorded, NONE, race)
  assert.ok(isSwapped)
  assert.is(effect?.by, 'outcome')
  assert.match(effect?.text ?? '', /^\d\.1 on m1.* \| \d\.2 on m1/)
})

test('include such a timer if the answers to that step come before its time, as in two-phase commit', async () => {
  const commit = committing.specification(new Map([['latency', ['1']]]))
  const found = await racesOf(commit)
  const last = found.groups.find(({ types }) => types.join('/') === 'timer late/yes')
  const [race] = last?.races ?? []
  if (!race) throw new Error('expected a race of the last vote with the timeout')
  assert.is(race.rival.at - race.step.at, units(8))
  const { isSwapped, effect } = await tryOther(commit, found.recorded, NONE, race)
  assert.ok(isSwapped)
  assert.is(effect?.by, 'outcome')
  const near = await racesIn(await Replay.open(found.recorded.trace), units(1))
  assert.equal(table(near), ['coordinator - yes/yes 0 of 1', 'coordinator - done/done 0 of 1'])
})

test('are tried from the original run: a hold of the same event is replaced, and others stay', async () => {
  const [race] = groups.flatMap((group) => group.races)
  if (!race) throw new Error('expected a race')
  const other = { thing: '1.0.99', until: 7 }
  const own = { ...NONE, holds: [other, { ...race.hold, until: 1 }] }
  const { deviations } = await tryOther(specification, recorded, own, race)
  assert.equal(deviations.holds, [other, race.hold])
})

/** The effect of a race whose two runs differ in what their oracles say: the recorded run first. */
async function effectOf(recordedSays: Partial<Oracle>, otherSays: Partial<Oracle>) {
  const [race] = groups.flatMap((group) => group.races)
  if (!race) throw new Error('expected a race')
  let runs = 0
  const saying: Specification = {
    ...specification,
    open: async (system) => {
      const sight = await specification.open(system)
      const own = { outcome: () => '', ends: () => new Map(), violations: () => [] }
      return { ...sight, ...own, ...(runs++ === 0 ? recordedSays : otherSays) }
    },
  }
  const before = await traced(saying, new DeviationScheduler(NONE))
  return (await tryOther(saying, before, NONE, race)).effect
}

const breaking = (...properties: string[]): Partial<Oracle> => ({
  violations: () => properties.map((property) => ({ property, text: 'it did not' })),
})

const ending = (outcome: string, ...names: string[]): Partial<Oracle> => ({
  outcome: () => outcome,
  ends: () => new Map(names.map((name) => [name, 0])),
})

test('count as significant when a promise is broken', async () => {
  assert.equal(await effectOf({}, breaking('the run is unchanged')), {
    by: 'promise',
    text: 'no promise is broken | the promise "the run is unchanged" is broken',
  })
  assert.equal(await effectOf(breaking('one', 'two'), breaking('one')), {
    by: 'promise',
    text: 'the promise "two" is broken | no other promise is broken',
  })
})

test('say what does not end, or that there is no such outcome', async () => {
  for (const [recorded, other, by, text] of [
    [ending('4.1 on m3', 'task 4'), ending(''), 'outcome', '4.1 on m3 | task 4 does not end'],
    [ending(''), ending('1, 2', 'task 1', 'task 2'), 'outcome', 'task 1, task 2 do not end | 1, 2'],
    [ending('', 'task 4'), ending(''), 'time', 'task 4 at 0 | task 4 does not end'],
    [ending('a fact'), ending(''), 'outcome', 'a fact | no such outcome'],
  ] as const) {
    assert.equal(await effectOf(recorded, other), { by, text })
  }
})

test.run()
