/** The messages and facts of a time-shared processor. Times are in quanta. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Program, ToScheduler } from '../../actors/processor/jobs.ts'
import { type Credit, STRIDE1 } from '../../actors/processor/sharing.ts'
import { ref, units } from '../../lib/actor.ts'
import { cpu, FOREVER, order, QUANTUM, quanta, shared, submit } from '../shares/machine.ts'
import { both, type Fact, factsOf, fixture } from '../system/harness.ts'

const bursts = (cycles: number | null, ...pairs: readonly (readonly [run: number, sleep: number])[]): Program => ({
  kind: 'bursts',
  bursts: pairs.map(([run, sleep]) => ({ run: quanta(run), sleep: quanta(sleep) })),
  cycles,
})
const work = (amount: number): Program => ({ kind: 'compute', work: quanta(amount) })
const system: Credit = { policy: 'system', catchUp: 1, cap: 95, competing: 'resident' }

/** The times of all facts of a type, and their other numbers. */
const told = (facts: readonly Fact[], type: string, job: string, ...keys: readonly string[]) =>
  facts
    .filter((fact) => fact.type === type && fact['job'] === job)
    .map((fact) => [fact.at / QUANTUM, ...keys.map((key) => fact[key])])

both('a job that is done had its processor time, and its user is told how much', async (system) => {
  const facts = await shared(system, {}, [[0, submit('A', 1, work(2)), submit('B', 1, work(1))]])
  assert.is(order(facts), 'ABA')
  assert.equal(told(facts, 'exited', 'A', 'why', 'cpu'), [[3, 'done', quanta(2)]])
  assert.equal(told(facts, 'exited', 'B', 'why', 'cpu'), [[2, 'done', quanta(1)]])
})

both('a job that is withdrawn is over at once, running, ready or asleep, and for good', async (system) => {
  const withdraw = (job: string) => ({ type: 'withdraw', job }) as const
  const facts = await shared(system, {}, [
    [0, submit('A', 1), submit('B', 1, bursts(null, [1, 100])), submit('C', 1)],
    [4.5, withdraw('A'), withdraw('B'), withdraw('C')],
    [5, withdraw('A')],
  ])
  assert.equal(told(facts, 'exited', 'A', 'why', 'cpu'), [[4.5, 'withdrawn', quanta(2)]])
  assert.equal(told(facts, 'exited', 'B', 'why', 'cpu'), [[4.5, 'withdrawn', quanta(1)]])
  assert.equal(told(facts, 'exited', 'C', 'why', 'cpu'), [[4.5, 'withdrawn', quanta(1.5)]])
  assert.is(system.now, quanta(5), 'no process is left to wake')
})

both('a periodic job runs once in every period, and without a pause if it is late', async (system) => {
  const periodic = (period: number, run: number): Program => {
    return { kind: 'periodic', period: quanta(period), run: quanta(run), cycles: 3 }
  }
  const facts = await shared(system, {}, [
    [0, submit('A', 1, periodic(4, 1))],
    [20, submit('B', 1, periodic(1, 2))],
  ])
  assert.equal(told(facts, 'ran', 'A'), [[1], [5], [9]])
  assert.equal(told(facts, 'joined', 'A'), [[0], [4], [8]])
  assert.equal(told(facts, 'joined', 'B'), [[20]])
  assert.equal(told(facts, 'exited', 'B'), [[26]])
})

both('bursts repeat for the given number of cycles', async (system) => {
  const facts = await shared(system, {}, [[0, submit('A', 1, bursts(2, [1, 2], [2, 1]))]])
  assert.equal(told(facts, 'left', 'A', 'why'), [
    [1, 'asleep'],
    [5, 'asleep'],
    [7, 'asleep'],
    [11, 'done'],
  ])
  assert.is(cpu(facts, 'A'), 6)
})

