/** The promises about decisions of sites and brokers: each is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Message, units } from '../../lib/actor.ts'
import { complete } from '../../lib/system/options.ts'
import type { ContractsMarket } from '../../scenarios/contracts/model.ts'
import { promisesOf } from '../../scenarios/contracts/oracle/promises.ts'
import { brokenBy, type Told } from '../histories.ts'
import { SITE_TERMS } from './tasks.ts'

const test = suite('the promises about decisions')

/** Two sites of one processor. Tasks 1, 2 and 3 of 10 units are worth 100 dollars, and lose 1, 2 and 3 of them in each unit. */
const MARKET: ContractsMarket = {
  sites: [0, 1].map(() => ({
    ...SITE_TERMS,
    heuristic: { name: 'FirstPrice', alpha: 0, discount: 0 },
    processors: 1,
    preempt: 2,
    threshold: 20,
    expiry: units(9),
  })),
  broker: { preference: 'earliest', rounds: 'one by one', wait: null, rebids: 1 },
  tasks: [1, 2, 3].map((task) => ({
    task,
    arrival: 0,
    runtime: units(10),
    worth: { shape: 'linear', value: 100, decay: task, bound: null },
  })),
  patience: units(5),
  claimCap: 100,
}

function broken(history: readonly Told[], market: Partial<ContractsMarket> = {}): string[] {
  const circumstances = { options: complete({ network: { loss: 0.1 } }), faults: [] }
  return brokenBy(promisesOf({ ...MARKET, ...market }, circumstances), history)
}

const site = (at: number, type: string, more: object = {}, name = 's1'): Told => [
  at,
  `site@${name}`,
  { type, ...more } as Message,
]
const P1 = 'processor@s1p1'
const offered = (at: number, task: number, completion: number, more: object = {}): Told =>
  site(at, 'offered', { task, completion: units(completion), price: 100 - task * (completion - 10), slack: 0, ...more })
const taken = (at: number, task: number, completion: number): Told =>
  site(at, 'taken', { task, round: 1, completion: units(completion), price: 100 - task * (completion - 10) })
const began = (at: number, task: number, processor = P1): Told => site(at, 'began', { task, processor })
const started = (at: number, task: number, attempt: number, work: number): Told => [
  at,
  P1,
  { type: 'started', task, attempt, work: units(work) } as Message,
]

/** Task 1 runs from 0 on. */
const WHOLE: readonly Told[] = [
  offered(0, 1, 10, { slack: 100 }),
  taken(0, 1, 10),
  began(0, 1),
  started(0, 1, 1, 10),
  site(0, 'dispatched'),
]

test('are kept by a site that offers, takes and starts a task', () => assert.equal(broken(WHOLE), []))

test('a preempted task goes on with the work that is left, and a lost one begins again', () => {
  const rest = (work: number): Told[] => [
    ...WHOLE,
    [4, P1, { type: 'aborted', task: 1, attempt: 1, busy: units(4) } as Message],
    site(4, 'failed', { task: 1, attempt: 1, processor: P1 }),
    began(4, 1),
    started(4, 1, 2, work),
  ]
  assert.equal(broken(rest(10)), [])
  assert.equal(broken(rest(6)), [
    'a task goes on with the work that it has left: task 1, attempt 2, on processor@s1p1: 6 of 10 units',
  ])
})

const DECIDES = 'a site decides by its terms and its tasks: site@s1'
const WRONG: readonly (readonly [text: string, history: readonly Told[]])[] = [
  ['at 0 promises task 1 for 11 instead of 10', [offered(0, 1, 11, { slack: 99 })]],
  ['at 0 offers task 1 for 99 instead of 100 dollars', [offered(0, 1, 10, { price: 99, slack: 100 })]],
  ['at 0 offers task 1 with a slack of 99, not 100', [offered(0, 1, 10, { slack: 99 })]],
  ['at 85 offers task 1, whose slack of 15 is below 20', [offered(85, 1, 95, { slack: 15 })]],
  ['at 0 refuses task 1, whose slack of 100 is not below 20', [site(0, 'refused', { task: 1, slack: 100 })]],
  ['at 0 takes task 1 by terms that it does not offer', [taken(0, 1, 10)]],
  ['at 10 takes task 1, whose offer has expired', [offered(0, 1, 10, { slack: 100 }), taken(10, 1, 10)]],
  [
    'at 1 reneges on task 1, whose offer stands',
    [offered(0, 1, 10, { slack: 100 }), site(1, 'reneged', { task: 1, round: 1 })],
  ],
  ['at 5 begins task 1, which does not wait', [...WHOLE, began(5, 1)]],
  [
    'at 2 preempts task 2, which does not run on processor@s1p1',
    [...WHOLE, site(2, 'preempted', { task: 2, processor: P1 })],
  ],
  [
    'at 0 leaves processor@s1p1 idle, although task 1 waits',
    [offered(0, 1, 10, { slack: 100 }), taken(0, 1, 10), site(0, 'dispatched')],
  ],
  [
    'at 3 leaves processor@s1p1 idle after a preemption',
    [...WHOLE, site(2, 'preempted', { task: 1, processor: P1 }), site(3, 'dispatched')],
  ],
]

