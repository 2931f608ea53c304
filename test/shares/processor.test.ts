/** The promises of the time-shared processor under random orders. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Program, ToScheduler } from '../../actors/processor/jobs.ts'
import { type Credit, type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import type { Order } from '../../actors/shares/user.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import { Ledger } from '../../scenarios/shares/oracle/ledger.ts'

const actors = new URL('../../actors/', import.meta.url)

interface Asked {
  readonly sharing: Sharing
  readonly messages: readonly (readonly [at: Time, message: ToScheduler])[]
  readonly until: Time
  /** For I3; without it loans are not watched: no fact tells a grant from a loan, or of the end of a sleeper. */
  readonly borrows?: (job: string) => boolean
  /** The times when the processor dies and comes back. */
  readonly dies?: readonly [at: Time, back: Time]
}

/** The promises that a processor broke under these orders of one user. */
async function brokenBy({ sharing, messages, until, borrows, dies }: Asked): Promise<string[]> {
  const cap = sharing.credit.policy === 'system' ? sharing.credit.cap : 100
  const lends = sharing.credit.policy === 'loan' && borrows !== undefined
  const ledger = new Ledger({ sharing, isPunctual: true, cap, borrows: lends ? borrows : null }, null)
  const orders = messages.map(([at, message]): Order => ({ at, to: 'processor@m1', message }))
  const { crashes } = await runScenario({
    options: { runtime: 'inline' },
    faults: [],
    until,
    open: async (system) => {
      system.onFact((fact, { who, at }) => ledger.fold(fact, who, at))
      system.onDeath(({ address, at }) => ledger.died(address, at))
      await system.spawn('processor@m1', new URL('processor/processor.ts', actors), { speed: 1, sharing })
      await system.spawn('user@m1', new URL('shares/user.ts', actors), { orders })
      if (!dies) return
      system.at(dies[0], () => system.kill('processor@m1'))
      system.at(dies[1], () => system.restart('processor@m1'))
    },
  })
  assert.equal(crashes, [])
  ledger.close()
  return ledger.violations
}

const FOREVER: Program = { kind: 'compute', work: null }
const promises = suite('promises of the machine')

const time = (most: number) => fc.integer({ min: 0, max: units(most) })
const some = (most: number) => fc.integer({ min: units(1), max: units(most) })
const program: fc.Arbitrary<Program> = fc.oneof(
  fc.constant(FOREVER),
  fc.record({ kind: fc.constant('compute' as const), work: some(200) }),
  fc.record({
    kind: fc.constant('bursts' as const),
    bursts: fc.array(fc.record({ run: some(60), sleep: time(100) }), { minLength: 1, maxLength: 3 }),
    cycles: fc.option(fc.integer({ min: 1, max: 5 })),
  }),
  fc.record({ kind: fc.constant('periodic' as const), period: some(200), run: some(60), cycles: fc.constant(null) }),
)
const job = fc.constantFrom('j0', 'j1', 'j2', 'j3', 'j4')
const amount = fc.integer({ min: 1, max: 20 })
const change: fc.Arbitrary<ToScheduler> = fc.oneof(
  fc.record({ type: fc.constantFrom('withdraw' as const, 'suspend' as const, 'resume' as const), job }),
  fc.record({ type: fc.constant('fund' as const), job, amount }),
  fc.record({ type: fc.constant('grant' as const), job, extra: fc.integer({ min: -5, max: 5 }), lasts: some(100) }),
)
const credit: fc.Arbitrary<Credit> = fc.oneof(
  fc.constant({ policy: 'none' as const }),
  fc.record({ policy: fc.constant('loan' as const), catchUp: fc.constantFrom(0.5, 1, 2) }),
  fc.record({
    policy: fc.constant('system' as const),
    catchUp: fc.constantFrom(0.5, 1, 'adaptive' as const),
    cap: fc.constantFrom(60, 95),
    competing: fc.constantFrom('resident' as const, 'active' as const),
  }),
)
const sharing: fc.Arbitrary<Sharing> = fc
  .record({
    credit,
    switching: fc.constantFrom(0, units(0.1)),
    preempt: fc.boolean(),
    clamp: fc.boolean(),
    start: fc.constantFrom('stride' as const, 'zero' as const),
  })
  .map((given) => ({ ...STANDARD, ...given, funding: { u: 100, v: 50 } }))

const jobs = fc
  .array(
    fc.record({ at: time(300), amount, program, currency: fc.constantFrom('base', 'u', 'v'), borrows: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((list) =>
    list.map(
      ({ at, ...rest }, i) => [at, { type: 'submit', job: `j${i}`, ...rest }] as const satisfies Asked['messages'][0],
    ),
  )
const inOrder = (messages: Asked['messages']) => [...messages].sort(([one], [other]) => one - other)
const isBorrower = (messages: Asked['messages']) => (name: string) =>
  messages.some(([, message]) => message.type === 'submit' && message.job === name && message.borrows !== false)

promises('sleepers, late clients and jobs that end keep them, under every policy', async () => {
  await fc.assert(
    fc.asyncProperty(sharing, jobs, async (sharing, messages) => {
      const violations = await brokenBy({
        sharing,
        messages: inOrder(messages),
        until: units(1000),
        borrows: isBorrower(messages),
      })
      assert.equal(violations, [])
    }),
    { numRuns: 40 },
  )
})

promises(
  'they hold when jobs are withdrawn, suspended, funded and granted tickets, and the processor dies',
  async () => {
    const changes = fc.array(fc.tuple(time(900), change), { maxLength: 15 })
    const dies = fc.option(fc.tuple(fc.integer({ min: units(200), max: units(400) }), fc.constant(units(500))))
    await fc.assert(
      fc.asyncProperty(sharing, jobs, changes, dies, async (sharing, messages, changes, dies) => {
        const violations = await brokenBy({
          sharing,
          messages: inOrder([...messages, ...changes]),
          until: units(1000),
          ...(dies && { dies }),
        })
        assert.equal(violations, [])
      }),
      { numRuns: 40 },
    )
  },
)

promises.run()
