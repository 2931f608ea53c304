/** The audits compute each decision of a processor and a ticket server again: each promise is kept by one history and broken by another. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Backing, JobFact, Leaving, Program } from '../../actors/processor/jobs.ts'
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import { type Address, type Message, ref, units } from '../../lib/actor.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { type Cluster, runs, type Said } from '../../scenarios/shares/model.ts'
import { decisionsOf } from '../../scenarios/shares/oracle/decision-audit.ts'
import { Ledger } from '../../scenarios/shares/oracle/ledger.ts'
import { creditFor } from '../../scenarios/shares/oracle/sleep-audit.ts'
import { worthsIn } from '../../scenarios/shares/oracle/worth.ts'
import { rulesOf } from '../../scenarios/shares/oracle.ts'

type Told = readonly [at: number, who: Address, ...facts: Message[]]

const QUANTUM = 10
const SHARING: Sharing = {
  ...STANDARD,
  quantum: units(QUANTUM),
  switching: 0,
  stride1: 12,
  credit: { policy: 'none' },
}

const on = (at: number, ...facts: readonly JobFact[]): Told => [at, 'processor@m1', ...facts]
const joined = (job: string, tickets: number, pass: number, total: number, extra = 0): JobFact => {
  return { type: 'joined', job, tickets, extra, total, pass }
}
const ran = (job: string, used: number, pass: number, switching = 0): JobFact => {
  return { type: 'ran', job, used: units(used), switching: units(switching), pass }
}
const left = (job: string, why: Leaving, total: number): JobFact => ({ type: 'left', job, why, total })
const funded = (job: string, tickets: number, pass: number, total: number, extra = 0): JobFact => {
  return { type: 'funded', job, tickets, extra, total, pass }
}
const credited = (job: string, extra: number, share: number, until: number): JobFact => {
  return { type: 'credited', job, extra, share, until: units(until) }
}
const ticked = (
  tickets: Readonly<Record<string, number>>,
  issued: Readonly<Record<string, number>> = {},
  backing: readonly Backing[] = [],
): JobFact => ({ type: 'ticked', informed: true, tickets, issued, backing })

const base = (job: string, amount = 1, program?: Program, machine = 'm1'): Said =>
  runs(job, machine, { currency: 'base', amount, ...(program && { program }) })

/** What the ledger says of a history; each job has base tickets and computes for ever unless there are orders. */
function violationsOf(told: readonly Told[], sharing: Partial<Sharing> = {}, orders: readonly Said[] = []): string[] {
  const jobs = ['A', 'B', 'C'].filter((job) => !orders.some(({ message }) => 'job' in message && message.job === job))
  const cluster: Cluster = {
    machines: 2,
    sharing: { ...SHARING, ...sharing },
    orders: [...orders, ...(sharing.tick ? [] : jobs.map((job) => base(job, { A: 1, B: 2, C: 4 }[job])))],
  }
  const ledger = new Ledger(rulesOf(cluster, []), null, decisionsOf(cluster))
  for (const [at, who, ...facts] of told) for (const fact of facts) ledger.fold(fact, who, units(at))
  ledger.close()
  return ledger.violations
}

const keeps = (...given: Parameters<typeof violationsOf>) => assert.equal(violationsOf(...given), [])
const breaks = (line: RegExp, ...given: Parameters<typeof violationsOf>) =>
  assert.match(violationsOf(...given).join('\n'), line)

const passes = suite('a job keeps its distance to the global pass, and pays for its time (I10)')

/** A runs, sleeps while B runs, and comes back at the same distance. */
const returning = (pass: number): Told[] => [
  on(0, joined('A', 1, 12, 1), joined('B', 1, 12, 2)),
  on(10, ran('A', 10, 24), left('A', 'asleep', 1)),
  on(20, ran('B', 10, 24), joined('A', 1, pass, 2)),
]
const EQUAL = [base('A'), base('B')]