both('a switch comes before the quantum, is charged, and is due again after a sleep', async (system) => {
  const switching = units(1)
  const facts = await shared(
    system,
    { switching },
    [
      [0, submit('A', 1, bursts(2, [2, 3]))],
      [10, submit('B', 1), submit('C', 1)],
    ],
    12.2,
  )
  assert.equal(told(facts, 'ran', 'A', 'used', 'switching'), [
    [1.1, QUANTUM, switching],
    [2.1, QUANTUM, 0],
    [6.2, QUANTUM, switching],
    [7.2, QUANTUM, 0],
  ])
  assert.equal(told(facts, 'ran', 'B', 'used', 'switching'), [[11.1, QUANTUM, switching]])
  const [[, joined = 0] = [], [, ran = 0] = []] = [
    ...told(facts, 'joined', 'B', 'pass'),
    ...told(facts, 'ran', 'B', 'pass'),
  ]
  assert.is(Math.round(Number(ran) - Number(joined)), Math.round(1.1 * STRIDE1))
})

for (const preempt of [true, false]) {
  const when = preempt ? 'takes the processor from one with a larger pass' : 'waits for the end of the quantum'
  both(`a process that wakes ${when}`, async (system) => {
    const facts = await shared(system, { preempt }, [[0, submit('A', 1), submit('B', 1, bursts(null, [0.5, 2.25]))]], 5)
    const began = facts.filter(
      ({ type, job, used, at }) => type === 'ran' && job === 'B' && Number(used) > 0 && at > quanta(2),
    )
    assert.is((Number(began[0]?.at) - Number(began[0]?.['used'])) / QUANTUM, preempt ? 3.75 : 4.5)
  })
}

both('a suspended job stays off the processor, also when it wakes, until it is resumed', async (system) => {
  const facts = await shared(
    system,
    {},
    [
      [0, submit('A', 1), submit('B', 1, bursts(null, [1, 2]))],
      [3, { type: 'suspend', job: 'B' }],
      [7, { type: 'resume', job: 'B' }],
    ],
    9,
  )
  assert.is(order(facts), 'ABAAAAAAB')
  assert.equal(told(facts, 'joined', 'B'), [[0], [7]])
})

both('credit is observed with its share and its end, and ends then', async (machine) => {
  const C = submit('C', 1, bursts(1, [2, 6], [100, 0]))
  const facts = await shared(machine, { credit: system }, [[0, submit('A', 1), submit('B', 1), C]], 18)
  assert.equal(told(facts, 'credited', 'C', 'extra', 'share', 'until'), [[12, 3, 2 / 3, quanta(18)]])
  assert.equal(told(facts, 'funded', 'C', 'extra', 'total'), [[18, 0, 3]])
})

both('credit does not outlast the next sleep', async (machine) => {
  const C = submit('C', 1, bursts(null, [1, 6]))
  const facts = await shared(machine, { credit: system }, [[0, submit('A', 1), submit('B', 1), C]], 40)
  const joined = told(facts, 'joined', 'C', 'extra', 'total')
  assert.ok(joined.length > 3)
  for (const [, ...credited] of joined.slice(1)) assert.equal(credited, [3, 6])
  for (const [, why, total] of told(facts, 'left', 'C', 'why', 'total')) assert.equal([why, total], ['asleep', 2])
})

both('no credit gives more than the largest share, and a process that is alone has none', async (machine) => {
  const B = submit('B', 1, bursts(2, [1, 3]))
  const facts = await shared(machine, { credit: system }, [
    [0, submit('A', 1), B],
    [30, { type: 'withdraw', job: 'A' }],
    [31, submit('C', 1, bursts(2, [1, 3]))],
  ])
  const [[at, extra, share, until] = []] = told(facts, 'credited', 'B', 'extra', 'share', 'until')
  assert.equal([extra, share], [18, 0.95])
  assert.is(until, quanta(Number(at)) + Math.round((quanta(3) * 10) / 9))
  assert.equal(told(facts, 'credited', 'C'), [])
})

both('under active competition all tickets of the competing jobs count for credit, and no others', async (machine) => {
  const credit: Credit = { ...system, competing: 'active' }
  const C = submit('C', 1, bursts(1, [1, 6], [100, 0]))
  const facts = await shared(
    machine,
    { credit },
    [
      [0, submit('A', 3), submit('B', 4), C],
      [0, { type: 'grant', job: 'A', extra: 2, lasts: quanta(100) }, { type: 'suspend', job: 'B' }],
    ],
    20,
  )
  // t T / (T - 2 t), with a T of 6: a credit of A competes like its own tickets
  assert.equal(
    told(facts, 'credited', 'C', 'extra', 'share').map(([, ...credited]) => credited),
    [[1.5, 1 / 3]],
  )
})

