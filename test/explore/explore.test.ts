import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DeviationScheduler, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { roleOf } from '../../lib/core/address.ts'
import { isObject } from '../../lib/core/data.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { ddmin } from '../../lib/explore/ddmin.ts'
import { execute } from '../../lib/explore/execution.ts'
import { baselineOf, explore } from '../../lib/explore/explore.ts'
import { drawFaults, type Point, parseAllowed, withLosses } from '../../lib/explore/fault-generator.ts'
import { coverageOfPairs } from '../../lib/explore/schedulers.ts'
import { shrink } from '../../lib/explore/shrink.ts'
import { fifo } from '../../lib/explore/strategies/fifo.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { explore as laboratory, PromiseBroken, replay } from '../../lib/lab.ts'
import { endOfFault, type Fault, parseFault, printFault } from '../../lib/scenario/faults.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { type Specification, sometime } from '../../lib/scenario/specification.ts'
import { defineScenario, eventually, promises, runFlags } from '../../lib/scenario.ts'
import { addressesOf, type Market, open, termsOf } from '../../scenarios/bidding/model.ts'
import { Ledger } from '../../scenarios/bidding/oracle/ledger.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import adding from '../fixtures/adding/adding.ts'
import leasing from '../fixtures/leasing/leasing.ts'
import { does, later, note, PUPPET } from '../system/harness.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('the explorer')

/** A market with a promise that it cannot keep: the last task is done last. */
function stageOf(tasks: readonly number[]): Specification {
  const jobs = tasks.map((i) => ({
    id: `j${i}`,
    client: i % 2 === 0 ? 'c1' : 'c2',
    arrival: units(i),
    work: units(10),
    estimate: units(10),
  }))
  const market: Market = {
    protocol: 'dsp',
    speeds: [1, 1, 1],
    clients: ['c1', 'c2'],
    jobs,
    terms: termsOf('dsp', units(1)),
  }
  return {
    options: { seed: 1, network: { latency: units(1) } },
    faults: [],
    addresses: addressesOf(market),
    tasks: tasks.length,
    only: (kept) => stageOf(kept.flatMap((place) => tasks[place] ?? [])),
    async open(system) {
      const ledger = new Ledger()
      system.onFact((fact, { who, at }) => ledger.fold(fact, who, at))
      await open(system, market)
      const order = () => [...ledger.endings.values()].map(({ task, machine }) => `${task}@${machine}`)
      return {
        outcome: () => order().join(' '),
        violations: () => {
          const after = [...ledger.endings.keys()].at(-1)
          const last = tasks.length - 1
          return after === last ? [] : [{ property: 'the last comes last', text: `task ${last} came before ${after}` }]
        },
      }
    },
  }
}

const specification = stageOf([0, 1, 2, 3, 4, 5])
const baseline = await baselineOf(specification)
const plain = fifo({ seed: 1, run: 0, decisions: 0 })

const { points, actors, longestHold: longest } = baseline
const opportunities = { points, actors, longest, until: Number.POSITIVE_INFINITY }

const search = (strategy: string, until: number, allowed: readonly string[] = []) =>
  explore(
    {
      specification,
      strategy: strategyOf(strategy, '--strategy'),
      seed: 1,
      from: 0,
      until,
      allowed: allowed.map((text) => parseAllowed(text, '--faults')),
      isEnough: () => false,
    },
    baseline,
  )

test('repeats the baseline under fifo', async () => {
  const { outcomes, failures, schedules } = await search('fifo', 3)
  assert.equal([...outcomes], [[baseline.execution.outcome, 3]])
  assert.equal(failures, [])
  assert.is(schedules, 3)
})

test('finds other outcomes with every strategy, and the same ones when it is repeated', async () => {
  for (const strategy of ['random', 'pos', 'pct:3', 'delay:2', 'portfolio', 'guided']) {
    const found = await search(strategy, 40)
    assert.ok(found.outcomes.size > 1, strategy)
    assert.equal(await search(strategy, 40), found)
  }
})

