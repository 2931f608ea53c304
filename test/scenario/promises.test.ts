/** The library of promises: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Address, type Message, type Plain, units } from '../../lib/actor.ts'
import { always, type ObservedFact, type Property, promises } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { agreement, oneLeaderPerTerm } from '../../lib/scenario/promises/agreement.ts'
import { type BarrierEvent, barrier } from '../../lib/scenario/promises/barrier.ts'
import { conservation, type Transfer } from '../../lib/scenario/promises/conservation.ts'
import { type Move, mutualExclusion } from '../../lib/scenario/promises/exclusion.ts'
import {
  completeness,
  eventualAccuracy,
  type Opinion,
  strongAccuracy,
} from '../../lib/scenario/promises/failure-detector.ts'
import { atLeastOnce, atMostOnce, exactlyOnce } from '../../lib/scenario/promises/once.ts'
import { increasing, precedence, response } from '../../lib/scenario/promises/order.ts'
import { noOrphans, type WorkEvent } from '../../lib/scenario/promises/orphans.ts'
import { invariant, type Reads, VIOLATIONS_TOLD } from '../../lib/scenario/promises/safety.ts'
import { brokenBy } from '../histories.ts'

const test = suite('the library of promises')

/** A fact with its type and its fields, or the death of its actor. */
type Event = readonly [who: Address, type: string | null, fields?: Readonly<Record<string, Plain>>]

/** The violations of a history whose events happen one unit after the other. */
const broken = (
  property: Property | readonly Property[],
  events: readonly Event[],
  outcome: Partial<RunOutcome> = {},
): string[] =>
  brokenBy(
    [property].flat(),
    events.map(([who, type, fields], at) => [at, who, type === null ? 'dies' : { type, ...fields }]),
    outcome,
  )

const keyOf =
  (...types: readonly string[]) =>
  ({ fact }: ObservedFact) =>
    types.includes(fact.type) ? `task ${fact['task']}` : undefined

const ended = keyOf('ended')

test('a promise that throws, or returns no list of texts, is broken, and the others are asked as before', () => {
  const events: readonly Event[] = [['c@1', 'ended', { task: 1 }]]
  const wrongly = (value: unknown): Property => {
    const property = always('wrong', () => [])
    return { ...property, watch: () => Object.assign(property.watch(), { broken: () => value }) }
  }
  const throwing = always('throwing', () => {
    throw new TypeError('no task')
  })
  const deaf = invariant('deaf', () => {
    throw new TypeError('no fact')
  })
  const kept = always('kept', () => ['task 1'])
  assert.match(
    broken([throwing, deaf, kept], events).join('\n'),
    /^throwing: this promise threw TypeError: no task \(test\/scenario\/promises\.test\.ts:\d+\)\ndeaf: this promise threw TypeError: no fact \(\S+:\d+\)\nkept: task 1$/,
  )
  assert.equal(
    [undefined, 'a text', [1], Promise.reject(new Error('late'))].flatMap((value) => broken(wrongly(value), events)),
    ['undefined', "'a text'", '[ 1 ]', 'a promise'].map(
      (text) => `wrong: this promise must return a list of texts, not ${text}`,
    ),
  )
})

test('at most once', () => {
  const property = atMostOnce('a task ends once', ended)
  assert.equal(
    broken(property, [
      ['c@1', 'ended', { task: 1 }],
      ['c@1', 'ended', { task: 2 }],
      ['c@1', 'begun', { task: 1 }],
    ]),
    [],
  )
  assert.equal(
    broken(property, [
      ['c@1', 'ended', { task: 1 }],
      ['c@2', 'ended', { task: 1 }],
    ]),
    ['a task ends once: task 1 at 0 by c@1, and again at 1 by c@2'],
  )
})

test('at least once, which is asked only when nothing is left to do', () => {
  const property = atLeastOnce('every task ends', ended, ({ dead }) =>
    dead.has('c@2') ? ['task 1'] : ['task 1', 'task 2'],
  )
  const one: readonly Event[] = [['c@1', 'ended', { task: 1 }]]
  assert.equal(broken(property, one), ['every task ends: task 2 did not'])
  assert.equal(broken(property, [...one, ['c@2', null]]), [])
  assert.equal(broken(property, one, { isIdle: false }), [])
})