both('each grant ends at its own time', async (system) => {
  const grant = (extra: number, lasts: number): ToScheduler => {
    return { type: 'grant', job: 'A', extra, lasts: quanta(lasts) }
  }
  const facts = await shared(system, {}, [[0, submit('A', 1), grant(1, 9), grant(2, 2.5), grant(4, 5)]], 12)
  assert.equal(told(facts, 'funded', 'A', 'extra', 'total').slice(3), [
    [2.5, 5, 6],
    [5, 1, 2],
    [9, 0, 1],
  ])
})

both('a suspended job keeps its exhaustible tickets, and may be granted more', async (system) => {
  const grant = { type: 'grant', job: 'B', extra: 2, lasts: quanta(20) } as const
  const facts = await shared(
    system,
    {},
    [
      [0, submit('A', 1), submit('B', 1), grant],
      [1.5, { type: 'suspend', job: 'B' }, grant],
      [3, { type: 'resume', job: 'B' }],
    ],
    22,
  )
  assert.equal(told(facts, 'joined', 'B', 'extra').at(-1), [3, 4])
  assert.equal(told(facts, 'funded', 'B', 'extra').slice(1), [
    [20, 2],
    [21.5, 0],
  ])
})

both('a job that wakes when the tickets of another expire still competes with them', async (system) => {
  const facts = await shared(
    system,
    { preempt: true },
    [
      [
        0,
        submit('B', 1, bursts(null, [0.5, 2.25])),
        submit('A', 1),
        { type: 'grant', job: 'A', extra: 9, lasts: quanta(11.75) },
      ],
    ],
    13,
  )
  assert.equal(told(facts, 'joined', 'B', 'total'), [
    [0, 1],
    [11.75, 11],
  ])
  assert.equal(told(facts, 'funded', 'A', 'total').at(-1), [11.75, 2])
  assert.equal(told(facts, 'ran', 'B'), [[9.5], [13]], 'A keeps the processor: its pass was the smaller')
})

both('a job that comes in any part of a quantum starts a stride beyond the global pass', async (system) => {
  const facts = await shared(
    system,
    {},
    [
      [0, submit('A', 1), submit('B', 1), { type: 'grant', job: 'B', extra: -1, lasts: quanta(5) }],
      [2.25, submit('C', 1)],
    ],
    6,
  )
  assert.equal(told(facts, 'joined', 'C', 'pass'), [[2.25, (2.25 + 1) * STRIDE1]])
  // and a job that was without tickets is as far beyond it as when it left
  assert.equal(told(facts, 'joined', 'B', 'pass').at(-1), [5, (2.25 + 2.75 / 2 + 1) * STRIDE1])
})

for (const clamp of [true, false]) {
  both(`a job that left behind the global pass ${clamp ? 'is forgiven' : 'comes back behind it'}`, async (system) => {
    const facts = await shared(
      system,
      { clamp, start: 'zero' },
      [
        [0, submit('A', 1), submit('B', 1)],
        [1, { type: 'suspend', job: 'B' }],
        [3, { type: 'resume', job: 'B' }],
      ],
      4,
    )
    assert.equal(told(facts, 'joined', 'B', 'pass').at(-1), [3, (clamp ? 2.5 : 2) * STRIDE1])
  })
}

both('a job with more of a currency takes value from the others that hold it', async (system) => {
  const of = (job: string): ToScheduler => ({ ...submit(job, 1), currency: 'u' })
  const fund = { type: 'fund', job: 'X', amount: 3 } as const
  const facts = await shared(
    system,
    { funding: { u: 100 } },
    [
      [0, of('X'), of('Y')],
      [1, fund],
    ],
    2,
  )
  assert.equal(told(facts, 'funded', 'X', 'tickets').at(-1), [1, 75])
  assert.equal(told(facts, 'funded', 'Y', 'tickets'), [[1, 25]])
})