passes('when it leaves and returns', () => {
  keeps(returning(36), {}, EQUAL)
  breaks(/^I10: m1 at 20: A comes with the pass 35 and not 36$/m, returning(35), {}, EQUAL)
})
passes('a lead is lost only if passes are clamped', () => {
  const ahead = (pass: number): Told[] => [
    on(0, joined('A', 1, 0, 1), joined('B', 1, 0, 2)),
    on(10, ran('A', 10, 12), left('B', 'suspended', 1)),
    on(20, ran('A', 10, 24), joined('B', 1, pass, 2)),
  ]
  const from = { start: 'zero' } as const
  keeps(ahead(12), from, EQUAL)
  keeps(ahead(18), { ...from, clamp: true }, EQUAL)
  breaks(/I10: m1 at 20: B comes with the pass 18 and not 12/, ahead(18), from, EQUAL)
})
passes('when its tickets change, also while it runs', () => {
  const changed = (pass: number, job: string): Told[] => [
    on(0, joined('A', 1, 12, 1), joined('B', 1, 12, 2)),
    on(5, funded('A', 2, pass, 3)),
    on(10, ran(job, 10, job === 'A' ? pass + 3 : 24)),
  ]
  const free = [base('A'), base('B'), { ...base('A'), message: { type: 'fund', job: 'A', amount: 2 } } as const]
  keeps(changed(10.5, 'A'), {}, [...free])
  breaks(/I10: m1 at 10: A did not pay for the processor when its tickets changed/, changed(7.5, 'A'), {}, [...free])
  breaks(
    /I10: m1 at 5: A has the pass 18 after a change of tickets, not 7.5, or 10.5 if it runs/,
    changed(18, 'A'),
    {},
    [...free],
  )
})
passes('when it has run', () =>
  breaks(/I10: m1 at 10: A has the pass 23 after its stay, and not 24/, [
    on(0, joined('A', 1, 12, 1)),
    on(10, ran('A', 10, 23)),
  ]),
)
passes.run()

const turns = suite('who has the processor, and for how long (I11, I12, I13)')

turns('a switch takes its time, and none is made to a job that had the processor last and has not slept', () => {
  const switched = (first: number, second: number, why: Leaving): Told[] => [
    on(0, joined('A', 1, 12, 1)),
    on(10 + first, ran('A', 10, 12 + 12 * (1 + first / 10), first), left('A', why, 0)),
    on(20 + first, joined('A', 1, 24 + 12 * (first / 10) - (1.2 * (10 + first) - 1.2 * (10 + first)), 1)),
    on(30 + first + second, ran('A', 10, 36 + 12 * ((first + second) / 10), second)),
  ]
  keeps(switched(1, 1, 'asleep'), { switching: units(1) })
  keeps(switched(1, 0, 'suspended'), { switching: units(1) })
  breaks(/^I11: m1 at 31: the switch to A took 0 and not 1$/m, switched(1, 0, 'asleep'), { switching: units(1) })
  breaks(/^I11: m1 at 10: the switch to A took 0 and not 1$/m, switched(0, 1, 'asleep'), { switching: units(1) })
})
turns('of equal passes the older job goes first', () => {
  const first = (job: string): Told[] => [on(0, joined('A', 1, 12, 1), joined('B', 1, 12, 2)), on(10, ran(job, 10, 24))]
  keeps(first('A'), {}, EQUAL)
  breaks(/^I12: m1 at 10: B ran from 0 before A, which is older and had the same pass$/m, first('B'), {}, EQUAL)
})
turns('a job that comes takes the processor from one with a larger pass, if processors preempt', () => {
  const come = on(5, joined('C', 4, 9, 5))
  const begin = on(0, joined('A', 1, 12, 1))
  const kept = [begin, come, on(10, ran('A', 10, 24))]
  keeps([begin, on(5, joined('C', 4, 9, 5), ran('A', 5, 18)), on(15, ran('C', 10, 12))])
  keeps(kept, { preempt: false })
  breaks(/^I13: m1 at 10: A kept the processor at 5, when C came with a smaller pass$/m, kept)
})
turns('a job loses the processor before its quantum is over only to one that comes', () => {
  const early = [on(0, joined('A', 1, 12, 1), joined('B', 2, 6, 3)), on(5, ran('B', 5, 9))]
  breaks(/^I13: m1 at 5: B lost the processor after 5, before its quantum was over$/m, early)
  keeps([...early, on(5, left('B', 'suspended', 1))], { start: 'stride' })
})
turns.run()