test('shrinks a failing run to a few deviations that still break the promise', async () => {
  const { failures } = await search('random', 60)
  const [failure] = failures
  if (!failure) throw new Error('expected a run that breaks the promise')
  const { deviations, tasks, violation } = await shrink(specification, failure)
  assert.is(violation.property, 'the last comes last')
  assert.ok(deviations.holds.length <= 3, JSON.stringify(deviations))
  assert.ok(deviations.holds.length < failure.deviations.holds.length)
  assert.ok(tasks.length <= 6)
})

test('says so when the failure to shrink cannot be reproduced', async () => {
  const none = { run: 0, deviations: { holds: [], lost: [], doubled: [] }, faults: [] }
  let said = ''
  await shrink(specification, { ...none, violations: [{ property: 'the last comes last', text: '' }] }).catch(
    (error) => {
      said = String(error)
    },
  )
  assert.is(said, 'NotReproduced: the last comes last: the run does not break it when it is repeated')
})

/** Whether a fault brings an actor back at an instant, after its death at another point. */
const isReturn = (fault: Fault): fault is Fault & { type: 'restart' } =>
  fault.type === 'restart' && fault.when.type === 'at' && fault.when.time > 0

test('draws faults at logical points of the run without deviations', () => {
  const allowed = [parseAllowed('kill any contractor 2', '--faults'), parseAllowed('restart any client', '--faults')]
  const plans = Array.from({ length: 40 }, (_, run) => drawFaults(allowed, opportunities, 1, run))
  assert.ok(plans.some((plan) => plan.length === 0))
  assert.ok(plans.some((plan) => plan.length >= 3))
  for (const fault of plans.flat()) {
    if (!('who' in fault)) throw new Error(`expected a fault of an actor, got ${printFault(fault)}`)
    if (fault.type !== 'kill') assert.is(roleOf(fault.who), 'client')
    if (isReturn(fault)) continue
    assert.match(printFault(fault), / (at 0|after \d+ \w+|when \S+( task \d+)? enters [\w.]+)$/)
  }
  const entering = plans.flat().flatMap((fault) => ('when' in fault && fault.when.type === 'enters' ? [fault] : []))
  assert.ok(entering.length > 0)
  for (const { who, when } of entering) {
    assert.is(when.type === 'enters' && when.who, who)
    assert.match(printFault({ type: 'kill', who, when }), /( task \d+)? enters [a-z]+(\.[a-zA-Z]+)*$/)
  }
  assert.ok(entering.some(({ when }) => when.type === 'enters' && when.child?.chart === 'task'))
})

test('draws restarts at once, and those of actors that are dead for a while, but not in the calm part of a run', () => {
  const allowed = [parseAllowed('restart any contractor 2', '--faults')]
  const until = units(50)
  const plans = Array.from({ length: 40 }, (_, run) => drawFaults(allowed, { ...opportunities, until }, 1, run))
  assert.ok(plans.flat().some((fault) => fault.type === 'restart' && !isReturn(fault)))
  const kills = plans.flat().filter(({ type }) => type === 'kill')
  const returns = plans.flat().filter(isReturn)
  assert.ok(kills.length > 0)
  assert.equal(
    returns.map(({ who }) => who),
    kills.map((fault) => 'who' in fault && fault.who),
  )
  assert.ok(returns.every((fault) => endOfFault(fault) > 0 && endOfFault(fault) < until))
})

test('draws pauses and partitions that begin where something happens, and end before the calm part of a run', () => {
  const allowed = [parseAllowed('pause any contractor 2', '--faults'), parseAllowed('cut any', '--faults')]
  const until = units(50)
  const drawn = (end: number) =>
    Array.from({ length: 40 }, (_, run) => drawFaults(allowed, { ...opportunities, until: end }, 1, run)).flat()
  const last = Math.max(...points.map(({ at }) => at))
  for (const fault of [...drawn(Number.POSITIVE_INFINITY), ...drawn(until)]) {
    assert.equal(parseFault(printFault(fault)), fault)
    if (fault.type !== 'pause' && fault.type !== 'partition') throw new Error(`unexpected: ${printFault(fault)}`)
    assert.ok(fault.at <= last)
    assert.ok(endOfFault(fault) - fault.at <= longest)
  }
  assert.ok(drawn(until).every((fault) => endOfFault(fault) < until))
  const kinds = (faults: readonly Fault[]) => [...new Set(faults.map(({ type }) => type))].sort()
  assert.equal(kinds(drawn(until)), ['partition', 'pause'])
  const any = Array.from({ length: 40 }, (_, run) =>
    drawFaults([parseAllowed('any 2', '--faults')], opportunities, 1, run),
  )
  assert.equal(kinds(any.flat()), ['kill', 'partition', 'pause', 'restart', 'slow links'])
  for (const type of ['kill', 'restart', 'pause'] as const) {
    const numbers = any.flat().flatMap((fault) => (fault.type === type ? [fault.who.split(',').length] : []))
    assert.ok(numbers.includes(1) && numbers.some((n) => n > 1), `${type}: ${numbers}`)
  }
})

