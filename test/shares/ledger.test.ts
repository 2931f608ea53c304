/** The ledger detects each broken promise in made-up facts. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JobFact, Leaving } from '../../actors/processor/jobs.ts'
import { STANDARD } from '../../actors/processor/sharing.ts'
import { units } from '../../lib/core/time.ts'
import { Ledger } from '../../scenarios/shares/oracle/ledger.ts'
import type { Rules } from '../../scenarios/shares/oracle/processor-audit.ts'

const joined = (job: string, total: number, tickets = 1, extra = 0): JobFact => {
  return { type: 'joined', job, tickets, extra, total, pass: 0 }
}
const left = (job: string, total: number, why: Leaving = 'done'): JobFact => ({ type: 'left', job, why, total })
const funded = (job: string, total: number, tickets: number, extra = 0): JobFact => {
  return { type: 'funded', job, tickets, extra, total, pass: 0 }
}
const ran = (job: string, used: number, switching = 0): JobFact => {
  return { type: 'ran', job, used: units(used), switching: units(switching), pass: 0 }
}
const credited = (job: string, extra: number, share: number, until: number): JobFact => {
  return { type: 'credited', job, extra, share, until: units(until) }
}

type Told = readonly [at: number, ...facts: JobFact[]]

/** The rules of a processor without quanta; see precedence.test.ts for one with quanta. */
const RULES: Rules = {
  sharing: { quantum: Number.POSITIVE_INFINITY, switching: units(1), stride1: 1, credit: STANDARD.credit },
  isPunctual: true,
  cap: 100,
  borrows: null,
}

function folded(options: Partial<Rules>, ...told: readonly Told[]): Ledger {
  const ledger = new Ledger({ ...RULES, ...options }, null)
  for (const [at, ...facts] of told) for (const fact of facts) ledger.fold(fact, 'processor@m1', units(at))
  ledger.close()
  return ledger
}

const broken = (options: Partial<Rules>, ...told: readonly Told[]) => folded(options, ...told).violations
const isClean = (options: Partial<Rules>, ...told: readonly Told[]) => assert.equal(broken(options, ...told), [])
const breaks = (line: RegExp, options: Partial<Rules>, ...told: readonly Told[]) => {
  const violations = broken(options, ...told)
  assert.is(violations.length, 1, violations.join('\n'))
  assert.match(violations[0] ?? '', line)
}

const counts = suite('the ledger takes in')

counts('facts of processors alone', () => {
  const ledger = new Ledger(RULES, null)
  ledger.fold(left('A', 7), 'client@m1', 0)
  ledger.fold({ type: 'left', room: 7 }, 'processor@m1', 0)
  ledger.fold({ type: 'finished', task: 1, attempt: 1, busy: 3 }, 'processor@m1', 0)
  ledger.fold({ type: 'ticked', informed: true, tickets: { A: 1 }, issued: {}, backing: [] }, 'processor@m1', 0)
  assert.equal(ledger.violations, [])
})

counts('the first hundred broken promises', () => {
  const ledger = new Ledger(RULES, null)
  for (let i = 0; i < 150; i++) ledger.fold(joined(`j${i}`, -1), 'processor@m1', 0)
  assert.is(ledger.violations.length, 100)
})

counts('broken promises about clock times only where no clock has jumped', () => {
  const ledger = folded({}, [0, joined('A', 1)], [10, ran('A', 20), left('A', 5)])
  const promises = (clocksJumped: boolean) => ledger.brokenIn({ clocksJumped }).map(({ text }) => text.slice(0, 2))
  assert.equal(promises(false), ['I2', 'I1'])
  assert.equal(promises(true), ['I1'])
})

counts.run()

const totals = suite('T is the sum of net tickets (I1)')

const FEW: readonly Told[] = [
  [0, joined('A', 1), joined('B', 3, 2)],
  [10, ran('A', 10), left('A', 2, 'asleep')],
]

totals('as clients join, leave and change', () => {
  isClean(
    {},
    ...FEW,
    [20, ran('B', 10), credited('A', 0.5, 0.3, 40), joined('A', 3.5, 1, 0.5), funded('B', 5.5, 4)],
    [30, funded('A', 4.5, 1, -0.5)],
  )
})

