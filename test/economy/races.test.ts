/** Deaths after every message of quote, charge and start, and races with known outcomes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import type { Address } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import { type Fault, parseFault } from '../../lib/scenario/faults.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { BANK, type Economy, SCHEDULER } from '../../scenarios/economy/model.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { type EconomyJob, inOrder } from '../../scenarios/economy/workload/job.ts'
import { sampled } from '../repeats.ts'

type Row = readonly [user: string, arrival: number, processors: number, service: number, deposit: number]

const ROWS: readonly Row[] = [
  ['u1', 0, 1, 4, 10],
  ['u2', 0, 3, 2, 20],
  ['u1', 1, 2, 3, 0],
  ['u2', 2, 1, 6, 5],
]

const jobsOf = (rows: readonly Row[]): EconomyJob[] =>
  inOrder(
    rows.map(([user, arrival, processors, service, deposit]) => ({
      user,
      class: 1,
      processors,
      deposit,
      arrival: units(arrival),
      service: units(service),
    })),
  )

function economyOf(rows: readonly Row[], processors = 3): Economy {
  const holder = { income: 3, savings: 50, cap: 60, coefficients: [1, 1, 1] as const, targets: null }
  return {
    processors,
    jobs: jobsOf(rows),
    durable: true,
    patience: units(5),
    overrun: null,
    policy: policyOf('ECON'),
    market: { sharing: STANDARD_SHARING, statistics: null },
    users: { u1: holder, u2: { ...holder, income: 5 } },
  }
}

/** When `who` has handled the nth message of `type`, all of `victims` die, and come back `later` minutes after. */
interface Blow {
  readonly who: Address
  readonly type: string
  readonly n: number
  readonly victims: readonly Address[]
  readonly later: number
}

function strike(system: System, { who, type, n, victims, later }: Blow): void {
  let left = n
  system.onDelivery((line) => {
    if (line['who'] !== who || line['type'] !== type || --left !== 0) return
    const each = (act: (victim: Address) => Promise<void>) => async () => {
      for (const victim of victims) await act(victim)
    }
    system.at(
      system.now,
      each((victim) => system.kill(victim)),
    )
    system.at(
      system.now + units(later),
      each((victim) => system.restart(victim)),
    )
  })
}