both("without credit a user's tickets belong to her jobs that are awake", async (system) => {
  const of = (job: string, program?: Program): ToScheduler => ({ ...submit(job, 1, program), currency: 'u' })
  const facts = await shared(
    system,
    { funding: { u: 100 } },
    [[0, submit('A', 100), of('X', bursts(1, [1, 5], [100, 0])), of('Y')]],
    20,
  )
  const [[asleep] = []] = told(facts, 'left', 'X')
  assert.equal(told(facts, 'funded', 'Y', 'tickets'), [
    [asleep, 100],
    [Number(asleep) + 5, 50],
  ])
})

both('a loan that is not repaid when its sleeper sleeps again ends on both sides', async (system) => {
  const C = submit('C', 2, bursts(null, [1, 3]))
  const facts = await shared(
    system,
    { credit: { policy: 'loan', catchUp: 1 } },
    [[0, submit('A', 3), submit('B', 1, undefined, { borrows: false }), C]],
    40,
  )
  // T is 6 whatever happens: while C sleeps A has its 2, and 2 less while C is repaid
  const settled = new Map(facts.flatMap(({ at, total }) => (total === undefined ? [] : [[at, total]])))
  assert.equal([...new Set(settled.values())], [6])
  const extras = told(facts, 'funded', 'A', 'extra').map(([, extra]) => extra)
  assert.equal([...new Set(extras)].sort(), [-2, 0, 2])
  assert.equal(told(facts, 'funded', 'B'), [])
})

for (const [what, at, extras] of [
  ['what a sleeper has lent', 5, [1, 0]],
  ['what a sleeper is being repaid', 10, [1, -1, 0]],
] as const) {
  both(`${what} ends with it`, async (system) => {
    const C = submit('C', 1, bursts(1, [1, 6], [100, 0]))
    const facts = await shared(
      system,
      { credit: { policy: 'loan', catchUp: 1 } },
      [
        [0, submit('A', 2), C],
        [at, { type: 'withdraw', job: 'C' }],
      ],
      20,
    )
    const held = told(facts, 'funded', 'A', 'extra')
    assert.equal(
      held.map(([, extra]) => extra),
      extras,
    )
    assert.is(held.at(-1)?.[0], at)
  })
}

both('a loan may be repaid over twice the sleep, half at a time', async (system) => {
  const C = submit('C', 1, bursts(1, [1, 6], [100, 0]))
  const facts = await shared(system, { credit: { policy: 'loan', catchUp: 2 } }, [[0, submit('A', 2), C]], 22)
  const [, [woke, ...joined] = []] = told(facts, 'joined', 'C', 'extra', 'total')
  assert.equal(joined, [0.5, 3])
  assert.equal(told(facts, 'funded', 'A', 'extra').slice(1), [
    [woke, -0.5],
    [Number(woke) + 12, 0],
  ])
})

both('a job with negative net tickets competes again when its grant is over', async (system) => {
  const grant = { type: 'grant', job: 'A', extra: -1, lasts: quanta(3) } as const
  const facts = await shared(
    system,
    {},
    [
      [0, submit('A', 1), submit('B', 1)],
      [2, grant],
    ],
    8,
  )
  assert.equal(told(facts, 'left', 'A', 'why', 'total'), [[2, 'insolvent', 1]])
  assert.equal(told(facts, 'joined', 'A', 'extra', 'total'), [
    [0, 0, 1],
    [5, 0, 2],
  ])
  assert.match(order(facts), /^ABBBB/)
})

both('exhaustible tickets do not outlast a sleep', async (system) => {
  const grant = { type: 'grant', job: 'A', extra: 2, lasts: quanta(30) } as const
  const A = submit('A', 1, bursts(null, [2, 3]))
  const facts = await shared(system, {}, [[0, A, submit('B', 1), grant]], 20)
  assert.equal(told(facts, 'funded', 'A', 'extra', 'total'), [[0, 2, 4]])
  const [, ...woken] = told(facts, 'joined', 'A', 'extra', 'total')
  assert.ok(woken.length > 1)
  for (const [, ...held] of woken) assert.equal(held, [0, 2])
})