test('exactly once', () => {
  const property = exactlyOnce('a task ends', ended, () => ['task 1'])
  assert.equal(broken(property, [['c@1', 'ended', { task: 1 }]]), [])
  assert.equal(broken(property, []), ['a task ends: task 1 did not'])
  assert.is(
    broken(property, [
      ['c@1', 'ended', { task: 1 }],
      ['c@1', 'ended', { task: 1 }],
    ]).length,
    1,
  )
})

const moveOf: Reads<Move> = ({ fact, who }) =>
  fact.type === 'enters' || fact.type === 'leaves'
    ? { type: fact.type, resource: String(fact['resource'] ?? 'the lock'), holder: who }
    : undefined

test('mutual exclusion', () => {
  const property = mutualExclusion('one holder', moveOf)
  const [one, other]: Event[] = [
    ['c@1', 'enters'],
    ['c@2', 'enters'],
  ]
  assert.ok(one && other)
  assert.equal(broken(property, [one, ['c@1', 'leaves'], other]), [])
  assert.equal(broken(property, [one, one]), [])
  assert.equal(broken(property, [one, ['c@1', null], other]), [])
  assert.equal(broken(property, [one, ['c@2', 'enters', { resource: 'another' }]]), [])
  assert.equal(broken(property, [one, ['c@2', 'leaves'], other]), [
    'one holder: the lock is held by c@1 since 0, and c@2 enters at 2',
  ])
})

test('exclusion of more than some', () => {
  const property = mutualExclusion('two holders', moveOf, { most: 2 })
  assert.equal(
    broken(property, [
      ['c@1', 'enters'],
      ['c@2', 'enters'],
    ]),
    [],
  )
  assert.equal(
    broken(property, [
      ['c@1', 'enters'],
      ['c@2', 'enters'],
      ['c@3', 'enters'],
    ]),
    ['two holders: the lock is held by c@1 since 0 and c@2 since 1, and c@3 enters at 2'],
  )
})

test('a fact may mean several moves, and several causes', () => {
  const moves: Reads<readonly Move[]> = ({ fact }) =>
    ['p1', 'p2'].map((resource) => ({
      type: fact.type === 'started' ? 'enters' : 'leaves',
      resource,
      holder: `job ${fact['task']}`,
    }))
  const exclusion = mutualExclusion('one job', moves)
  const [one, over, other]: Event[] = [
    ['s@1', 'started', { task: 1 }],
    ['s@1', 'ended', { task: 1 }],
    ['s@1', 'started', { task: 2 }],
  ]
  assert.ok(one && over && other)
  assert.equal(broken(exclusion, [one, over, other]), [])
  assert.equal(broken(exclusion, [one, other]), [
    'one job: p1 is held by job 1 since 0, and job 2 enters at 1; p2 is held by job 1 since 0, and job 2 enters at 1',
  ])
  const both = precedence('nothing without a start', {
    cause: ({ fact }) => (fact.type === 'started' ? ['a', 'b'] : undefined),
    effect: ({ fact }) => (fact.type === 'ended' ? ['b', 'c'] : undefined),
  })
  assert.equal(broken(both, [one, over]), ['nothing without a start: c at 1 by s@1, without a cause'])
})

test('a holder that someone else tells of leaves with its death', () => {
  const property = mutualExclusion('one holder', ({ fact }) =>
    fact.type === 'granted' ? { type: 'enters', resource: 'the lock', holder: String(fact['to']) } : undefined,
  )
  const [one, other]: Event[] = [
    ['lock@l', 'granted', { to: 'c@1' }],
    ['lock@l', 'granted', { to: 'c@2' }],
  ]
  assert.ok(one && other)
  assert.equal(broken(property, [one, ['c@1', null], other]), [])
  assert.equal(broken(property, [one, ['lock@l', null], other]), [])
  assert.is(broken(property, [one, ['c@2', null], other]).length, 1)
})

const barrierOf: Reads<BarrierEvent> = ({ fact, who }) =>
  fact.type === 'arrives' || fact.type === 'passes'
    ? { type: fact.type, round: Number(fact['round']), member: who }
    : undefined