test('draws slow links and hosts that are cut off, whose mail has arrived before the calm part of a run', () => {
  const allowed = [parseAllowed('slow any 2', '--faults'), parseAllowed('cut any machine', '--faults')]
  const until = units(50)
  const drawn = Array.from({ length: 40 }, (_, run) => drawFaults(allowed, { ...opportunities, until }, 1, run)).flat()
  const slow = drawn.filter((fault) => fault.type === 'slow links')
  const cut = drawn.filter((fault) => fault.type === 'partition')
  assert.is(slow.length + cut.length, drawn.length)
  assert.ok(slow.length > 5 && cut.length > 5, `${slow.length} and ${cut.length}`)
  assert.ok(slow.every(({ by, sides }) => by > 0 && by <= longest && sides.every(({ length }) => length === 1)))
  assert.ok(cut.every(({ sides: [, others] }) => others.join() === '*'))
  for (const fault of drawn) assert.equal(parseFault(printFault(fault)), fault)
  assert.ok(drawn.every((fault) => endOfFault(fault) < until))
})

test('draws clocks that jump ahead or back, for a while or for good, but only for a while before a calm part', () => {
  const allowed = [parseAllowed('jump any 2', '--faults')]
  const drawn = (until: number) =>
    Array.from({ length: 40 }, (_, run) => drawFaults(allowed, { ...opportunities, until }, 1, run)).flat()
  const jumps = [...drawn(Number.POSITIVE_INFINITY), ...drawn(units(50))].map((fault) => {
    if (fault.type !== 'jump') throw new Error(`unexpected: ${printFault(fault)}`)
    assert.equal(parseFault(printFault(fault)), fault)
    assert.ok(fault.by !== 0 && Math.abs(fault.by) <= longest)
    return fault
  })
  assert.ok(jumps.some(({ by }) => by > 0) && jumps.some(({ by }) => by < 0))
  assert.ok(jumps.some(({ until }) => until === undefined) && jumps.some(({ until }) => until !== undefined))
  assert.ok(drawn(units(50)).every((fault) => fault.type === 'jump' && endOfFault(fault) < units(50) && fault.until))
})

for (const [fault, property] of [
  ['pause any client', 'only the holder of the lease writes'],
  ['cut any', 'no client gives up'],
  ['any', ''],
] as const) {
  test(`finds, shrinks and replays what only such a fault breaks (${fault})`, async () => {
    const search = { schedules: 200, strategy: 'fifo', faults: [fault] }
    const error = await laboratory(leasing, search).catch((thrown: unknown) => thrown)
    if (!(error instanceof PromiseBroken)) throw new Error('no run broke a promise')
    const { case: told } = error
    if (property !== '') assert.is(told.property, property)
    assert.is(told.deviations + told.faults, 1)
    const [, by] = /^the promise breaks at [\d.]+, when (\S+) handles \S/.exec(told.brokenBy ?? '') ?? []
    assert.ok(by !== undefined && told.text.startsWith(`${by} `), `${told.brokenBy}`)
    const again = await replay(leasing, told.schedule, { fault: told.sentences.slice(0, told.faults) })
    assert.ok(again.some((text) => text.startsWith(told.property)))
  })
}

test('reproduces a failure that depends on a fault at a state, and keeps this fault in shrinking', async () => {
  const fault = parseFault('kill contractor@m1 when contractor@m2 enters busy')
  const needs = async (part: readonly Fault[]) => {
    const { result: played } = await execute(specification, plain, part)
    return played.dead.has('contractor@m1') && played.missed.length === part.length - 1
  }
  const late = parseFault('kill contractor@m1 when contractor@m1 enters stranded')
  assert.equal(await ddmin([late, fault], needs), [fault])
})

