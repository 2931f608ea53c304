/** The audit detects jobs with wrong values (I4, I9), in made-up facts and with a server that ignores its peers. */
import { suite, test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JobFact } from '../../actors/processor/jobs.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import type { Message } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import type { SystemInit } from '../../lib/system.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { type Cluster, open } from '../../scenarios/shares/model.ts'
import type { Terms } from '../../scenarios/shares/oracle/currency-audit.ts'
import { Ledger } from '../../scenarios/shares/oracle/ledger.ts'
import type { Rules } from '../../scenarios/shares/oracle/processor-audit.ts'
import { rulesOf, termsOf } from '../../scenarios/shares/oracle.ts'
import { network } from '../system/harness.ts'
import { COOPERATING, FIGURE_4, figure4, PERIOD, run } from './figure-4.ts'

const RULES: Rules = {
  sharing: { quantum: Number.POSITIVE_INFINITY, switching: 0, stride1: 1, credit: STANDARD.credit },
  isPunctual: true,
  cap: 100,
  borrows: null,
}

/** News takes from one tick to the next, and 1 more. */
const SPREAD = { period: units(10), delay: units(1), keep: units(30), disturbed: [] }
/** A has a job on each of two machines, B one on m1. */
const TERMS: Terms = {
  funding: { A: 100, B: 50 },
  held: new Map([
    ['a1', { currency: 'A', amount: 1 }],
    ['a2', { currency: 'A', amount: 3 }],
    ['b1', { currency: 'B', amount: 7 }],
  ]),
  asked: new Map(),
  countsSleepers: true,
  spread: SPREAD,
}

type Told = readonly [at: number, machine: string, fact: JobFact] | readonly [at: number, who: 'user', fact: Message]

const ticked = (tickets: Readonly<Record<string, number>>, informed = true): JobFact => ({
  type: 'ticked',
  informed,
  tickets,
  issued: {},
  backing: [],
})
const alone = (tickets: Readonly<Record<string, number>>) => ticked(tickets, false)

function folded(terms: Partial<Terms>, told: readonly Told[], deaths: Readonly<Record<string, number>> = {}): Ledger {
  const ledger = new Ledger(RULES, { ...TERMS, ...terms })
  const open = new Map(Object.entries(deaths))
  for (const [at, who, fact] of told) {
    for (const [role, when] of open) {
      if (when > at) continue
      ledger.died(`${role === 'm2' ? 'processor' : 'ticket-server'}@m2`, units(when))
      open.delete(role)
    }
    ledger.fold(fact, who === 'user' ? 'user@m1' : `processor@${who}`, units(at))
  }
  ledger.close()
  return ledger
}

const wrongs = (...given: Parameters<typeof folded>): string[] => folded(...given).violations

/** Both machines tick. */
const both = (at: number, m1: Readonly<Record<string, number>>, m2: Readonly<Record<string, number>>): Told[] => [
  [at, 'm1', ticked(m1)],
  [at, 'm2', ticked(m2)],
]
const EARLY = both(0, { a1: 100, b1: 50 }, { a2: 100 })
const ON_TIME = both(20, { a1: 25, b1: 50 }, { a2: 75 })

const conserved = suite('once all machines must know of all jobs, jobs are worth what currencies are funded with (I4)')

conserved('values are checked one tick and a delay after the last change, and not before', () => {
  const { violations, looked } = folded({}, [...EARLY, ...both(10, { a1: 100, b1: 50 }, { a2: 100 }), ...ON_TIME])
  assert.equal(violations, [])
  assert.equal(looked, { I4: 3, I9: 0 })
})

conserved('tickets without funding are detected, on each machine that has any', () => {
  assert.equal(wrongs({}, [...EARLY, ...both(20, { a1: 100, b1: 50 }, { a2: 75 })]), [
    'I4: m1 at 20: a1 has 100 tickets and not 25 though all machines have heard of all jobs',
  ])
  assert.is(wrongs({}, [...EARLY, ...both(20, { a1: 30, b1: 50 }, { a2: 70 })]).length, 2)
})