test('barrier: nobody passes before all have arrived, and then all pass', () => {
  const property = barrier('rounds', ['c@1', 'c@2'], barrierOf)
  const round = (n: number, ...events: readonly (readonly [Address, string])[]): Event[] =>
    events.map(([who, type]) => [who, type, { round: n }])
  const whole = round(1, ['c@1', 'arrives'], ['c@2', 'arrives'], ['c@2', 'passes'], ['c@1', 'passes'])
  assert.equal(broken(property, whole), [])
  assert.equal(broken(property, [...whole, ...round(2, ['c@1', 'arrives'], ['c@1', 'passes'])]), [
    'rounds: c@1 passes round 2 at 5, before c@2',
  ])
  assert.equal(broken(property, whole.slice(0, 3)), ['rounds: round 1 has all members, and c@1 did not pass'])
  assert.equal(broken(property, whole.slice(0, 3), { lost: 1 }), [])
  assert.equal(broken(property, [...whole.slice(0, 1), ['c@2', null], ...whole.slice(3)]), [])
  assert.equal(broken(property, whole.slice(0, 1)), [])
})

test('precedence', () => {
  const property = precedence('no result without a start', { cause: keyOf('started'), effect: ended })
  assert.equal(
    broken(property, [
      ['m@1', 'started', { task: 1 }],
      ['c@1', 'ended', { task: 1 }],
      ['c@1', 'ended', { task: 1 }],
    ]),
    [],
  )
  assert.equal(
    broken(property, [
      ['m@1', 'started', { task: 1 }],
      ['c@1', 'ended', { task: 2 }],
    ]),
    ['no result without a start: task 2 at 1 by c@1, without a cause'],
  )
})

test('response', () => {
  const property = response('each start is ended', {
    cause: keyOf('started'),
    effect: ended,
    unless: (key, { dead }) => key === 'task 2' && dead.has('m@2'),
  })
  const started: readonly Event[] = [
    ['m@1', 'started', { task: 1 }],
    ['m@2', 'started', { task: 2 }],
  ]
  assert.equal(broken(property, [...started, ['c@1', 'ended', { task: 1 }], ['c@1', 'ended', { task: 2 }]]), [])
  assert.equal(broken(property, [...started, ['c@1', 'ended', { task: 1 }]]), [
    'each start is ended: task 2 at 1 by m@2, without an effect',
  ])
  assert.equal(broken(property, [...started, ['c@1', 'ended', { task: 1 }], ['m@2', null]]), [])
  assert.is(broken(property, [['c@1', 'ended', { task: 1 }], ...started], {}).length, 2)
})

const numberOf = ({ fact, who }: ObservedFact) => ({ key: who, number: Number(fact['n']) })

test('increasing, by any step and by one', () => {
  const numbers = (...all: readonly number[]): Event[] => all.map((n) => ['a@1', 'term', { n }])
  assert.equal(broken(increasing('terms grow', numberOf), numbers(1, 3, 4)), [])
  assert.equal(broken(increasing('terms grow', numberOf), numbers(1, 3, 3)), ['terms grow: a@1 has 3 after 3, at 2'])
  assert.equal(broken(increasing('terms grow', numberOf), [...numbers(3), ['a@2', 'term', { n: 1 }]]), [])
  assert.equal(broken(increasing('one by one', numberOf, { by: 1 }), numbers(4, 5, 6)), [])
  const counts = increasing('from one on', numberOf, { first: 1, by: 1 })
  assert.equal(broken(counts, [...numbers(1, 2), ['a@2', 'term', { n: 1 }]]), [])
  assert.equal(broken(counts, numbers(2, 3)), ['from one on: a@1 has 2, not 1, at 0'])
  assert.equal(broken(increasing('one by one', numberOf, { by: 1 }), numbers(1, 3)), [
    'one by one: a@1 has 3 after 1, at 1',
  ])
})