for (const [text, history] of WRONG) {
  test(`seen to fail: ${text}`, () => {
    const [first = ''] = broken(history)
    assert.is(first, `${DECIDES} ${text}`)
  })
}

// --- the broker ---------------------------------------------------------------------------------------------------------

const broker = (at: number, type: string, more: object = {}): Told => [
  at,
  'broker@b',
  { type, task: 1, ...more } as Message,
]
const opened = (at: number, round = 1, task = 1): Told => broker(at, 'opened', { round, task })
const answered = (at: number, name: string, completion: number, round = 1): Told =>
  broker(at, 'answered', {
    round,
    site: `site@${name}`,
    offer: { completion: units(completion), price: 100, expires: units(50) },
  })
const refused = (at: number, name: string, round = 1): Told =>
  broker(at, 'answered', { round, site: `site@${name}`, offer: null })
const decided = (at: number, name: string | null, round = 1, again = false): Told =>
  broker(at, 'decided', { round, site: name && `site@${name}`, again })
const doubted = (at: number, name: string, why: string): Told => broker(at, 'doubted', { sites: [`site@${name}`], why })
const closed = (at: number, name: string | null): Told => broker(at, 'closed', { site: name && `site@${name}` })
const BROKER = 'a broker decides by its terms and the answers that it has heard: broker@b'

/** The promises about the broker that a history breaks; no site has told the offers. */
const ofBroker = (history: readonly Told[]): string[] => broken(history).filter((text) => text.startsWith(BROKER))

test('a broker takes the best offer, asks again if no site keeps its offer, and waits for all sites at first', () => {
  assert.equal(
    ofBroker([opened(0), answered(2, 's1', 30), answered(3, 's2', 20), decided(3, 's2'), closed(5, 's2')]),
    [],
  )
  assert.equal(ofBroker([opened(0), refused(2, 's1'), refused(3, 's2'), decided(3, null), closed(3, null)]), [])
  const late = [opened(0), answered(2, 's1', 30), doubted(5, 's2', 'too late'), decided(5, 's1'), closed(9, 's1')]
  assert.equal(ofBroker(late), [])
  // the silent site need not be awaited in the next round, until it answers
  const next = (at: number) => [opened(at, 2), answered(at + 1, 's1', 40, 2), decided(at + 1, 's1', 2)]
  assert.equal(ofBroker([...late, ...next(10)]), [])
  assert.equal(ofBroker([...late, answered(10, 's2', 20), ...next(11)]), [
    `${BROKER} at 12 decides on task 1 without site@s2, which it has heard since it last waited for it in vain`,
  ])
})

const WRONGLY: readonly (readonly [text: string, history: readonly Told[]])[] = [
  [
    'at 3 awards task 1 in round 1 to site@s1, not to site@s2',
    [opened(0), answered(2, 's1', 30), answered(3, 's2', 20), decided(3, 's1')],
  ],
  [
    'at 4 waits longer for answers than it must of task 1',
    [opened(0), refused(2, 's1'), refused(3, 's2'), opened(4, 2)],
  ],
  [
    'at 3 waits for answers about task 1 for less than its time',
    [opened(0), answered(2, 's1', 30), doubted(3, 's2', 'too late'), decided(3, 's1')],
  ],
  ['at 1 doubts site@s1, which no client has given up', [opened(0), doubted(1, 's1', 'given up')]],
  ['at 1 doubts site@s1, which was not awarded task 1', [opened(0), doubted(1, 's1', 'passed over')]],
  [
    'at 3 asks again about task 1 after 1 rounds',
    [opened(0), refused(2, 's1'), refused(3, 's2'), decided(3, null, 1, true), opened(3, 2)],
  ],
  ['at 1 asks about task 2 before it has decided on task 1', [opened(0), opened(1, 2, 2)]],
  [
    'at 5 ends the search for task 1 by site@s1, but has awarded it to site@s2',
    [opened(0), answered(2, 's1', 30), answered(3, 's2', 20), decided(3, 's2'), closed(5, 's1')],
  ],
]

for (const [text, history] of WRONGLY) {
  test(`seen to fail: ${text}`, () => assert.is(ofBroker(history)[0], `${BROKER} ${text}`))
}

test('a broker hears only what a site has offered', () => {
  assert.equal(broken([opened(0), answered(2, 's1', 30)]), [
    'a broker hears only what a site has offered: task 1 at site@s1: 30000000 for 100',
  ])
})

test.run()
