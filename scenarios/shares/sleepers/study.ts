/** Runs five equal clients of one processor, where some run and sleep in turn, and measures how they were served. */

import { mean } from 'simple-statistics'
import * as v from 'valibot'
import { type Credit, type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import { type Time, toUnits, units } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { stream } from '../../../lib/core/random.ts'
import type { Runtime } from '../../../lib/scenario/fault-plans.ts'
import { listen } from '../../../lib/scenario/oracle.ts'
import { requireKept } from '../../../lib/scenario/verdict.ts'
import type { System } from '../../../lib/system.ts'
import { sharesCluster } from '../cluster.ts'
import type { Said } from '../model.ts'
import { Lives } from './lives.ts'
import { unfairness } from './unfairness.ts'

export const POLICIES = ['none', 'loan', 'system', 'adaptive'] as const
export type Policy = (typeof POLICIES)[number]

export const CAP = 95

const CREDITS: Readonly<Record<Policy, Credit>> = {
  none: { policy: 'none' },
  loan: { policy: 'loan', catchUp: 1 },
  system: { policy: 'system', catchUp: 1, cap: CAP, competing: 'resident' },
  adaptive: { policy: 'system', catchUp: 'adaptive', cap: CAP, competing: 'resident' },
}

const QUANTUM: Time = units(10)

/** How the processor is shared under a policy; a process that wakes does not preempt another. */
const sharingOf = (policy: Policy): Sharing => ({
  ...STANDARD,
  quantum: QUANTUM,
  switching: 0,
  preempt: false,
  credit: CREDITS[policy],
})

const CLIENTS = 5
export const STANDING = { tickets: 1, total: CLIENTS }
const NAMES = Array.from({ length: CLIENTS }, (_, i) => `c${i + 1}`)

/** The parameters of a result; times in units. */
type LivesPoint = {
  readonly policy: Policy
  readonly runtime: Runtime
  /** The number of the five clients that sleep; they are the first ones. */
  readonly sleepers: number
  readonly run: number
  readonly sleep: number
  /** The clients come at times drawn from 0 to this. */
  readonly spread: number
  readonly seed: number
  /** The cycles of sleep and run, after the first run. */
  readonly cycles: number
  /** When the run ends. */
  readonly until: number
}

/** A point without its seed. */
export type Row = Omit<LivesPoint, 'seed'>

/** The result of a run. */
const RAN = v.object({
  /** The unfairness to each client over the whole run. */
  toEach: v.array(v.number()),
  /** The unfairness to the first client in its cycles. */
  toSleeper: v.number(),
  /** The mean time of the first client from waking to the processor, and to the end of its run, in units. */
  firstRun: v.number(),
  response: v.number(),
  messages: v.number(),
})
export type Ran = v.InferOutput<typeof RAN>

/** Reads a result of `runPoint`. @throws FieldError if it is something else */
export const ranOf = decoderOf(RAN)

/** The most units that the cycles of one sleeper take: those of a sleeper without credit. */
export const longest = (run: number, sleep: number, cycles: number): number =>
  (cycles + 1) * (sleep + CLIENTS * (run + toUnits(QUANTUM)))

/** Runs the five clients and observes them. @throws if a promise was broken */
async function observe({ policy, runtime, sleepers, run, sleep, spread, seed, until }: LivesPoint) {
  const uniform = stream(seed, 'start')
  const bursts = [{ run: units(run), sleep: units(sleep) }]
  const says = { user: 'user@m1', to: 'processor@m1' }
  const submitted = NAMES.map((job, i): Said => {
    const program =
      i < sleepers ? ({ kind: 'bursts', bursts, cycles: null } as const) : ({ kind: 'compute', work: null } as const)
    return {
      ...says,
      at: units(spread * uniform()),
      message: { type: 'submit', job, currency: 'base', amount: 1, program },
    }
  })
  // the withdrawal of a process tells what it used last
  const withdrawn = NAMES.map((job): Said => ({ ...says, at: units(until), message: { type: 'withdraw', job } }))
  const lives = new Lives(units(run))
  const cluster = { machines: 1, sharing: sharingOf(policy), orders: [...submitted, ...withdrawn] }
  const onSystem = (system: System) => listen(system, lives)
  const done = await sharesCluster.run(cluster, { runtime }, [], { onSystem })
  requireKept(done)
  return { lives, messages: done.messages }
}

const unfairTo = (ran: Time, slept: Time, all: Time) => unfairness({ ran, slept, waited: all - ran - slept }, STANDING)

/** Runs a point. @throws if a promise was broken, or if the run did not hold its cycles */
export async function runPoint(point: LivesPoint): Promise<Ran> {
  const { run, sleep, cycles, until } = point
  const { lives, messages } = await observe(point)
  const { bursts } = lives.of('c1', units(until))
  const [first, last] = [bursts[0], bursts[cycles]]
  if (!first || !last) throw new Error(`${until} units must hold ${cycles + 1} bursts, but hold ${bursts.length}`)
  const counted = bursts.slice(1, cycles + 1)
  return {
    toEach: NAMES.map((job) => {
      const { ran, slept } = lives.of(job, units(until))
      return unfairTo(ran, slept, units(until))
    }),
    toSleeper: unfairTo(cycles * units(run), cycles * units(sleep), last.ended - first.ended),
    firstRun: toUnits(mean(counted.map(({ woke, began }) => began - woke))),
    response: toUnits(mean(counted.map(({ woke, ended }) => ended - woke))),
    messages,
  }
}