test('agreement', () => {
  const property = agreement('a transaction ends alike', ({ fact }) =>
    fact.type === 'decided' ? { key: `transaction ${fact['t']}`, value: fact['as'] } : undefined,
  )
  const decided = (who: Address, t: number, as: Plain): Event => [who, 'decided', { t, as }]
  assert.equal(
    broken(property, [
      decided('p@1', 1, { a: 1, b: 2 }),
      decided('p@2', 1, { b: 2, a: 1 }),
      decided('p@1', 2, 'abort'),
    ]),
    [],
  )
  assert.equal(broken(property, [decided('p@1', 1, 'commit'), decided('p@2', 1, 'abort')]), [
    'a transaction ends alike: transaction 1 is decided as "commit" by p@1, and as "abort" by p@2 at 1',
  ])
  assert.equal(broken(property, [['p@1', 'decided', { t: 1, said: 'commit' }]]), [
    'a transaction ends alike: transaction 1 is decided without a value by p@1 at 0',
  ])
})

test('leadership: at most one leader in a term', () => {
  const property = oneLeaderPerTerm('one leader', ({ fact, who }) =>
    fact.type === 'leads' ? { term: Number(fact['term']), leader: who } : undefined,
  )
  const leads = (who: Address, term: number): Event => [who, 'leads', { term }]
  assert.equal(broken(property, [leads('n@1', 1), leads('n@2', 2), leads('n@1', 1)]), [])
  assert.equal(broken(property, [leads('n@1', 1), leads('n@2', 1)]), [
    'one leader: the leader of term 1 is decided as "n@1" by n@1, and as "n@2" by n@2 at 1',
  ])
})

const opinionOf: Reads<Opinion> = ({ fact }) =>
  fact.type === 'suspects' || fact.type === 'trusts' ? { type: fact.type, whom: String(fact['whom']) } : undefined
const suspects = (who: Address, whom: Address): Event => [who, 'suspects', { whom }]

test('strong accuracy: nobody is taken for dead before it dies', () => {
  const property = strongAccuracy('only the dead are given up', opinionOf)
  assert.equal(broken(property, [['m@1', null], suspects('c@1', 'm@1')]), [])
  assert.equal(broken(property, [suspects('c@1', 'm@1'), ['m@1', null]]), [
    'only the dead are given up: c@1 takes m@1 for dead at 0, and it has never died',
  ])
})

test('eventual accuracy: in the end nobody takes the living for dead', () => {
  const property = eventualAccuracy('the living are known', opinionOf)
  assert.equal(broken(property, [suspects('c@1', 'm@1'), ['c@1', 'trusts', { whom: 'm@1' }]]), [])
  assert.equal(broken(property, [suspects('c@1', 'm@1'), ['m@1', null]]), [])
  assert.equal(broken(property, [suspects('c@1', 'm@1')]), [
    'the living are known: c@1 takes m@1 for dead, and it lives',
  ])
})

test('completeness: in the end the dead are taken for dead', () => {
  const property = completeness('the dead are known', opinionOf, { observers: ['c@1', 'c@2'], observed: ['m@1'] })
  assert.equal(broken(property, []), [])
  assert.equal(broken(property, [['m@1', null], suspects('c@1', 'm@1'), ['c@2', null]]), [])
  assert.equal(broken(property, [['m@1', null], suspects('c@1', 'm@1')]), [
    'the dead are known: c@2 takes m@1 for living, and it is dead',
  ])
})

const workOf: Reads<WorkEvent> = ({ fact }) =>
  fact.type === 'begins' || fact.type === 'ends' || fact.type === 'unwanted'
    ? { type: fact.type, work: `task ${fact['task']}` }
    : undefined

test('no orphans: work that nobody wants does not go on, and none begins after a while', () => {
  const property = noOrphans('no work for nobody', workOf, { grace: units(1) })
  const [begins, ends, unwanted]: Event[] = [
    ['m@1', 'begins', { task: 1 }],
    ['m@1', 'ends', { task: 1 }],
    ['c@1', 'unwanted', { task: 1 }],
  ]
  assert.ok(begins && ends && unwanted)
  assert.equal(broken(property, [begins, unwanted, ends]), [])
  assert.equal(broken(property, [unwanted, begins, ends]), [])
  assert.equal(broken(property, [unwanted, ['c@1', 'other'], begins, ends]), [
    'no work for nobody: task 1 begins at 2 on m@1, and is unwanted since 0',
  ])
  assert.equal(broken(property, [begins, unwanted]), ['no work for nobody: task 1 goes on at m@1, and is unwanted'])
  assert.equal(broken(property, [begins, unwanted, ['m@1', null]]), [])
  assert.equal(broken(property, [begins, ['m@2', 'begins', { task: 1 }], ends, unwanted]), [
    'no work for nobody: task 1 goes on at m@2, and is unwanted',
  ])
  assert.equal(broken(noOrphans('', workOf), [unwanted, ['c@1', 'other'], begins, ends]), [])
  const late = [begins, unwanted, ['c@1', 'other'], ends] as const
  assert.equal(broken(property, late), [])
  assert.equal(broken(noOrphans('none goes on', workOf, { grace: units(1), stops: true }), late), [
    'none goes on: task 1 ends at 3 on m@1, and is unwanted since 1',
  ])
})

