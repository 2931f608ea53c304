/**
 * A job that has the processor out of turn is detected (I5): with made-up facts, and with a processor that does
 * something wrong.
 */
import fc from 'fast-check'
import { suite, test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JobFact } from '../../actors/processor/jobs.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import type { System } from '../../lib/system.ts'
import { Evenness } from '../../scenarios/shares/oracle/evenness.ts'
import { Ledger } from '../../scenarios/shares/oracle/ledger.ts'
import type { Rules } from '../../scenarios/shares/oracle/processor-audit.ts'
import { both } from '../system/harness.ts'
import { PLAIN, QUANTUM, quanta, shared, submit } from './machine.ts'

const STRIDE1 = 12
const RULES: Rules = {
  sharing: { quantum: QUANTUM, switching: 0, stride1: STRIDE1, credit: STANDARD.credit },
  isPunctual: true,
  cap: 100,
  borrows: null,
}
type Tickets = Readonly<Record<string, number>>

/** A made-up machine that reports given facts; instants are in quanta. */
class Machine {
  readonly #ledger: Ledger
  #total = 0
  #now = 0

  constructor(rules: Rules = RULES) {
    this.#ledger = new Ledger(rules, null)
  }

  get violations(): string[] {
    return this.#ledger.violations
  }

  /** Clients come, one stride beyond the global pass. */
  come(tickets: Tickets, globalPass = 0): this {
    for (const [job, amount] of Object.entries(tickets)) {
      this.#total += amount
      const pass = globalPass + STRIDE1 / amount
      this.#say({ type: 'joined', job, tickets: amount, extra: 0, total: this.#total, pass })
    }
    return this
  }

  fund(job: string, from: number, to: number, pass: number): this {
    this.#total += to - from
    return this.#say({ type: 'funded', job, tickets: to, extra: 0, total: this.#total, pass })
  }

  wait(length: number): this {
    this.#now += length
    return this
  }

  /**
   * One stay for each letter. `rest`: the part of the stay that lies after the last fact. The passes that the machine
   * tells are wrong.
   */
  run(schedule: string, length = 1, rest = length): this {
    for (const job of schedule) {
      this.#now += rest
      this.#say({ type: 'ran', job, used: quanta(length), switching: 0, pass: 0 })
    }
    return this
  }

  #say(fact: JobFact): this {
    this.#ledger.fold(fact, 'processor@m1', quanta(this.#now))
    return this
  }
}

const breaks = (line: RegExp, { violations }: Machine) => {
  assert.is(violations.length, 1, violations.join('\n'))
  assert.match(violations[0] ?? '', line)
}

const turns = suite('a job that is ahead of another does not get the processor (I5)')

turns('a schedule of 1:2:3 by stride is right, and any of two equal passes may be first', () => {
  assert.equal(new Machine().come({ A: 1, B: 2, C: 3 }).run('CBCABCCBCABC').violations, [])
  assert.equal(new Machine().come({ A: 1, B: 2, C: 3 }).run('CBCACBCBCABC').violations, [])
})

turns('one quantum out of turn is detected, and by how much', () =>
  breaks(
    /^I5: m1 at 20: B ran from 10, when it was 0.200 quanta ahead of A$/,
    new Machine().come({ A: 2, B: 3 }).run('BBA'),
  ),
)

turns('a job that never runs is detected at the first quantum that should have been its own', () => {
  const { violations } = new Machine().come({ A: 1, B: 1, C: 1 }).run('ABABAB')
  assert.match(violations[0] ?? '', /^I5: m1 at 30: A ran from 20, when it was 0.500 quanta ahead of C$/)
})

turns('a part of a quantum counts as that part', () => {
  assert.equal(
    new Machine()
      .come({ A: 1, B: 1 })
      .run('A')
      .run('BBBB', 1 / 4)
      .run('A').violations,
    [],
  )
  breaks(
    /B ran from 22.5, when it was 0.125/,
    new Machine()
      .come({ A: 1, B: 1 })
      .run('A')
      .run('BBBBBB', 1 / 4),
  )
})

turns('a job that joins or changes tickets has the pass that is told', () => {
  const few = () => new Machine().come({ A: 1, B: 2 }).run('BABB')
  assert.equal(few().come({ C: 4 }, 16).run('C').violations, [])
  breaks(/A ran from 40, when it was 0.111 quanta ahead of C/, few().come({ C: 2 }, 16).run('A'))
  assert.equal(few().fund('A', 1, 4, 20).run('A').violations, [])
})

turns('a job that came while another ran may be behind it, because that quantum is not over', () => {
  const joined = () => new Machine().come({ A: 1 }).wait(0.5).come({ C: 4 }).run('A', 1, 0.5)
  assert.equal(joined().run('C').violations, [])
  breaks(/A ran from 10, when it was 1.40 quanta ahead of C/, joined().run('A'))
})

turns('no job runs for longer than a quantum, unless the processor may be paused', () => {
  breaks(
    /^I5: m1 at 15: A ran for 15 after 0, longer than a quantum$/,
    new Machine().come({ A: 1, B: 1 }).run('A', 1.5),
  )
  assert.equal(new Machine({ ...RULES, isPunctual: false }).come({ A: 1, B: 1 }).run('A', 1.5).violations, [])
})

turns('every schedule that puts one of two more than a quantum ahead of its part is detected', () => {
  const schedule = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { maxLength: 40 })
  const tickets = fc.record(Object.fromEntries([...'ABCD'].map((job) => [job, fc.integer({ min: 1, max: 9 })])))
  let uneven = 0
  fc.assert(
    fc.property(tickets, schedule, (tickets, schedule) => {
      const evenness = new Evenness(new Map(Object.entries(tickets)))
      for (const client of schedule) evenness.add(client, 1)
      const isSeen = new Machine().come(tickets).run(schedule.join('')).violations.length > 0
      if (evenness.worst <= 1 + 1e-9) return
      uneven++
      assert.ok(isSeen, `${evenness.worst} quanta ahead`)
    }),
    { numRuns: 300 },
  )
  assert.ok(uneven > 50, `only ${uneven} schedules were uneven`)
})

turns.run()

/** The promises of `PLAIN` sharing that a processor breaks. */
async function heldTo(system: System, sharing: Partial<typeof PLAIN>, processor?: URL): Promise<string[]> {
  const ledger = new Ledger({ ...RULES, sharing: PLAIN }, null)
  system.onFact((fact, { who, at }) => ledger.fold(fact, who, at))
  await shared(system, sharing, [[0, submit('A', 1), submit('B', 2)]], 9, processor)
  ledger.close()
  return ledger.violations
}

both('a processor that shares by stride breaks no promise', async (system) => {
  assert.equal(await heldTo(system, {}), [])
})

both('a processor whose quanta are too long is detected', async (system) => {
  const [first = ''] = await heldTo(system, { quantum: quanta(2) })
  assert.match(first, /^I5: m1 at 20: B ran for 20 after 0, longer than a quantum$/)
})

both('a processor that ignores tickets is detected', async (system) => {
  const roundRobin = new URL('../fixtures/actors/round-robin.ts', import.meta.url)
  const [first = ''] = await heldTo(system, {}, roundRobin)
  assert.match(first, /^I5: m1 at 10: A ran from 0, when it was 0.333 quanta ahead of B$/)
})

test.run()
