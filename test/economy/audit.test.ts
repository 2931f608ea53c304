/** Tests of the money audit: golden ledgers, and a wrong fact for each of its checks. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isMessage, type Message } from '../../lib/core/data.ts'
import { type Time, units } from '../../lib/core/time.ts'
import type { FactAbout } from '../../lib/system.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import type { Audit } from '../../scenarios/economy/oracle/audit.ts'
import { auditOf } from '../../scenarios/economy/oracle.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { economyOf } from './golden/economy.ts'
import { VECTORS } from './golden/vectors.ts'

const HALF_A_CENT = 0.005

test('the sums of the audit equal the golden ledgers', async () => {
  const seen: string[] = []
  for (const vector of VECTORS) {
    for (const { policies, ledger } of vector.expect) {
      if (!ledger) continue
      for (const policy of policies) {
        const {
          broken,
          oracle: { audit },
        } = await economyRun.run(economyOf(vector, policy), { runtime: 'inline' })
        assert.equal(broken, [])
        const { received, savings, expenses, paid, forfeited } = audit?.totals(units(ledger.end)) ?? {}
        assert.equal({ expenses, forfeited }, { expenses: 0, forfeited: 0 })
        for (const [name, ours, theirs] of [
          ['income', received, ledger.income],
          ['savings', savings, ledger.savings],
          ['system', paid, ledger.system],
        ] as const) {
          assert.ok(
            Math.abs((ours ?? NaN) - theirs) < HALF_A_CENT,
            `${vector.name} ${policy}: ${name} ${ours}, not ${theirs}`,
          )
        }
        seen.push(vector.name)
      }
    }
  }
  assert.equal([...new Set(seen)], ['G1', 'G5', 'G6', 'G10'])
})

interface Heard {
  readonly fact: Message
  readonly about: FactAbout
}

/** All facts of a run. */
async function factsOf(economy: Economy): Promise<readonly Heard[]> {
  const facts: Heard[] = []
  await economyRun.run(economy, { runtime: 'inline' }, [], {
    onSystem: (system) => system.onFact((fact, about) => facts.push({ fact, about })),
  })
  return facts
}

const vector = (name: string) => {
  const found = VECTORS.find((one) => one.name === name)
  if (!found) throw new Error(`no vector ${name}`)
  return found
}

const GOLDEN = economyOf(vector('G11'), 'ECON/literal')

/** Returns the audit after some facts and the end of the run. */
function audited(economy: Economy, facts: readonly Heard[]): Audit {
  const audit = auditOf(economy)
  if (!audit) throw new Error('nothing is paid')
  for (const { fact, about } of facts) audit.fold(fact, about.who, about.at)
  audit.settle(() => true)
  return audit
}

const propertiesOf = ({ broken }: Audit) => [...new Set(broken.map(({ property }) => property))]

type Change = (fact: Message, at: Time) => Message | readonly Message[]

/** The violations after the first fact that matches `is` has been changed. */
function found(facts: readonly Heard[], is: (fact: Message) => boolean, change: Change, economy = GOLDEN): string[] {
  const place = facts.findIndex(({ fact }) => is(fact))
  assert.ok(place >= 0)
  const changed = facts.flatMap((heard, i) => {
    if (i !== place) return [heard]
    const made = change(heard.fact, heard.about.at)
    return (isMessage(made) ? [made] : made).map((fact) => ({ ...heard, fact }))
  })
  return propertiesOf(audited(economy, changed))
}

const booked = (what: string) => (fact: Message) => fact.type === 'booked' && fact['what'] === what
/** Whether a fact is a start of the scheduler. Processors report starts, too. */
const isStart = (fact: Message) => fact.type === 'started' && 'kind' in fact
const more = (field: string, by: number) => (fact: Message) => ({ ...fact, [field]: Number(fact[field]) + by })