conserved('a withdrawn job that still counts is detected', () => {
  const came: Told = [0, 'm2', { type: 'joined', job: 'a2', tickets: 100, extra: 0, total: 100, pass: 0 }]
  const gone: Told = [21, 'm2', { type: 'left', job: 'a2', why: 'withdrawn', total: 0 }]
  const after = (a1: number) => {
    const told = [...both(30, { a1: 25, b1: 50 }, {}), ...both(40, { a1, b1: 50 }, {})]
    return wrongs({}, [came, ...EARLY, ...ON_TIME, gone, ...told])
  }
  assert.equal(after(100), [])
  assert.match(after(25).join(), /^I4: m1 at 40: a1 has 25 tickets and not 100 /)
})

conserved(
  'values are not checked if reports may be late: without a bound, in a pause or a partition and shortly after',
  () => {
    const late: Told[] = [...EARLY, ...both(20, { a1: 100, b1: 50 }, { a2: 100 })]
    assert.equal(wrongs({ spread: null }, late), [])
    const cut = { spread: { ...SPREAD, disturbed: [{ from: 0, until: 0 }] } }
    assert.equal(wrongs(cut, late), [])
    assert.is(wrongs(cut, [...EARLY, ...both(30, { a1: 100, b1: 50 }, { a2: 100 })]).length, 2)
  },
)

conserved('jobs on a machine whose ticket server died are forgotten after some periods', () => {
  const rest = (at: number, a1: number): Told[] => [
    [at, 'm1', ticked({ a1, b1: 50 })],
    [at, 'm2', alone({ a2: 100 })],
  ]
  const dies = { server: 21 }
  assert.equal(wrongs({}, [...EARLY, ...ON_TIME, ...rest(30, 25), ...rest(60, 25), ...rest(70, 100)], dies), [])
  assert.match(
    wrongs({}, [...EARLY, ...ON_TIME, ...rest(30, 25), ...rest(70, 25)], dies).join(),
    /^I4: m1 at 70: a1 has 25 tickets and not 100 /,
  )
})

conserved('jobs on a machine whose processor died are forgotten after some periods', () => {
  const rest: Told[] = [[70, 'm1', ticked({ a1: 25, b1: 50 })]]
  assert.match(wrongs({}, [...EARLY, ...ON_TIME, ...rest], { m2: 21 }).join(), /a1 has 25 tickets and not 100/)
})

conserved('without credit a sleeper holds nothing', () => {
  const asleep: Told[] = [
    [1, 'm1', { type: 'joined', job: 'a1', tickets: 100, extra: 0, total: 100, pass: 0 }],
    [1, 'm1', { type: 'left', job: 'a1', why: 'asleep', total: 0 }],
  ]
  const told = (a2: number) => [...EARLY, ...asleep, ...both(20, { a1: 25, b1: 50 }, { a2 })]
  assert.equal(wrongs({ countsSleepers: false }, told(100)), [])
  assert.match(wrongs({ countsSleepers: false }, told(75)).join(), /m2 at 20: a2 has 75 tickets and not 100/)
})

const NESTED: Partial<Terms> = {
  held: new Map([
    ['a1', { currency: 'A', amount: 1 }],
    ['p2', { currency: 'proj', amount: 2 }],
  ]),
  asked: new Map([['t', { currency: 'A', amount: 3, holder: 'proj', at: 0 }]]),
}
const ISSUED: Told = [2, 'user', { type: 'issued', ticket: 't', from: 'ticket-server@m1' }]
const nested = (at: number, a1: number) => both(at, { a1 }, { p2: 75 })

conserved('tickets that a currency holds count from when users heard of them', () => {
  const { violations, looked } = folded(NESTED, [ISSUED, ...nested(10, 100), ...nested(20, 25), ...nested(30, 25)])
  assert.equal([violations, looked], [[], { I4: 2, I9: 0 }])
  assert.match(wrongs(NESTED, [ISSUED, ...nested(10, 100), ...nested(30, 100)]).join(), /a1 has 100 tickets and not 25/)
  // until users heard of them, they may count or not
  assert.equal(wrongs(NESTED, [...nested(10, 100), ...nested(30, 100)]), [])
  const refused: Told = [2, 'user', { type: 'refused', ticket: 't', reason: 'no' }]
  const held = new Map([['a1', { currency: 'A', amount: 1 }]])
  assert.match(
    wrongs({ ...NESTED, held }, [refused, ...both(0, { a1: 25 }, {}), ...both(30, { a1: 25 }, {})]).join(),
    /25 tickets and not 100/,
  )
})

conserved('a job whose tickets are not known is not checked, nor are its neighbours', () => {
  assert.equal(wrongs({}, [...EARLY, ...both(1, { a1: 1, x: 1 }, {}), ...both(30, { a1: 1, x: 1 }, {})]), [])
})