test('kills all actors of a machine at one point, which counts the messages of all of them', () => {
  const points: Point[] = [
    { who: 'a@m1', at: 1, what: 'message', type: 'ping' },
    { who: 'b@m1', at: 2, what: 'message', type: 'ping' },
    { who: 'b@m1', at: 3, what: 'state', state: 'busy' },
  ]
  const opportunities = { points, actors: ['a@m1', 'b@m1'], longest: units(5), until: units(9) }
  const allowed = [parseAllowed('kill any machine', '--faults')]
  const drawn = Array.from({ length: 40 }, (_, run) => drawFaults(allowed, opportunities, 1, run)).flat()
  assert.equal([...new Set(drawn.map(printFault))].sort(), [
    'kill @m1 after 1 ping',
    'kill @m1 after 2 ping',
    'kill @m1 when b@m1 enters busy',
  ])
})

test('kills several actors of a role at one point, which counts the messages of one of them', () => {
  const whos = ['a@m1', 'a@m2', 'a@m3']
  const points: Point[] = [
    { who: 'a@m1', at: 1, what: 'message', type: 'ping' },
    { who: 'a@m2', at: 2, what: 'message', type: 'ping' },
    { who: 'a@m2', at: 3, what: 'message', type: 'ping' },
  ]
  const opportunities = { points, actors: [...whos, 'b@m4'], longest: units(5), until: units(9) }
  const drawn = (text: string) =>
    Array.from({ length: 60 }, (_, run) => drawFaults([parseAllowed(text, '--faults')], opportunities, 1, run))
      .flat()
      .map(printFault)
  const kills = drawn('kill some a')
  for (const text of kills) assert.match(text, /^kill a@m\d(,a@m\d){1,2} after a@m(1 1|2 1|2 2) ping$/)
  assert.ok(kills.includes('kill a@m2,a@m1,a@m3 after a@m2 2 ping'), kills.join('\n'))
  for (const text of drawn('kill some machine')) assert.match(text, /^kill @m\d(,@m\d){1,3} after a@m\d \d ping$/)
  for (const text of drawn('pause some a')) assert.match(text, /^pause a@m\d(,a@m\d){1,2} for /)
  assert.equal([kills.length > 10, drawn('kill some b')], [true, []])
})

test('a search kills two actors at one point, and the smallest case kills no third one', async () => {
  const search = { schedules: 60, strategy: 'fifo', faults: ['kill some p'] }
  const error = await laboratory(keeping, search).catch((thrown: unknown) => thrown)
  if (!(error instanceof PromiseBroken)) throw new Error('no run broke a promise')
  assert.is(error.case.sentences.length, 1)
  assert.match(error.case.sentences[0] ?? '', /^kill (p@m1,p@m2|p@m2,p@m1) /)
  const fault = error.case.sentences[0] ?? ''
  assert.equal((await replay(keeping, error.case.schedule, { fault: [fault] })).length, 1)
  const one = { schedules: 1, strategy: 'fifo', flags: { fault: [fault.replace(/,p@m\d/, '')] } }
  assert.is((await laboratory(keeping, one)).struck, 1)
})

test('a search finds what breaks when a clock jumps, and the smallest case has a small and short jump that is repeated', async () => {
  const search = { schedules: 60, strategy: 'fifo', faults: ['jump any 3'] }
  const error = await laboratory(keeping, search).catch((thrown: unknown) => thrown)
  if (!(error instanceof PromiseBroken)) throw new Error('no run broke a promise')
  assert.is(error.case.sentences.length, 1)
  const [jump = ''] = error.case.sentences
  assert.match(jump, /^jump m1 by -?0\.\d+ at 1 until 4$/)
  assert.match((await replay(keeping, error.case.schedule, { fault: [jump] })).join(), 'clocks agree')
  const other = { schedules: 1, strategy: 'fifo', flags: { fault: [jump.replace('m1', 'm2')] } }
  assert.is((await laboratory(keeping, other)).struck, 1)
})