test('every check of money fails on a wrong fact', async () => {
  const facts = await factsOf(GOLDEN)
  assert.equal(audited(GOLDEN, facts).broken, [])
  const cases: readonly (readonly [string, (fact: Message) => boolean, Change])[] = [
    ['the amount moved is the amount held', booked('charge'), more('amount', 0.01)],
    ['the amount moved is the amount held', booked('opened'), more('amount', 1)],
    ['an account is opened once, for a job', booked('opened'), (fact) => [fact, fact]],
    ['the audit agrees with the bank (savings)', booked('charge'), more('savings', -0.01)],
    ['the audit agrees with the bank (expenses)', booked('charge'), more('expenses', 0.01)],
    ['the audit agrees with the bank (paid)', booked('close'), more('paid', 0.01)],
    ['the audit agrees with the bank (forfeited)', booked('close'), more('forfeited', 0.01)],
    ['the audit agrees with the bank (received)', booked('close'), more('received', 0.01)],
    ['savings are not above the cap', booked('charge'), more('savings', 1e6)],
    ['a start is charged once', booked('charge'), (fact) => [fact, { ...fact, amount: 0 }]],
    ['a job that starts has been charged', booked('charge'), () => []],
    ['a job that starts has been charged', isStart, more('paid', 0.01)],
    ['charged = started + in flight + refunded', isStart, () => []],
    ['the account of a job that is over is closed', booked('close'), () => []],
    ['only a charged job is refunded', booked('charge'), (fact) => [{ ...fact, what: 'refund', amount: 0 }, fact]],
    ['the bank only books for its own users', booked('charge'), (fact) => ({ ...fact, user: 'nobody' })],
  ]
  for (const [property, is, change] of cases) {
    assert.ok(found(facts, is, change).includes(property), property)
  }
})

/** A job of 25 minutes, declared as 10, that pays for two pieces and not for a third; the bank quotes its balance. */
const LONG: Economy = {
  ...economyOf(vector('G1'), 'ECON/paper'),
  processors: 1,
  users: { u1: { income: 0, savings: 35, cap: 100, coefficients: [1, 1, 1], targets: null } },
  jobs: [
    { id: 0, user: 'u1', class: 1, arrival: 0, processors: 1, service: units(10), actual: units(25), deposit: 10 },
    { id: 1, user: 'u1', class: 1, arrival: units(1), processors: 1, service: units(10), deposit: 10 },
  ],
  patience: units(20),
  durable: true,
  overrun: { lasts: units(5), alpha: 0.1, grace: 0 },
}

test('the audit compares what the bank quotes and what extra time costs', async () => {
  const facts = await factsOf(LONG)
  assert.equal(audited(LONG, facts).broken, [])
  const quotes = (fact: Message) => fact.type === 'quoted'
  const balances = 'the bank quotes the balance of the job'
  for (const wrong of [9.99, null])
    assert.equal(
      found(facts, quotes, (fact) => ({ ...fact, balances: [wrong] }), LONG),
      [balances],
    )
  const price = 'extra time is sold for its price if the savings suffice'
  const priced = (fact: Message) => fact.type === 'priced'
  assert.equal(found(facts, priced, more('cost', 1), LONG), [price])
  assert.equal(
    found(facts, priced, () => [], LONG),
    ['the bank sells extra time that the scheduler asks for'],
  )
  const declines = (fact: Message) => ({ ...fact, what: 'declined', amount: 0 })
  assert.ok(found(facts, booked('extend'), declines, LONG).includes(price))
})

test('while a job waits, the audit notices any deviation from the income of its user', async () => {
  const golden = economyOf(vector('G6'), 'ECON/paper')
  const facts = await factsOf(golden)
  const isSecond = (fact: Message) => booked('charge')(fact) && fact['job'] === 2
  for (const by of [-1, 1]) {
    assert.ok(found(facts, isSecond, more('received', by), golden).includes("rates add up to the user's income"))
  }
})

test('amounts may differ by half a cent', async () => {
  const facts = await factsOf(GOLDEN)
  assert.equal(found(facts, booked('charge'), more('amount', 0.004)), [])
  assert.equal(found(facts, booked('charge'), more('amount', 0.006)), [
    'the amount moved is the amount held',
    'a job that starts has been charged',
  ])
})

test.run()