const sleeps = suite('sleep and its credit (I14, I15)')

const CREDIT = { credit: { policy: 'system', catchUp: 1, cap: 95, competing: 'resident' } } as const
const SLEEPER: Program = { kind: 'bursts', bursts: [{ run: units(10), sleep: units(10) }], cycles: null }
/** A sleeps for 10, and comes back with credit. */
const woken = (extra: number, until: number, ...rest: Told[]): Told[] => [
  on(0, joined('A', 1, 12, 1), joined('B', 2, 6, 3)),
  on(10, ran('B', 10, 12)),
  on(20, ran('A', 10, 24), left('A', 'asleep', 2)),
  on(30, ran('B', 10, 18), credited('A', extra, 0.5, until), joined('A', 1, 14 + 16 / (1 + extra), 3 + extra, extra)),
  ...rest,
]

sleeps('a sleeper gets the credit of the rule', () => {
  keeps(woken(3, 40), CREDIT)
  breaks(/^I14: m1 at 30: A gets 2 tickets for its sleep of 10 and not 3$/m, woken(2, 40), CREDIT)
  breaks(/^I14: m1 at 30: the credit of A lasts 5 and not 10$/m, woken(3, 35), CREDIT)
})
sleeps('and keeps it until its end', () => {
  const changes = (at: number, extra: number) => {
    const rise = at === 40 ? 2 : at === 41 ? 2.2 : 1
    const pass = 14 + rise + (18 - 14 - rise) * (4 / (1 + extra))
    return woken(3, 40, on(at, funded('A', 1, pass, 3 + extra, extra)))
  }
  keeps(changes(40, 0), CREDIT)
  breaks(/I14: m1 at 35: A has 0 exhaustible tickets and not 3/, changes(35, 0), CREDIT)
  breaks(/I14: m1 at 41: A has 3 exhaustible tickets and not 0/, changes(41, 3), CREDIT)
})
sleeps('the rule is that of the paper, below a cap', () => {
  assert.equal(creditFor(1, 5, 4, 8, 95), { extra: 5 / 7, lasts: 8 })
  assert.is(creditFor(1, 1, 4, 4, 95), null)
  assert.is(Math.round(creditFor(1, 2, 9, 9, 95)?.extra ?? 0), 18)
  assert.is(creditFor(1, 2, 9, 9, 95)?.lasts.toFixed(6), '10.000000')
})
sleeps('a process runs and sleeps for as long as its program says', () => {
  keeps(woken(3, 40), CREDIT, [base('A', 1, SLEEPER)])
  const short: Program = { ...SLEEPER, bursts: [{ run: units(9), sleep: units(11) }] }
  breaks(/I15: m1 at 20: A ran for 10 and not 9/, woken(3, 40), CREDIT, [base('A', 1, short)])
  breaks(/I15: m1 at 30: A slept for 10 and not 11/, woken(3, 40), CREDIT, [base('A', 1, short)])
})
sleeps('a process spins until its limit, and then sleeps', () => {
  const program: Program = {
    kind: 'parallel',
    barrier: ref('barrier@A'),
    rank: 0,
    granularity: units(5),
    imbalance: 0,
    spin: units(3),
  }
  const waits = (until: number): Told[] => [
    on(0, joined('A', 1, 12, 1)),
    on(5, { type: 'arrived', job: 'A', rank: 0, round: 1 }),
    on(
      until,
      { type: 'spun', job: 'A', lasted: units(until - 5) },
      ran('A', until, 12 + 1.2 * until),
      left('A', 'asleep', 0),
    ),
  ]
  keeps(waits(8), CREDIT, [base('A', 1, program)])
  breaks(/I15: m1 at 7: A sleeps 2 after its arrival, and should spin for 3/, waits(7), CREDIT, [base('A', 1, program)])
  breaks(/I15: m1 at 9: A spins until 9, longer than 3 from its arrival/, waits(9), CREDIT, [base('A', 1, program)])
})
sleeps.run()

