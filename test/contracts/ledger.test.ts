/** Tests of the ledger: correct facts violate no invariant, and each invariant is seen to fail on wrong facts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Task } from '../../actors/contracts/values.ts'
import { type Address, type Message, units } from '../../lib/actor.ts'
import { Ledger } from '../../scenarios/contracts/oracle/ledger.ts'

const TASK: Task = {
  task: 1,
  arrival: units(5),
  runtime: units(10),
  worth: { shape: 'linear', value: 50, decay: 2, bound: null },
}
const CLIENT: Address = 'client@c1'
const [S1, S2]: Address[] = ['site@s1', 'site@s2']
const [P1, P2]: Address[] = ['processor@s1p1', 'processor@s1p2']
const ELSEWHERE: Address = 'processor@s2p1'

type Line = readonly [who: Address, at: number, fact: Message]
type Lines = readonly Line[]

const say = (who: Address | undefined, at: number, type: string, about: object = {}): Line => [
  who ?? CLIENT,
  at,
  { type, task: 1, ...about },
]
const begin = (at: number, processor: Address | undefined = P1, attempt = 1): Lines => [
  say(processor === ELSEWHERE ? S2 : S1, at, 'began', { processor }),
  say(processor, at, 'started', { attempt, work: units(10) }),
]
const stop = (type: 'finished' | 'aborted', at: number, busy: number, processor = P1, attempt = 1): Lines => [
  say(processor, at, type, { attempt, busy: units(busy) }),
]
const requested: Lines = [say(CLIENT, 5, 'requested', { of: TASK })]
const taken = (site = S1, round = 1): Lines => [say(site, 5, 'taken', { round, completion: units(17), price: 46 })]
const placed = (site = S1): Lines => [say(CLIENT, 5, 'placed', { site })]
const earned = (at: number, worth: number, paid: number, site = S1): Lines => [
  say(site, at, 'earned', { finish: units(at), yield: worth, paid }),
]
const pays = (at: number, paid: number, site = S1): Lines => [
  say(CLIENT, at, 'paid', { site, finish: units(at), paid }),
]
const received = (site = S1): Lines => [say(site, 30, 'received')]
const voided = (site = S1): Lines => [say(site, 30, 'voided')]

/** A task that is done at the promised time, with a delay of 2 units, so that it earns 46. */
const STORY = {
  requested,
  taken: taken(),
  placed: placed(),
  begun: begin(7),
  done: stop('finished', 17, 10),
  earned: earned(17, 46, 46),
  paid: pays(17, 46),
  received: received(),
}

/** The first site is given up; the second one does the task at 27, for 26. The first owes the rest of its promised 46. */
const TWO_SITES = {
  requested,
  taken: taken(),
  placed: placed(),
  lost: [say(CLIENT, 8, 'lost', { site: S1 })],
  again: [...taken(S2, 2), ...placed(S2)],
  begun: begin(17, ELSEWHERE),
  done: stop('finished', 27, 10, ELSEWHERE),
  earned: earned(27, 26, 26, S2),
  paid: pays(27, 26, S2),
  claimed: [say(CLIENT, 27, 'claimed', { site: S1, amount: 20 })],
  received: received(S2),
}

function brokenBy(story: Readonly<Record<string, Lines>>, dead: readonly Address[] = []): string[] {
  const ledger = new Ledger({ claimCap: 100, isEven: true })
  for (const [who, at, fact] of Object.values(story).flat()) ledger.fold(fact, who, units(at))
  ledger.close(new Set(dead))
  return [...new Set(ledger.broken.map(({ property }) => property))]
}

test('a task that is run and paid as agreed violates no invariant', () => assert.equal(brokenBy(STORY), []))

test('a task that was preempted and continued on another processor violates no invariant', () => {
  const begun = [...begin(7), ...stop('aborted', 9, 2), ...begin(9, P2, 2)]
  assert.equal(brokenBy({ ...STORY, begun, done: stop('finished', 17, 8, P2, 2) }), [])
})

test('a task that ran again in full after its processor died violates no invariant', () => {
  const lost = say(S1, 6, 'failed', { attempt: 1, processor: P1 })
  const begun = [...begin(5), lost, ...begin(7, P2, 2)]
  assert.equal(brokenBy({ ...STORY, begun, done: stop('finished', 17, 10, P2, 2) }), [])
})

test('a task whose site was given up and never came back violates no invariant', () =>
  assert.equal(brokenBy(TWO_SITES, ['site@s1']), []))

test('a task whose first site came back and voided its contract violates no invariant', () =>
  assert.equal(brokenBy({ ...TWO_SITES, voided: voided() }), []))