totals('a wrong T is detected when a client joins', () =>
  breaks(/^I1: m1 at 20: T is 4, but A, B hold 3$/, {}, ...FEW, [20, joined('A', 4)]),
)
totals('a wrong T is detected when a client leaves', () =>
  breaks(/^I1: m1 at 20: T is 2, but no jobs hold 0$/, {}, ...FEW, [20, ran('B', 10), left('B', 2)]),
)
totals('a wrong T is detected when tickets change', () =>
  breaks(/T is 2, but B hold 3/, {}, ...FEW, [20, funded('B', 2, 3)]),
)
totals('a T that is slightly wrong is detected', () => breaks(/^I1/, {}, [0, joined('A', 1 + 1e-6)]))
totals('a rounding error is not a wrong T', () => isClean({}, [0, joined('A', 1 + 1e-12)]))
totals('a client that competes cannot join', () => breaks(/B joined twice/, {}, ...FEW, [20, joined('B', 2, 2)]))
totals('a client that does not compete cannot leave', () =>
  breaks(/A left without/, {}, ...FEW, [20, left('A', 2, 'asleep')]),
)
totals('a client that does not compete cannot be funded', () =>
  breaks(/A was funded without/, {}, ...FEW, [20, funded('A', 2, 2)]),
)
totals('a sleeper can be withdrawn', () => isClean({}, ...FEW, [20, left('A', 2, 'withdrawn')]))
totals('a job cannot be here twice, but it can be on other machines', () => {
  const ledger = folded({}, ...FEW)
  ledger.fold(joined('B', 2, 2), 'processor@m2', units(20))
  assert.equal(ledger.violations, [])
})

totals.run()

const time = suite('the processor is used by one at a time, by those who compete, and as long as any does (I2)')

time('runs, switches and the time when no job could run add up', () => {
  isClean(
    {},
    [5, joined('A', 1)],
    [15, ran('A', 9, 1), left('A', 0, 'asleep')],
    [20, joined('A', 1)],
    [30, ran('A', 10)],
  )
})

time('two jobs that run at once are detected', () =>
  breaks(
    /I2: m1 at 30: A ran from 9, but B until 20/,
    {},
    [0, joined('A', 1), joined('B', 2)],
    [10, ran('A', 10)],
    [20, ran('B', 10)],
    [30, ran('A', 20, 1)],
  ),
)
time('an idle processor is detected when a job could run', () =>
  breaks(
    /I2: m1 at 30: no job ran for 5 though/,
    {},
    [0, joined('A', 1)],
    [10, ran('A', 10)],
    [30, ran('A', 15)],
    [40, ran('A', 10)],
  ),
)
time('an idle processor is detected at the start', () =>
  breaks(/no job ran for 1 though/, {}, [5, joined('A', 1)], [10, ran('A', 4)]),
)
time('a job that runs before it joined is detected', () =>
  breaks(/A ran from 4, when it did not compete/, {}, [5, joined('A', 1)], [10, ran('A', 6)]),
)
time('a job that runs asleep is detected', () =>
  breaks(
    /A ran from 20, when it did/,
    {},
    [0, joined('A', 1), joined('B', 2)],
    [10, ran('A', 10), left('A', 1, 'asleep')],
    [20, ran('B', 10)],
    [30, ran('A', 10)],
  ),
)
time('a negative time is detected', () =>
  breaks(/A ran for -1 after 1/, {}, [0, joined('A', 1)], [10, ran('A', 10)], [10, ran('A', -1, 1)]),
)

time('after a death the processor begins without jobs, and facts that it did not report are not missed', () => {
  const ledger = folded({}, [0, joined('A', 1)], [10, ran('A', 10)])
  ledger.died('ticket-server@m1', units(12))
  ledger.died('processor@m1', units(15))
  ledger.fold(joined('B', 1), 'processor@m1', units(40))
  ledger.fold(ran('B', 10), 'processor@m1', units(50))
  assert.equal(ledger.violations, [])
  ledger.fold(ran('A', 10), 'processor@m1', units(60))
  assert.match(ledger.violations.join(), /A ran from 50, when it did not compete/)
})

time.run()

const loans = suite('loans and repayments leave T as it is (I3)')

const LOANS: Partial<Rules> = {
  sharing: { ...RULES.sharing, credit: { policy: 'loan', catchUp: 1 } },
  borrows: (job) => job !== 'A',
}
const LENT: readonly Told[] = [
  [0, joined('A', 1), joined('B', 2), joined('C', 3)],
  [6, left('C', 2, 'asleep'), funded('B', 3, 1, 1)],
  [12, funded('B', 1, 1, -1), left('B', 1, 'asleep'), joined('B', 1, 1, -1), joined('C', 3, 1, 1)],
]

