/** Schedules worked out by hand, by a processor and its user who exchange messages. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Credit } from '../../actors/processor/sharing.ts'
import { both, type Fact } from '../system/harness.ts'
import { FIGURE_1, TICKETS } from './golden/figure-1.ts'
import { ASLEEP, FIGURE_2 } from './golden/figure-2.ts'
import { ABSENCE, EXPIRY, QUARTERS, RICHER } from './golden/stride.ts'
import { cpu, order, quanta, shared, submit } from './machine.ts'

const submitAll = (tickets: Readonly<Record<string, number>>) =>
  Object.entries(tickets).map(([job, amount]) => submit(job, amount))

/** The last reported pass of each job. */
const passes = (facts: readonly Fact[]): Record<string, unknown> =>
  Object.fromEntries(facts.flatMap(({ job, pass }) => (pass === undefined ? [] : [[String(job), pass]])))

for (const { start, schedule, passes: expected } of FIGURE_1) {
  both(`figure 1: tickets 1:2:3 where the first pass is ${start}`, async (system) => {
    const facts = await shared(system, { stride1: 6, start }, [[0, ...submitAll(TICKETS)]], 12)
    assert.is(order(facts), schedule)
    for (const [i, [A, B, C]] of expected.entries()) {
      const until = facts.filter(({ at }) => at <= quanta(i + 1))
      assert.equal(passes(until), { A, B, C }, `after quantum ${i + 1}`)
    }
  })
}

both('a client that yields after a quarter of a quantum is charged for a quarter', async (system) => {
  const B = submit('B', 1, { kind: 'bursts', bursts: [{ run: quanta(1 / 4), sleep: 0 }], cycles: null })
  const used = QUARTERS.cpu.A + QUARTERS.cpu.B
  const facts = await shared(system, { stride1: QUARTERS.stride1 }, [[0, submit('A', 1), B]], used)
  assert.is(order(facts), QUARTERS.schedule)
  assert.equal({ A: cpu(facts, 'A'), B: cpu(facts, 'B') }, QUARTERS.cpu)
  assert.equal(passes(facts), QUARTERS.passes)
})

both('a suspended client comes back as far beyond the others as it left', async (system) => {
  const { stride1, tickets, before, away, after } = ABSENCE
  const B = { job: 'B' }
  const says = [
    [0, ...submitAll(tickets)],
    [3, { type: 'suspend', ...B }],
    [7, { type: 'resume', ...B }],
  ] as const
  const facts = await shared(system, { stride1 }, says, 13)
  assert.is(order(facts), before.schedule + away.schedule + after.schedule)
  for (const [at, pass] of [
    [3, before.pass],
    [7, away.pass],
    [13, after.pass],
  ] as const) {
    assert.equal(passes(facts.filter((fact) => fact.at <= quanta(at))), { A: pass, B: pass, C: pass }, `at ${at}`)
  }
})

both('more tickets shorten the rest of a stride', async (system) => {
  const { stride1, tickets, before, amount, after } = RICHER
  const says = [
    [0, ...submitAll(tickets)],
    [2, { type: 'fund', job: 'B', amount }],
  ] as const
  const facts = await shared(system, { stride1 }, says, 8)
  assert.is(order(facts), before.schedule + after.schedule)
  const told = facts.filter(({ type, job }) => type === 'funded' && job === 'B')
  assert.equal(
    told.map(({ pass, tickets, total }) => ({ pass, tickets, total })),
    [{ pass: after.pass, tickets: amount, total: 6 }],
  )
})

for (const { policy, schedule, extra } of FIGURE_2) {
  both(`figure 2 with ${policy}: a sleep of six quanta is made up for in the next six`, async (system) => {
    const { from, until, caughtUp } = ASLEEP
    const credit: Credit =
      policy === 'loan' ? { policy, catchUp: 1 } : { policy, catchUp: 1, cap: 95, competing: 'resident' }
    const bursts = [
      { run: quanta(2), sleep: quanta(until - from) },
      { run: quanta(100), sleep: 0 },
    ]
    const facts = await shared(
      system,
      { stride1: 6, credit },
      [
        [
          0,
          submit('A', 1, undefined, { borrows: false }),
          submit('B', 1),
          submit('C', 1, { kind: 'bursts', bursts, cycles: 1 }),
        ],
      ],
      caughtUp,
    )
    assert.is(order(facts), schedule)
    for (const job of 'ABC') assert.is(cpu(facts, job), 6)
    const woken = facts.find(({ type, job, at }) => type === 'joined' && job === 'C' && at === quanta(until))
    assert.is(woken?.['extra'], extra.C)
    const borrower = facts.find(
      ({ type, job, at, why }) => type === 'left' && job === 'B' && at === quanta(until) && why,
    )
    assert.is(borrower?.['why'], extra.B === -1 ? 'insolvent' : undefined)
  })
}

for (const credit of [
  { policy: 'loan', catchUp: 1 },
  { policy: 'system', catchUp: 1, cap: 95, competing: 'active' },
] satisfies readonly Credit[]) {
  both(
    `a sleeper whose clock jumps back wakes without credit for a negative time (${credit.policy})`,
    async (system) => {
      const bursts = [
        { run: quanta(1), sleep: quanta(3) },
        { run: quanta(100), sleep: 0 },
      ]
      const sleeper = submit('B', 1, { kind: 'bursts', bursts, cycles: 1 })
      system.at(quanta(3), () => system.jumpClock('m1', -quanta(4)))
      const facts = await shared(system, { stride1: 6, credit }, [[0, submit('A', 1), sleeper]], 6)
      const joined = facts.flatMap(({ type, job, at }) => (type === 'joined' && job === 'B' ? [at] : []))
      assert.equal(joined, [0, quanta(5)])
    },
  )
}

both('a process whose clock jumps back while it runs ends when that clock has shown its time', async (system) => {
  const job = submit('A', 1, { kind: 'bursts', bursts: [{ run: quanta(1 / 2), sleep: 0 }], cycles: 1 })
  system.at(quanta(1 / 4), () => system.jumpClock('m1', -quanta(1 / 8)))
  const facts = await shared(system, { stride1: 6 }, [[0, job]], 2)
  const left = facts.flatMap(({ type, at }) => (type === 'left' ? [at] : []))
  assert.equal(left, [quanta(5 / 8)])
})

both('exhaustible tickets count until they are gone', async (system) => {
  const { stride1, extra, before, after, cpu: expected } = EXPIRY
  const grant = { type: 'grant', job: 'A', extra, lasts: quanta(before.length) } as const
  const facts = await shared(system, { stride1 }, [[0, submit('A', 1), submit('B', 1), grant]], 14)
  assert.is(order(facts), before + after)
  assert.equal({ A: cpu(facts, 'A'), B: cpu(facts, 'B') }, expected)
})

test.run()
