/** What a processor tells the employers of tasks and the owners of jobs in every turn; puppets play these. */
import { test } from 'uvu'
import type { Program } from '../../actors/processor/jobs.ts'
import type { ProcessorInput } from '../../actors/processor/node.ts'
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import { ref, units } from '../../lib/actor.ts'
import { type Cast, dialoguesIn } from '../system/dialogues.ts'

/** Quanta of 10 units. A process with one ticket that runs for a unit gets 1 added to its pass. */
const PLAIN: Sharing = {
  ...STANDARD,
  quantum: units(10),
  switching: 0,
  stride1: 10,
  credit: { policy: 'none' },
  preempt: false,
  funding: { alice: 6 },
}

const sharing = (changes: Partial<Sharing> = {}): ProcessorInput => ({ speed: 1, sharing: { ...PLAIN, ...changes } })
const loan = { policy: 'loan', catchUp: 1 } as const
const system = { policy: 'system', catchUp: 1, cap: 95, competing: 'resident' } as const

const tick = { every: units(20), patience: units(2) }

const burst = (run: number, sleep: number) => ({ run: units(run), sleep: units(sleep) })
const parallel = {
  kind: 'parallel',
  barrier: ref('barrier@p'),
  rank: 0,
  granularity: units(10),
  imbalance: 0,
  spin: units(4),
} as const

const PROGRAMS: Readonly<Record<string, Program>> = {
  FOREVER: { kind: 'compute', work: null },
  LONG: { kind: 'compute', work: units(25) },
  SHORT: { kind: 'compute', work: units(10) },
  NAPS: { kind: 'bursts', bursts: [burst(5, 10)], cycles: null },
  DOZES: { kind: 'bursts', bursts: [burst(15, 40)], cycles: null },
  TWICE: { kind: 'bursts', bursts: [burst(5, 10), burst(15, 5)], cycles: 2 },
  YIELDS: { kind: 'bursts', bursts: [burst(4, 0)], cycles: 3 },
  PERIODIC: { kind: 'periodic', period: units(20), run: units(5), cycles: 3 },
  LATE: { kind: 'periodic', period: units(5), run: units(8), cycles: 2 },
  MEMBER: { ...parallel, granularity: units(6) },
  SPINS: parallel,
  SLEEPER: { ...parallel, spin: 0 },
  SPINNER: { ...parallel, spin: null },
  UNEVEN: { ...parallel, imbalance: 1, rank: 1 },
}

const processor: Cast = {
  actor: 'processor@m1',
  module: new URL('../../actors/processor/processor.ts', import.meta.url),
  names: PROGRAMS,
  inputs: {
    'one task at a time': { speed: 2 },
    'quanta of 10': sharing(),
    'quanta of 10 at speed 2': { speed: 2, sharing: PLAIN },
    'first passes at zero': sharing({ start: 'zero' }),
    'no passes behind': sharing({ start: 'zero', clamp: true }),
    preemption: sharing({ preempt: true }),
    'switches that take 1': sharing({ switching: units(1) }),
    'switches that take 1, and preemption': sharing({ switching: units(1), preempt: true }),
    loans: sharing({ start: 'zero', credit: loan }),
    'loans repaid over twice the sleep': sharing({ start: 'zero', credit: { ...loan, catchUp: 2 } }),
    'system credit': sharing({ start: 'zero', credit: system }),
    'system credit among those awake': sharing({ start: 'zero', credit: { ...system, competing: 'active' } }),
    'adaptive credit': sharing({ start: 'zero', credit: { ...system, catchUp: 'adaptive' } }),
    'a tick every 20': sharing({ tick }),
    'a tick every 20, and system credit': sharing({ tick, credit: system }),
  },
}

for (const name of ['tasks', 'order', 'tickets', 'sleep', 'parallel']) {
  dialoguesIn(new URL(`dialogues/${name}.txt`, import.meta.url), processor)
}

test.run()