both('the jobs of a user share her tickets, also after one of them is over', async (machine) => {
  const of = (job: string, amount: number, program = FOREVER): ToScheduler => {
    return { ...submit(job, amount, program), currency: 'u' }
  }
  const facts = await shared(
    machine,
    { funding: { u: 100 } },
    [
      [0, of('A', 300), of('B', 100), submit('C', 100)],
      [8, { type: 'withdraw', job: 'A' }],
    ],
    16,
  )
  const tickets = (job: string) =>
    facts.findLast((fact) => fact['job'] === job && fact['tickets'] !== undefined && fact.at < quanta(8))
  assert.equal([tickets('A')?.['tickets'], tickets('B')?.['tickets']], [75, 25])
  assert.equal(told(facts, 'funded', 'B', 'tickets').at(-1), [8, 100])
  assert.equal(
    ['A', 'B', 'C'].map((job) =>
      cpu(
        facts.filter(({ at }) => at <= quanta(8)),
        job,
      ),
    ),
    [3, 1, 4],
  )
})

const REFUSED: readonly (readonly [what: string, message: ToScheduler, reason: string])[] = [
  ['no tickets', submit('X', 0), 'tickets must be more than 0, not 0'],
  ['negative tickets', submit('X', -2), 'tickets must be more than 0, not -2'],
  [
    'next to no tickets',
    submit('X', 1e-15),
    'tickets must be from 0.000001 (LEAST_TICKETS) to 1000000000 (MOST_TICKETS), not 1e-15',
  ],
  [
    'too many tickets',
    submit('X', 1e15),
    'tickets must be from 0.000001 (LEAST_TICKETS) to 1000000000 (MOST_TICKETS), not 1000000000000000',
  ],
  ['an unknown currency', { ...submit('X', 1), currency: 'v' }, 'unknown currency v'],
  ['a job that is here', submit('A', 1), 'A is here already'],
  ['no bursts', submit('X', 1, bursts(null)), 'a program of bursts needs at least one burst'],
  ['a burst of nothing', submit('X', 1, bursts(null, [0, 1])), 'a burst must take more than 0 units, not 0'],
  ['a sleep before it began', submit('X', 1, bursts(null, [1, -1])), 'a sleep must take 0 or more units, not -10'],
  ['funding of nothing', { type: 'fund', job: 'A', amount: 0 }, 'tickets must be more than 0, not 0'],
  ['the funding of an unknown job', { type: 'fund', job: 'X', amount: 1 }, 'there is no job X here'],
  ['a grant to an unknown job', { type: 'grant', job: 'X', extra: 1, lasts: 1 }, 'there is no job X here'],
  [
    'a grant for no time',
    { type: 'grant', job: 'A', extra: 1, lasts: 0 },
    'a grant must take more than 0 units, not 0',
  ],
  ['the suspension of an unknown job', { type: 'suspend', job: 'X' }, 'there is no job X here'],
  ['the resumption of an unknown job', { type: 'resume', job: 'X' }, 'there is no job X here'],
]

both('an impossible order is refused with the reason, and nothing is done', async (system) => {
  const facts = await shared(
    system,
    {},
    [
      [0, submit('A', 1)],
      [0.5, ...REFUSED.map(([, message]) => message)],
    ],
    3,
  )
  const refusals = facts.filter(({ type }) => type === 'refused')
  for (const [i, [what, , reason]] of REFUSED.entries()) assert.is(refusals[i]?.['reason'], reason, what)
  assert.is(refusals.length, REFUSED.length)
  assert.is(order(facts), 'AAA')
})

both('a job that was alone with very few tickets takes no shares from later jobs', async (system) => {
  const facts = await shared(
    system,
    { funding: { u: 1e-12 } },
    [
      [0, { ...submit('X', 1), currency: 'u' }],
      [100, submit('A', 1), submit('B', 2)],
    ],
    106,
  )
  assert.equal([cpu(facts, 'X'), cpu(facts, 'A'), cpu(facts, 'B')], [0, 2, 4])
})

