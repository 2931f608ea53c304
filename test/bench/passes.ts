/** How a pass of the economy's scheduler grows with its ready list: the pass alone, and by messages of scheduler and bank. */
import { type Candidate, type Machine, pass } from '../../actors/economy/pass.ts'
import { type PresetName, policyOf, STANDARD_SHARING } from '../../actors/economy/terms.ts'
import { units } from '../../lib/actor.ts'
import { keyed } from '../../lib/core/random.ts'
import { System } from '../../lib/system.ts'
import type { Economy } from '../../scenarios/economy/model.ts'
import { open } from '../../scenarios/economy/model.ts'
import { inOrder } from '../../scenarios/economy/workload/job.ts'
import { each, growth } from './growth.ts'
import type { Cost, Measure } from './measure.ts'

const PROCESSORS = 128
/** The bound for ten times the jobs: a tenth more than linear, for sorting and copying. Quadratic growth would give a hundred. */
const LINEAR = { most: 11 }

/** Jobs of 2 to 64 processors on a machine with one idle processor. Each pass looks for the best job and for jobs that fit before it, and starts none. */
function scene(waiting: number): readonly [Machine, readonly Candidate[]] {
  const draw = (what: string, i: number) => keyed(1, what, i)
  const ends = Array.from({ length: PROCESSORS - 1 }, (_, i) => units(1 + 200 * draw('end', i)))
  const jobs = Array.from({ length: waiting }, (_, job) => ({
    job,
    processors: 2 + Math.floor(63 * draw('width', job)),
    service: units(1 + 100 * draw('service', job)),
    balance: 1000 * draw('balance', job),
    rate: 1,
  }))
  return [{ now: 0, idle: 1, ends }, jobs]
}

/** Measures the CPU time of a pass over a number of waiting jobs. */
export function passing(preset: PresetName): (waiting: number) => () => Promise<Cost> {
  const policy = policyOf('ECON', preset)
  return (waiting) => {
    const [machine, jobs] = scene(waiting)
    const times = Math.ceil(400_000 / waiting)
    return () =>
      each(times, () => {
        for (let i = 0; i < times; i++) pass(policy, machine, jobs, null)
      })
  }
}

const pure = (preset: PresetName, sizes: readonly number[], repeats: number) =>
  growth({
    name: `pass, ${preset}`,
    of: 'waiting',
    sizes,
    repeats,
    tenfold: LINEAR,
    sideOf: passing(preset),
  })

const PASSES = 20

/** Measures the same by scheduler and bank. All jobs arrive at once, and each takes the whole machine, so that each pass starts one. */
export const passingByMessages = (waiting: number) => async (): Promise<Cost> => {
  const jobs = inOrder(
    Array.from({ length: waiting }, (_, i) => ({
      user: `u${1 + (i % 10)}`,
      class: 1 as const,
      arrival: 0,
      processors: 4,
      service: units(10),
      deposit: 0,
    })),
  )
  const user = { income: 100, savings: 0, cap: 1e6, coefficients: [1, 1, 1] as const, targets: null }
  const economy: Economy = {
    processors: 4,
    policy: policyOf('ECON'),
    market: { sharing: STANDARD_SHARING, statistics: null },
    users: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`u${i + 1}`, user])),
    jobs,
    patience: null,
    durable: false,
    overrun: null,
  }
  const system = new System({ runtime: 'inline' })
  try {
    await open(system, economy)
    await system.run({ until: units(5) })
    return await each(PASSES, async () => {
      await system.run({ until: units(5 + 10 * PASSES) })
    })
  } finally {
    await system.stop()
  }
}

const whole = (sizes: readonly number[], repeats: number) =>
  growth({
    name: 'pass by messages, inline',
    of: 'waiting',
    sizes,
    repeats,
    tenfold: LINEAR,
    sideOf: passingByMessages,
  })

export const passes: readonly Measure[] = [
  {
    name: 'passes',
    run: async ({ repeats, quick }) => {
      const sizes = quick ? [10, 100] : [100, 1_000, 10_000]
      return [
        ...(await pure('paper', sizes, repeats)),
        ...(await pure('literal', sizes, repeats)),
        ...(await whole(sizes, repeats)),
      ]
    },
  },
]