conserved.run()

const independent = suite('without an answer a machine counts only its own jobs (I9)')

independent('a machine that counts its own jobs at once is right', () => {
  const { violations, looked } = folded({}, [...EARLY, [1, 'm2', alone({ a2: 100 })]])
  assert.equal([violations, looked], [[], { I4: 0, I9: 1 }])
})

independent('a machine that counts earlier reports is detected', () =>
  assert.equal(wrongs({}, [...EARLY, ...ON_TIME, [30, 'm2', alone({ a2: 75 })]]), [
    'I9: m2 at 30: a2 has 75 tickets and not 100 on its own',
  ]),
)

independent('this is also checked when mail is lost or actors are paused or cut off', () =>
  assert.is(wrongs({ spread: null }, [[0, 'm2', alone({ a2: 75 })]]).length, 1),
)

independent('its currencies keep the backing that it was last told', () => {
  const told = (p2: number): Told[] => [ISSUED, ...nested(10, 25), ...nested(30, 25), [40, 'm2', alone({ p2 })]]
  assert.equal(wrongs(NESTED, told(100)), [])
  assert.match(wrongs(NESTED, told(75)).join('; '), /^I9: m2 at 40: p2 has 75 tickets and not 100 on its own$/)
  // users never heard of it
  assert.equal(wrongs(NESTED, [[30, 'm2', alone({ p2: 75 })]]), [])
})

independent.run()

const SMALL: SystemInit = { runtime: 'inline', memoryMB: 8, actors: 31, network: network(1) }
const CLUSTER: Cluster = figure4(COOPERATING)
const UNTIL = 6 * PERIOD
const actors = new URL('../../actors/', import.meta.url)
const DEAF = new URL('../fixtures/actors/deaf-server.ts', import.meta.url)

test('a cluster is checked for both, wherever they apply', async () => {
  const faults = [parseFault('kill ticket-server@m1 at 4500')]
  const { broken, oracle } = await sharesCluster.run({ ...CLUSTER, until: 12 * PERIOD }, SMALL, faults)
  assert.equal(broken, [])
  // eight jobs at three ticks before, and six at four after m1 is forgotten; its two at eight
  assert.equal(oracle.looked, { I4: 8 * 3 + 6 * 4, I9: 2 * 8 })
})

test('servers that are cut off from each other are detected if no fault announces it', async () => {
  const ledger = new Ledger(rulesOf(CLUSTER, []), termsOf(CLUSTER, [], SMALL))
  await runScenario({
    options: SMALL,
    until: UNTIL,
    faults: [parseFault('partition m1 | m2,m3,m4 at 0 until 9000')],
    open: async (system) => {
      system.onFact((fact, { who, at }) => ledger.fold(fact, who, at))
      await open(system, CLUSTER)
    },
  })
  assert.match(ledger.violations[0] ?? '', /^I4: m1 at 2000: A-m1 has 100 tickets and not 25 /)
})

test('a ticket server that hears from no peer and tells none is detected', async () => {
  const sharing = COOPERATING
  const cluster: Cluster = {
    machines: 2,
    sharing,
    orders: [run('A', 'm1'), run('A', 'm2'), ...FIGURE_4.slice(4, 6)],
  }
  const ledger = new Ledger(rulesOf(cluster, []), termsOf(cluster, [], SMALL))
  await runScenario({
    options: SMALL,
    until: UNTIL,
    faults: [],
    open: async (system) => {
      system.onFact((fact, { who, at }) => ledger.fold(fact, who, at))
      for (const machine of ['m1', 'm2']) {
        const server = machine === 'm2' ? DEAF : new URL('shares/tickets/ticket-server.ts', actors)
        const orders = cluster.orders
          .filter(({ user }) => user === `user@${machine}`)
          .map(({ user: _, ...order }) => order)
        await system.spawn(`processor@${machine}`, new URL('processor/processor.ts', actors), { speed: 1, sharing })
        await system.spawn(`ticket-server@${machine}`, server, { keep: 3 * PERIOD, funding: sharing.funding })
        await system.spawn(`user@${machine}`, new URL('shares/user.ts', actors), { orders })
      }
    },
  })
  assert.match(ledger.violations.join('; '), /I4: m2 at 2000: A-m2 has 100 tickets and not 50 /)
})

test.run()
