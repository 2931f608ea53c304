/** Each promise of the ledger is broken once, by a story that is told wrongly. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Ledger } from '../../actors/contracts/ledger.ts'
import type { Task } from '../../actors/contracts/values.ts'
import { type Address, type Message, units } from '../../lib/actor.ts'

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

/** In time, to the unit: 2 late against the arrival, so 46. */
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

/** The second site does it at 27, for 26; the first, which does not answer any more, owes the rest of what it had promised. */
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

test('a task that is run and paid as agreed breaks no promise', () => assert.equal(brokenBy(STORY), []))

test('nor does one that was preempted and went on elsewhere', () => {
  const begun = [...begin(7), ...stop('aborted', 9, 2), ...begin(9, P2, 2)]
  assert.equal(brokenBy({ ...STORY, begun, done: stop('finished', 17, 8, P2, 2) }), [])
})

test('nor one whose processor died, and that ran for its whole runtime on another', () => {
  const lost = say(S1, 6, 'failed', { attempt: 1, processor: P1 })
  const begun = [...begin(5), lost, ...begin(7, P2, 2)]
  assert.equal(brokenBy({ ...STORY, begun, done: stop('finished', 17, 10, P2, 2) }), [])
})

test('nor one whose site was given up, and never came back', () => assert.equal(brokenBy(TWO_SITES, ['site@s1']), []))

test('nor one whose site came back, and heard that it is not wanted any more', () =>
  assert.equal(brokenBy({ ...TWO_SITES, voided: voided() }), []))

test('nor one that the first site did after all, when the second is dead and cannot hear that it is not wanted', () => {
  const { begun, done, earned, paid, received } = STORY
  assert.equal(brokenBy({ ...TWO_SITES, claimed: [], begun, done, earned, paid, received }, ['site@s2']), [])
})

test('nor one that nobody else takes: all is claimed that there is to lose, and withdrawn when the site does it after all', () => {
  const { begun, done, earned, paid, received, ...before } = STORY
  const lost = [say(CLIENT, 8, 'lost', { site: S1 })]
  const claimed = [say(CLIENT, 8, 'claimed', { site: S1, amount: 146 })]
  assert.equal(brokenBy({ ...before, lost, claimed }, ['site@s1']), [])
  const withdrawn = [say(CLIENT, 17, 'claimed', { site: S1, amount: 0 })]
  assert.equal(brokenBy({ ...before, lost, claimed, begun, done, earned, paid, withdrawn, received }), [])
})

test('of a client that is gone only the tasks are run', () => {
  const { paid: _, received: __, ...before } = STORY
  assert.equal(brokenBy(before, ['client@c1']), [])
})

const WRONG: readonly (readonly [property: string, story: Readonly<Record<string, Lines>>, dead?: Address])[] = [
  ['only tasks that were requested are spoken of', { ...STORY, requested: [] }],
  ['only who has a contract speaks of it', { ...STORY, taken: [] }],
  ['a task has one contract', { ...STORY, taken: [...taken(), ...taken(S2)] }],
  ['a task has one contract', { ...TWO_SITES, lost: [] }],
  ['a task has one contract', { ...STORY, taken: [...taken(), ...taken(S1, 2)] }],
  ['no task begins before it arrives', { ...STORY, begun: begin(4) }],
  ['a task runs for its runtime', { ...STORY, done: stop('finished', 17, 9) }],
  ['a task runs on one processor at a time', { ...STORY, begun: [...begin(7), ...begin(7, P2)] }],
  ['a yield is what the value function says', { ...STORY, earned: earned(17, 47, 46) }],
  ['what is due is the price, or the yield if it is less', { ...STORY, earned: earned(17, 46, 45) }],
  ['what is paid is what is earned', { ...STORY, paid: pays(17, 45) }],
  ['a task is paid once', { ...STORY, paid: [...pays(17, 46), ...pays(17, 46)] }],
  ['a task is done once', { ...STORY, earned: [...earned(17, 46, 46), ...earned(17, 46, 46)] }],
  ['only the paid site gets a receipt', { ...STORY, paid: [] }],
  ['only the paid site gets a receipt', { ...STORY, received: voided() }],
  [
    'a claim is on who was given up',
    { requested, taken: taken(), claimed: [say(CLIENT, 17, 'claimed', { site: S1, amount: 146 })] },
  ],
  ['a claim is capped', { ...TWO_SITES, claimed: [say(CLIENT, 27, 'claimed', { site: S1, amount: 147 })] }],
  [
    'a claim is what was promised less what came of it',
    { ...TWO_SITES, claimed: [say(CLIENT, 27, 'claimed', { site: S1, amount: 19 })] },
  ],
  ['a client hears what becomes of each task', { requested }],
  ['who is told of a contract has one', { requested, placed: placed() }],
  ['what is taken on is done', { requested, taken: taken(), placed: placed() }],
  ['every contract is settled, or a claim recorded', { ...STORY, paid: [], received: [] }],
  ['every contract is settled, or a claim recorded', { ...TWO_SITES, claimed: [] }, 'site@s1'],
  ['a site hears what becomes of its bill', { ...STORY, received: [] }],
]

for (const [property, story, dead] of WRONG) {
  test(`seen to fail: ${property}`, () => {
    const broken = brokenBy(story, dead ? [dead] : [])
    assert.ok(broken.includes(property), broken.join('; ') || 'nothing was broken')
  })
}

test('seen to fail: a processor runs one task at a time', () => {
  const other = { attempt: 1, work: units(1), task: 2 }
  const second = say(CLIENT, 5, 'requested', { task: 2, of: { ...TASK, task: 2 } })
  const begun = [...begin(7), say(P1, 7, 'started', other)]
  assert.ok(brokenBy({ second: [second], ...STORY, begun }).includes('a processor runs one task at a time'))
})

test.run()