const tables = suite('what a table says, and what jobs are then worth (I16, I17)')

const TICK = { funding: { X: 100 }, tick: { every: units(10), patience: 0 } }
const TICKET: Backing = { currency: 'X', amount: 1, holder: 'P' }
const OWNED: readonly Said[] = [
  runs('x1', 'm1', { currency: 'X' }),
  runs('x2', 'm2', { currency: 'X' }),
  runs('y2', 'm2', { currency: 'X', amount: 2 }),
  {
    at: 0,
    user: 'user@m1',
    to: 'ticket-server@m1',
    message: { type: 'issue', ticket: 't', ...TICKET },
  },
]
const m2 = (at: number, ...facts: readonly JobFact[]): Told => [at, 'processor@m2', ...facts]

tables('a job has its part of its currency, by the last table', () => {
  const ticks = (x1: number): Told[] => [
    m2(0, joined('x2', 100, 0.12, 100)),
    on(0, joined('x1', 100, 0.12, 100), ticked({ x1: 100 })),
    on(10, funded('x1', x1, 12 / 10 / 10 + (0.12 * 100) / x1, x1), ticked({ x1 }, { X: 1 })),
  ]
  breaks(/^I16: m1 at 10: x1 has 40 tickets at a tick and not 50$/m, ticks(40), TICK, OWNED)
  assert.not.match(violationsOf(ticks(50), TICK, OWNED).join('\n'), /I1[67]/)
})
tables('a server takes in no older report than the last one', () => {
  const told = (...amounts: readonly number[]) =>
    violationsOf(
      [
        m2(0, joined('x2', 100, 0.12, 100)),
        m2(5, joined('y2', 200 / 3, 0.12, 500 / 3)),
        ...amounts.map((X, n) => on(10 + 10 * n, ticked({}, X > 0 ? { X } : {}))),
      ],
      TICK,
      OWNED,
    ).filter((line) => line.startsWith('I17'))
  assert.equal(told(0, 1, 3), [])
  assert.equal(told(3, 0, 3), [])
  assert.match(told(3, 1).join(), /^I17: m1 at 20: the table has 1 of X elsewhere/)
  assert.match(told(2).join(), /^I17: m1 at 10: the table has 2 of X elsewhere/)
})
tables('tickets between currencies are those that users asked for, once, and stay', () => {
  const told = (...backings: readonly (readonly Backing[])[]) =>
    violationsOf(
      backings.map((backing, n) => on(10 * n, ticked({}, {}, backing))),
      TICK,
      OWNED,
    ).filter((line) => line.startsWith('I17'))
  assert.equal(told([], [TICKET], [TICKET]), [])
  assert.match(told([TICKET, TICKET]).join(), /1 of X to P is in the table more often than users asked for it/)
  assert.match(told([TICKET], []).join(), /1 of X to P is not in the table any more/)
})
tables('worth is computed through currencies that hold each other', () => {
  const worth = worthsIn({
    funding: { alice: 200, bob: 100 },
    backing: [
      { currency: 'alice', amount: 300, holder: 'proj' },
      { currency: 'bob', amount: 10, holder: 'proj' },
    ],
    held: new Map([
      ['alice', 100],
      ['bob', 30],
      ['proj', 7],
    ]),
  })
  assert.is(worth({ currency: 'proj', amount: 2 }), 50)
  assert.is(worth({ currency: 'base', amount: 2 }), 2)
})
tables('an audit that checks all of these is content with the small instance', async () => {
  const cluster = sharesCluster.modelOf(sharesCluster.small(new Map()))
  const { tables, schedule } = decisionsOf(cluster)
  assert.ok(tables && schedule.isInOrder)
  const { broken } = await sharesCluster.run(
    cluster,
    { seed: 1, runtime: 'inline', network: { latency: units(1) } },
    [],
  )
  assert.equal(broken, [])
})
tables.run()