loans('T stays through sleep, waking and expiry', () => {
  isClean(LOANS, ...LENT.slice(0, 2), [12, funded('B', 2, 1, 0), joined('C', 3)], [18, funded('A', 5, 3)])
  isClean(
    LOANS,
    LENT[0] ?? [0],
    LENT[1] ?? [0],
    [12, funded('B', 1, 1, -1), joined('C', 3, 1, 1)],
    [18, funded('B', 4, 1), funded('C', 3, 1)],
  )
})
loans('a sleep without a loan is detected', () =>
  breaks(/I3: m1 at 6: T was 3 and is 2/, LOANS, LENT[0] ?? [0], [6, left('C', 2, 'asleep')], [7, funded('A', 2, 1)]),
)
loans('a loan that is not ended is detected', () =>
  breaks(/I3: m1 at 12: T was 3 and is 4/, LOANS, ...LENT.slice(0, 2), [12, joined('C', 4)], [13, joined('D', 5)]),
)
loans('a loan that is not repaid is detected', () =>
  breaks(/I3: m1 at 12: T was 3 and is 4/, LOANS, ...LENT.slice(0, 2), [12, funded('B', 2, 1), joined('C', 4, 1, 1)]),
)
loans('a repayment with one side expired is detected', () =>
  breaks(
    /I3: m1 at 18: T was 3 and is 4/,
    LOANS,
    ...LENT.slice(0, 2),
    [12, funded('B', 1, 1, -1), joined('C', 3, 1, 1)],
    [18, funded('B', 4, 1)],
  ),
)
loans('T may change when no job borrows, or the borrower is asleep', () => {
  isClean(LOANS, [0, joined('A', 1), joined('C', 2)], [6, left('C', 1, 'asleep')], [12, joined('C', 2)])
  isClean(LOANS, ...LENT.slice(0, 2), [8, left('B', 1, 'asleep')], [12, joined('C', 2)], [14, joined('B', 3)])
})
loans('T is checked again when all loans are settled', () =>
  breaks(
    /I3: m1 at 20: T was 3 and is 2/,
    LOANS,
    ...LENT.slice(0, 2),
    [8, left('B', 1, 'asleep')],
    [12, joined('C', 2)],
    [14, joined('B', 3)],
    [20, left('C', 2, 'asleep')],
  ),
)
loans('T may change under policies without loans', () => isClean({}, LENT[0] ?? [0], [6, left('C', 2, 'asleep')]))

loans.run()

const credits = suite('credit is never negative, never above the cap, and ends (I8)')

const SLEPT: readonly Told[] = [
  [0, joined('A', 1), joined('B', 2)],
  [10, ran('A', 10), left('A', 1, 'asleep')],
]
const woken = (extra: number, share: number): Told => [
  20,
  credited('A', extra, share, 30),
  joined('A', 2 + extra, 1, extra),
]
const CAP = { cap: 95 }

credits('credit that begins and ends in time is right', () => {
  isClean(CAP, ...SLEPT, woken(18, 0.95), [30, funded('A', 2, 1)])
  isClean(CAP, ...SLEPT, woken(18, 0.95), [25, left('A', 1, 'asleep')], [40, joined('A', 2)])
  isClean(CAP, ...SLEPT, [20, credited('A', 18, 0.95, 30)], [40, funded('B', 1, 1)])
})
credits('negative credit is detected', () =>
  breaks(/I8: m1 at 20: A is credited with -0.5 /, CAP, ...SLEPT, woken(-0.5, 0.3), [30, funded('A', 2, 1)]),
)
credits('infinite credit is detected', () =>
  breaks(/A is credited with Infinity/, CAP, ...SLEPT, [20, credited('A', Infinity, 0.95, 30)]),
)
credits('credit above the cap is detected', () =>
  breaks(/share of 0.96, more than 95 %/, CAP, ...SLEPT, woken(23, 0.96), [30, funded('A', 2, 1)]),
)
credits('credit beyond its end is detected', () =>
  breaks(
    /I8: m1 at 30: A keeps its credit beyond 30/,
    CAP,
    ...SLEPT,
    woken(18, 0.95),
    [25, funded('A', 20, 1, 18)],
    [30, funded('B', 21, 2)],
  ),
)

credits.run()