test('a task that the first site did after all, while the second was dead, violates no invariant', () => {
  const { begun, done, earned, paid, received } = STORY
  assert.equal(brokenBy({ ...TWO_SITES, claimed: [], begun, done, earned, paid, received }, ['site@s2']), [])
})

test('a task that a site which was passed over did after all, while the other one was dead, violates no invariant', () => {
  const passed = [say('broker@b', 5, 'passed', { round: 1, site: S2 })]
  const { begun, done, earned: earns, paid, received: receives } = TWO_SITES
  const first = { requested, passed, taken: taken(), placed: placed(), late: taken(S2) }
  assert.equal(brokenBy({ ...first, begun, done, earns, paid, receives }, ['site@s1']), [])
})

test('the highest claim, for a task that no other site takes, and its withdrawal violate no invariant', () => {
  const { begun, done, earned, paid, received, ...before } = STORY
  const lost = [say(CLIENT, 8, 'lost', { site: S1 })]
  const claimed = [say(CLIENT, 8, 'claimed', { site: S1, amount: 146 })]
  assert.equal(brokenBy({ ...before, lost, claimed }, ['site@s1']), [])
  const withdrawn = [say(CLIENT, 17, 'claimed', { site: S1, amount: 0 })]
  assert.equal(brokenBy({ ...before, lost, claimed, begun, done, earned, paid, withdrawn, received }), [])
})

test('a claim on a site that was given up, and was paid after all, must be withdrawn', () => {
  const { requested, taken, placed, begun, done, earned, paid, received } = STORY
  const lost = [say(CLIENT, 8, 'lost', { site: S1 })]
  const claimed = [say(CLIENT, 8, 'claimed', { site: S1, amount: 146 })]
  assert.equal(brokenBy({ requested, taken, placed, lost, claimed, begun, done, earned, paid, received }), [
    'a site that was paid for a task owes no claim for it',
  ])
})

test('the tasks of a dead client are run, and nothing else is expected', () => {
  const { paid: _, received: __, ...before } = STORY
  assert.equal(brokenBy(before, ['client@c1']), [])
})

const WRONG: readonly (readonly [property: string, story: Readonly<Record<string, Lines>>, dead?: Address])[] = [
  ['facts only concern tasks that were requested', { ...STORY, requested: [] }],
  ['only a site with a contract reports on the task', { ...STORY, taken: [] }],
  ['a task has one contract', { ...STORY, taken: [...taken(), ...taken(S2)] }],
  ['a task has one contract', { ...TWO_SITES, lost: [] }],
  ['a task has one contract', { ...STORY, taken: [...taken(), ...taken(S1, 2)] }],
  ['a task runs for its runtime', { ...STORY, done: stop('finished', 17, 9) }],
  ['a yield follows from the value function', { ...STORY, earned: earned(17, 47, 46) }],
  ['the amount due is the price, or the yield if that is less', { ...STORY, earned: earned(17, 46, 45) }],
  ['the client pays the amount that the site earned', { ...STORY, paid: pays(17, 45) }],
  ['a task is paid once', { ...STORY, paid: [...pays(17, 46), ...pays(17, 46)] }],
  ['a task is done once', { ...STORY, earned: [...earned(17, 46, 46), ...earned(17, 46, 46)] }],
  ['only the paid site gets a receipt', { ...STORY, paid: [] }],
  ['only the paid site gets a receipt', { ...STORY, received: voided() }],
  [
    'only a site that was given up owes a claim',
    { requested, taken: taken(), claimed: [say(CLIENT, 17, 'claimed', { site: S1, amount: 146 })] },
  ],
  ['a claim is capped', { ...TWO_SITES, claimed: [say(CLIENT, 27, 'claimed', { site: S1, amount: 147 })] }],
  [
    'a claim is the promised price less the final yield',
    { ...TWO_SITES, claimed: [say(CLIENT, 27, 'claimed', { site: S1, amount: 19 })] },
  ],
  ['a client learns the outcome of each task', { requested }],
  ['a client is only told of contracts that exist', { requested, placed: placed() }],
  ['a task under contract is done', { requested, taken: taken(), placed: placed() }],
  ['every contract is settled, or a claim recorded', { ...STORY, paid: [], received: [] }],
  ['every contract is settled, or a claim recorded', { ...TWO_SITES, claimed: [] }, 'site@s1'],
  ['a site gets an answer to each bill', { ...STORY, received: [] }],
]

for (const [property, story, dead] of WRONG) {
  test(`seen to fail: ${property}`, () => {
    const broken = brokenBy(story, dead ? [dead] : [])
    assert.ok(broken.includes(property), broken.join('; ') || 'nothing was broken')
  })
}

test.run()