test('a search ends what lasts a while before the instant from which the end of a run is judged', async () => {
  const flags = '--machines 2 --period 100 --until 1000 --latency 1 --jobs A@m1,m2,P@m2 --currency P=A:1'.split(' ')
  const cluster = sharesCluster.specification(collect(sharesCluster.flags, flags).given)
  const allowed = [parseAllowed('slow any 3', '--faults')]
  const { failures } = await explore(
    { specification: cluster, strategy: fifo, seed: 1, from: 0, until: 20, allowed },
    await baselineOf(cluster),
  )
  assert.equal(failures, [])
})

test('kills all actors of a machine in a run that draws its death', async () => {
  const { result } = await execute(specification, plain, [parseFault('kill @m1 after 1 rfb')])
  assert.equal([...result.dead].sort(), ['contractor@m1', 'processor@m1'])
})

test('loses and duplicates messages where this is allowed', async () => {
  const { failures, outcomes } = await search('fifo', 20, ['lose 2', 'double'])
  assert.ok(outcomes.size > 1)
  const { deviations } = failures[0] ?? {}
  assert.ok(!deviations || deviations.lost.length + deviations.doubled.length > 0)
})

/** Three puppets, of which m1 or m2 has to live, and of which that of m1 looks at its clock. */
const keeping = defineScenario({
  name: 'keeping',
  flags: runFlags,
  open: async (system) => {
    for (const who of ['p@m1', 'p@m2', 'p@m3']) {
      await system.spawn(who, PUPPET)
      await system.tell(who, does(later(units(2), does(note(who, 1)))))
    }
    await system.tell('p@m1', does(later(units(3), does({ act: 'look', key: 'x' }))))
  },
  oracle: promises(
    eventually('m1 or m2 lives', ({ dead }) => (dead.has('p@m1') && dead.has('p@m2') ? ['both are dead'] : [])),
    eventually('clocks agree', ({ facts }) =>
      facts.flatMap(({ fact: { type, first }, at }) =>
        type === 'looked' && isObject(first) && first['now'] !== at ? [`one shows ${first['now']} at ${at}`] : [],
      ),
    ),
  ),
})

/** Writes 1 and then 2: a promise says that 2 stays. */
const writing = defineScenario({
  name: 'writing',
  flags: runFlags,
  open: async (system) => {
    for (const who of ['a@m1', 'r@m9']) await system.spawn(who, PUPPET)
    await system.tell('a@m1', does(note('r@m9', 1), later(units(2), does(note('r@m9', 2)))))
  },
  oracle: promises(
    eventually('the last note stays', ({ facts }) => {
      const n = facts.at(-1)?.fact['n']
      return n === 2 ? [] : [`it is ${n}`]
    }),
  ),
})

test('makes copies come late where this is allowed, shrinks their lateness, and repeats the run', async () => {
  const flags = { latency: '1' }
  await laboratory(writing, { schedules: 40, strategy: 'fifo', flags, faults: ['double 2'] })
  const search = { schedules: 40, strategy: 'fifo', flags, faults: ['double late'] }
  const error = await laboratory(writing, search).catch((thrown: unknown) => thrown)
  if (!(error instanceof PromiseBroken)) throw new Error('no run broke a promise')
  assert.equal(error.case.sentences, ['note 1.0.0 of a@m1 to r@m9 arrives twice, the second time 4 units later'])
  assert.equal(await replay(writing, error.case.schedule, flags), ['the last note stays: it is 1'])
})

test('draws late copies for `any`, but none where links must keep their order', () => {
  const link = { from: 1, incarnation: 0, to: 2, n: 0 }
  const drawn = (limit: Time | null) => {
    const all = Array.from({ length: 40 }, (_, run) => {
      const losses = { allowed: [parseAllowed('any', '--faults')], passages: 4, longest: limit, seed: 1, run }
      const scheduler = withLosses(plain, losses)
      return Array.from({ length: 4 }, () => scheduler.outcomeOf(link))
    })
    return new Set(all.flat().map((fate) => (typeof fate === 'object' ? fate.lateBy : fate)))
  }
  assert.equal([...drawn(units(8))].map(String).sort(), [
    ...[1, 2, 4, 8].map((by) => String(units(by))),
    'lost',
    'once',
    'twice',
  ])
  assert.equal([...drawn(null)].sort(), ['lost', 'once', 'twice'])
})