async function after(blow: Blow | null, economy: Economy, options: SystemInit = {}, plan: readonly Fault[] = []) {
  const counts = new Map<string, number>()
  const given = { runtime: 'inline', rounds: 20_000, memoryMB: 4, ...options } as const
  const run = await economyRun.run(economy, given, plan, {
    onSystem: (system) => {
      system.onDelivery((line) => {
        const key = `${line['who']} ${line['type']}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      })
      if (blow) strike(system, blow)
    },
  })
  return { ...run, counts }
}

/** With delays the actors are back at once, so that old mail meets new incarnations. */
const SETTINGS = [
  { later: 7, options: {} },
  { later: 0, options: { network: { latency: units(0.5), jitter: units(0.2) } } },
] as const

for (const [name, victims] of [
  ['the scheduler', [SCHEDULER]],
  ['the bank', [BANK]],
  ['both of them', [SCHEDULER, BANK]],
  ['a processor', ['processor@p1']],
  ['a user', ['user@u1']],
] as const) {
  test(`${name} may die after any message that bank or scheduler has handled, and come back`, async () => {
    let points = 0
    for (const { later, options } of SETTINGS) {
      const economy = economyOf(ROWS)
      const { counts, broken } = await after(null, economy, options)
      assert.equal(broken, [])
      for (const [key, count] of counts) {
        const [who = '', type = ''] = key.split(' ')
        if (who !== SCHEDULER && who !== BANK) continue
        for (const n of sampled(Array.from({ length: count }, (_, i) => i + 1))) {
          const { broken, end, crashes } = await after({ who, type, n, victims, later }, economy, options)
          assert.equal([...broken, ...crashes, end.ended], ['idle'], `${later} after ${n} ${key}`)
          points++
        }
      }
    }
    assert.ok(points > sampled(Array(40)).length, String(points))
  })
}

const ONE: readonly Row[] = [['u1', 0, 2, 10, 20]]

const faults = (...lines: readonly string[]) => lines.map((line) => parseFault(line))

test('a job that ended while the scheduler was dead is not run again: processors remember their last attempt', async () => {
  const plan = faults('kill scheduler@hub at 5', 'restart scheduler@hub at 20')
  const {
    broken,
    oracle: { ledger, audit },
  } = await economyRun.run(economyOf(ONE), { runtime: 'inline' }, plan)
  assert.equal(broken, [])
  const story = ledger.jobs.get(0)
  assert.equal([story?.failures, story?.end?.at, story?.isHeard], [0, units(20), true])
  assert.is(audit?.totals(units(20)).paid, 20)
})

test('a job that arrived while the bank was dead starts once the bank has heard of it, without any other event', async () => {
  const rows: readonly Row[] = [
    ['u1', 0, 1, 1, 5],
    ['u1', 10, 2, 10, 20],
  ]
  const plan = faults('kill bank@hub at 8', 'restart bank@hub at 30')
  const far = { runtime: 'inline', network: { latency: units(1) } } as const
  const {
    broken,
    oracle: { ledger, audit },
  } = await economyRun.run(economyOf(rows), far, plan)
  assert.equal(broken, [])
  const story = ledger.jobs.get(1)
  // the scheduler asks at 30, a minute before the bank hears of it; to a processor and back are two more
  assert.equal([story?.started?.at, story?.end?.at, story?.isHeard], [units(31), units(43), true])
  assert.is(audit?.totals(units(43)).paid, 5 + 20)
})

test('a job that a dead processor forgot is run again, and pays once', async () => {
  const plan = faults('kill scheduler@hub at 5', 'restart processor@p2 at 15', 'restart scheduler@hub at 20')
  const {
    broken,
    oracle: { ledger, audit },
  } = await economyRun.run(economyOf(ONE), { runtime: 'inline' }, plan)
  assert.equal(broken, [])
  const story = ledger.jobs.get(0)
  assert.equal([story?.failures, story?.end?.at], [1, units(30)])
  assert.is(audit?.totals(units(30)).paid, 20)
})

test('a job that is wider than the rest of the machine is refused when its processors die, and its balance is forfeited', async () => {
  const plan = faults('kill processor@p2 at 4')
  const {
    broken,
    oracle: { ledger, audit, money },
  } = await economyRun.run(economyOf(ONE, 2), { runtime: 'inline' }, plan)
  assert.equal(broken, [])
  const story = ledger.jobs.get(0)
  assert.equal([story?.failures, story?.end?.why, story?.isHeard], [1, 'refused', true])
  const { paid, forfeited } = audit?.totals(units(20)) ?? {}
  assert.equal([paid, forfeited, money.users.get('u1')?.forfeited], [0, 20, 20])
})

test('a job that is paid for when the machine turns out to be too small for it is refunded and refused', async () => {
  // p2 is back, so the job is to start again; that p1 is dead is noticed while the bank is
  const plan = faults('kill processor@p1 at 3', 'restart processor@p2 at 7')
  const blow: Blow = { who: BANK, type: 'quote', n: 2, victims: [BANK], later: 7 }
  const {
    oracle: { ledger, audit },
    broken,
    end,
  } = await after(blow, economyOf(ONE, 2), {}, plan)
  assert.equal([...broken, end.ended], ['idle'])
  assert.equal([ledger.jobs.get(0)?.end?.why, ledger.jobs.get(0)?.end?.at], ['refused', units(14)])
  // its deposit, and 3 dollars a minute while it waited for the bank
  assert.equal([audit?.totals(units(20)).paid, audit?.totals(units(20)).forfeited], [0, 20 + 3 * 7])
})

test('a processor that was taken for dead does not continue its old task', async () => {
  const rows: readonly Row[] = [
    ['u1', 0, 1, 100, 0],
    ['u2', 40, 1, 5, 0],
  ]
  const plan = faults('partition p1 | hub at 2 until 30')
  const {
    broken,
    oracle: { ledger },
  } = await economyRun.run(economyOf(rows, 2), { runtime: 'inline' }, plan)
  assert.equal(broken, [])
  const [long, short] = [ledger.jobs.get(0), ledger.jobs.get(1)]
  assert.equal([long?.failures, long?.started?.processors, short?.failures, short?.end?.at], [1, [1], 0, units(45)])
})

test('a long job is finished in spite of lost mail, however often it begins again', async () => {
  let failures = 0
  for (let seed = 1; seed <= 10; seed++) {
    const lossy = { seed, network: { loss: 0.05 } }
    const {
      broken,
      oracle: { ledger },
      end,
    } = await after(null, economyOf([['u1', 0, 3, 500, 0]], 16), lossy)
    const story = ledger.jobs.get(0)
    assert.equal([...broken, end.ended, story?.end?.why], ['idle', 'finished'], `seed ${seed}`)
    failures += story?.failures ?? 0
  }
  assert.ok(failures >= 10, `${failures} failures`)
})

test('a job that is submitted many times counts once', async () => {
  const doubled = { network: { latency: units(1), duplicate: 0.5 } }
  for (let seed = 1; seed <= 10; seed++) {
    const options = { runtime: 'inline', seed, ...doubled } as const
    const {
      broken,
      oracle: { ledger },
    } = await economyRun.run(economyOf(ROWS), options, faults('restart user@u1 at 2', 'restart user@u2 at 3'))
    assert.equal(broken, [])
    assert.is(ledger.jobs.size, ROWS.length)
  }
})

test('a quote that starts no job does not lengthen the pause before the next repetition', async () => {
  const rows: readonly Row[] = [
    ['u1', 0, 2, 100, 10],
    ['u2', 1, 3, 5, 10],
    ['u2', 20, 3, 5, 10],
  ]
  const quotes: number[] = []
  const options = { runtime: 'inline', network: { latency: 0 } } as const
  const { broken } = await economyRun.run(economyOf(rows), options, faults('pause bank@hub for 21 at 19'), {
    onSystem: (system) => {
      system.onDelivery((line) => {
        if (line['who'] === BANK && line['type'] === 'quote') quotes.push(system.now)
      })
    },
  })
  assert.equal(broken, [])
  // the quote at 1 starts no job; that of 20 is repeated at 25 and 35, and all three are handled at 40
  assert.equal(
    quotes.filter((at) => at === units(40)),
    [40, 40, 40].map(units),
  )
})

test('a bank that dies after its first quote still announces the account of the missing job', async () => {
  const economy = { ...economyOf([['u2', 51, 2, 11, 8]]), patience: units(25.8) }
  const faults = ['kill bank@hub at 1', 'restart bank@hub at 92', 'restart bank@hub at 97'].map((line) =>
    parseFault(line),
  )
  const run = await economyRun.run(
    economy,
    { runtime: 'inline', memoryMB: 16, network: { latency: units(10.4) } },
    faults,
  )
  assert.equal([run.broken, run.crashes, run.missed], [[], [], []])
})

test.run()