test('conservation: transfers add up to nothing, and no account is overdrawn', () => {
  const transferOf = ({ fact }: ObservedFact) =>
    new Map(
      Object.entries(fact).flatMap(([key, amount]) => (typeof amount === 'number' ? [[key, amount] as const] : [])),
    )
  const pays = (amounts: Readonly<Record<string, number>>): Event => ['bank@b', 'pays', amounts]
  const property = conservation('no money is made or lost', transferOf, {
    start: new Map([['a', 5]]),
    unlimited: ['world'],
  })
  assert.equal(
    broken(property, [pays({ a: -5, b: 5 }), pays({ world: -1, a: 1 }), pays({ b: -2, a: 1, world: 1 })]),
    [],
  )
  assert.equal(broken(property, [pays({ a: -5, b: 6 })]), ['no money is made or lost: 1 made at 0, by pays'])
  assert.equal(broken(property, [pays({ a: -5, b: 4 })]), ['no money is made or lost: 1 lost at 0, by pays'])
  assert.equal(broken(property, [pays({ a: -6, b: 6 })]), ['no money is made or lost: a has -1 at 0, by pays'])
  assert.equal(
    broken(conservation('', transferOf, { tolerance: 0.01, unlimited: ['a'] }), [pays({ a: -0.3, b: 0.1 + 0.2 })]),
    [],
  )
})

test('conservation adds up errors that are each within the tolerance', () => {
  const leak: Event = ['bank@b', 'pays', { world: -1, a: 0.5 }]
  const transferOf: Reads<Transfer> = ({ fact }) =>
    new Map(['world', 'a'].map((account) => [account, Number(fact[account])]))
  const property = conservation('no money is made or lost', transferOf, { tolerance: 0.5, unlimited: ['world'] })
  assert.equal(broken(property, [leak]), [])
  assert.equal(broken(property, [leak, leak, leak]), ['no money is made or lost: 1 lost at 1, by pays'])
  assert.is(broken(property, [['bank@b', 'pays', {}]]).length, 1, 'an amount that is no number')
})

test('invariant', () => {
  const property = invariant('no task is negative', ({ fact }) =>
    Number(fact['task']) < 0 ? `task ${fact['task']}` : undefined,
  )
  assert.equal(
    broken(property, [
      ['c@1', 'ended', { task: 1 }],
      ['c@1', 'other'],
    ]),
    [],
  )
  assert.equal(
    broken(property, [
      ['c@1', 'ended', { task: -1 }],
      ['c@1', 'ended', { task: 1 }],
    ]),
    ['no task is negative: task -1'],
  )
})

test('the violations of one promise are told up to a limit, and the others are counted', () => {
  const events: Event[] = Array.from({ length: VIOLATIONS_TOLD + 4 }, () => ['c@1', 'ended', { task: 1 }])
  const told = broken(atMostOnce('once', ended), events)
  assert.is(told.length, VIOLATIONS_TOLD + 1)
  assert.is(told.at(-1), 'once: and 3 more')
})

test('two runs have monitors of their own', () => {
  const oracleOf = promises(atMostOnce('once', ended))
  const fact: Message = { type: 'ended', task: 1 }
  for (const oracle of [oracleOf(), oracleOf()]) {
    oracle.fold(fact, 'c@1', 0)
    assert.equal(
      oracle.violations({ isIdle: true, isSettled: true, dead: new Set(), lost: 0, clocksJumped: false }),
      [],
    )
  }
})

test.run()