test('refuses late copies under causal order, where they would hold all later mail back', async () => {
  const flags = { latency: '1', order: 'causal' }
  const refused = laboratory(writing, { schedules: 1, flags, faults: ['double late'] })
  const message = await refused.catch(({ message: text }: Error) => text)
  assert.is(message, 'explore: option faults "double late" needs order fifo, not causal: allow "double"')
})

test('lists the reachability goals that were met', async () => {
  const sometimes = [
    sometime('a task is done', 'client', 'done'),
    sometime('a task is lost', 'client', 'failed'),
    sometime('a contractor is done', 'contractor', 'done'),
  ]
  const found = await explore(
    {
      specification: { ...specification, sometimes },
      strategy: strategyOf('fifo', ''),
      seed: 1,
      allowed: [],
      from: 0,
      until: 2,
    },
    baseline,
  )
  assert.equal([...found.seen], ['a task is done'])
})

test('counts pairs of events that waited at one actor together, and pairs that came in both orders', async () => {
  const { pairs } = await search('fifo', 2)
  const unmoved = coverageOfPairs(pairs)
  assert.ok(unmoved.met > 0)
  assert.is(unmoved.both, 0)
  const walked = coverageOfPairs((await search('random', 40)).pairs)
  assert.ok(walked.both > 0 && walked.both <= walked.met && walked.met > unmoved.met)
})

test('holds events back for at most the length of the undisturbed run, and counts the holds that this ends', async () => {
  assert.is(baseline.longestHold, baseline.execution.result.end.now)
  const found = await search('pct:3', 20)
  assert.is(found.longestHold, baseline.longestHold)
  const short = { ...specification, limits: { longestHold: units(1) } }
  const hasty = await explore(
    { specification: short, strategy: strategyOf('pct:3', ''), seed: 1, allowed: [], from: 0, until: 20 },
    baseline,
  )
  assert.is(hasty.longestHold, units(1))
  assert.ok(hasty.cutHolds > found.cutHolds)
})

test('counts the events that schedules held back', async () => {
  const specification = adding.specification(new Map())
  const baseline = await baselineOf(specification)
  const held = { holds: [{ thing: '2.0.1', until: 3 }], lost: [], doubled: [] }
  for (const [deviations, holds] of [
    [held, 3],
    [NO_DEVIATIONS, 0],
  ] as const) {
    const strategy = () => new DeviationScheduler(deviations)
    const found = await explore({ specification, strategy, seed: 1, allowed: [], from: 0, until: 3 }, baseline)
    assert.is(found.holds, holds)
  }
})

test('refuses a strategy and a fault that it does not know', () => {
  throwsSaying(
    () => strategyOf('dfs', '--strategy'),
    '--strategy must be fifo, random, pos, portfolio, guided, pct:D or delay:K',
  )
  throwsSaying(
    () => parseAllowed('kill everybody', '--faults'),
    '--faults must be "kill any ROLE [N] [losing W [torn]]"',
  )
  for (const [text, said] of [
    ['any kill client', '"kill any ROLE [N] [losing W [torn]]", or "some" in place of "any", not "any kill client"'],
    ['2 any', '"any [N]", not "2 any"'],
    ['pawse any client', '"pause any ROLE [N]", or "some" in place of "any", not "pawse any client"'],
    ['m1 | m2 partition', '"cut any [N]" or "cut any machine [N]", not "m1 | m2 partition"'],
    ['at 5 lose', '"lose [N]", not "at 5 lose": for a fault at a fixed point use --fault'],
    ['explode any part', 'a fault that begins with kill, restart, pause, cut, slow, jump, lose, double or any (--help'],
    ['nothing', 'a fault that begins with kill, restart, pause, cut, slow, jump, lose, double or any (--help'],
  ] as const)
    throwsSaying(() => parseAllowed(text, '--faults'), `--faults must be ${said}`)
})

test('delta debugging leaves a smallest part', async () => {
  const needs = async (part: readonly number[]) => part.includes(3) && part.includes(17)
  assert.equal(await ddmin([...Array(20).keys()], needs), [3, 17])
  assert.equal(await ddmin([1, 2, 3], async () => true), [])
})

test.run()