both('a processor reports its load, sleepers included', async (system) => {
  await shared(system, {}, [[0, submit('A', 3), submit('B', 2, bursts(null, [1, 50]))]], 10)
  const load = await system.ask('processor@m1', { type: 'ask' }, { deadline: QUANTUM })
  assert.equal({ tickets: load['tickets'], jobs: load['jobs'] }, { tickets: 5, jobs: 2 })
  await system.tell('processor@m1', { type: 'withdraw', job: 'B' })
  const { tickets, jobs } = await system.ask('processor@m1', { type: 'ask' }, { deadline: QUANTUM })
  assert.equal({ tickets, jobs }, { tickets: 3, jobs: 1 })
})

for (const credit of [{ policy: 'none' }, system] as const) {
  both(`a processor tells the value of a user's jobs, whichever of them sleep (${credit.policy})`, async (machine) => {
    const of = (job: string, program?: Program): ToScheduler => ({ ...submit(job, 1, program), currency: 'u' })
    const naps = bursts(null, [1, 100])
    await shared(machine, { credit, funding: { u: 100 } }, [[0, of('X', naps), of('Y', naps), of('Z')]], 10)
    const tickets = async () => {
      const load = await machine.ask('processor@m1', { type: 'ask' }, { deadline: QUANTUM })
      return Math.round(Number(load['tickets']) * 1e9) / 1e9
    }
    assert.is(await tickets(), 100)
    await machine.tell('processor@m1', { type: 'withdraw', job: 'Z' })
    assert.is(await tickets(), 100, 'all are asleep')
  })
}

const parallel = (spin: number | null): Program => ({
  kind: 'parallel',
  barrier: ref('employer@m2'),
  rank: 0,
  granularity: QUANTUM,
  imbalance: 0,
  spin: spin === null ? null : quanta(spin),
})
const release = (round: number) => ({ type: 'release', job: 'P', round }) as const

both('a process at its barrier spins, then sleeps, and continues when it is released', async (system) => {
  const arrivals = factsOf(system)
  await system.spawn('employer@m2', fixture('employer.ts'))
  const facts = await shared(
    system,
    {},
    [
      [0, submit('P', 1, parallel(0.5))],
      [2, release(1)],
      [3.2, release(2)],
      [4.3, release(2)],
    ],
    10,
  )
  assert.equal(
    arrivals.filter(({ type }) => type === 'arrive').map(({ at, round }) => [at / QUANTUM, round]),
    [
      [1, 1],
      [3, 2],
      [4.2, 3],
    ],
  )
  assert.equal(told(facts, 'left', 'P', 'why'), [
    [1.5, 'asleep'],
    [4.7, 'asleep'],
  ])
  assert.equal(told(facts, 'spun', 'P', 'lasted'), [
    [1.5, quanta(0.5)],
    [3.2, quanta(0.2)],
    [4.7, quanta(0.5)],
  ])
  assert.equal(told(facts, 'joined', 'P'), [[0], [2]])
  const { here, round, waiting } = await system.ask(
    'processor@m1',
    { type: 'recount', job: 'P' },
    { deadline: QUANTUM },
  )
  assert.equal({ here, round, waiting }, { here: true, round: 3, waiting: true })
  const absent = await system.ask('processor@m1', { type: 'recount', job: 'Q' }, { deadline: QUANTUM })
  assert.is(absent['here'], false)
})

for (const [spin, slept, title] of [
  [0, [[1, 'asleep']], 'one that does not spin sleeps at once'],
  [null, [], 'one that spins without end never sleeps'],
] as const) {
  both(title, async (system) => {
    const facts = await shared(system, {}, [[0, submit('P', 1, parallel(spin))]], 10)
    assert.equal(told(facts, 'left', 'P', 'why'), slept)
  })
}

for (const [released, slept, title] of [
  [null, [[2, 'asleep']], 'one whose limit passes while another runs sleeps when it is next'],
  [1.7, [], 'unless it is released by then: it computes'],
] as const) {
  both(title, async (system) => {
    const says = released === null ? [] : [[released, release(1)] as const]
    const facts = await shared(system, {}, [[0, submit('P', 1, parallel(0.5)), submit('A', 1)], ...says], 3)
    assert.equal(told(facts, 'left', 'P', 'why'), slept)
    assert.equal(told(facts, 'spun', 'P', 'lasted'), [], 'it has not the processor meanwhile')
    assert.is(order(facts), released === null ? 'PAA' : 'PAP')
  })
}

test.run()
