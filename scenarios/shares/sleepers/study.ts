/**
 * The study of sleepers: five equal clients of one processor, where some run and sleep in turn. It has the points to
 * run and the results of each policy. `sweep` runs `measure`.
 */

import { mean } from 'simple-statistics'
import { type Credit, type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import { type Time, toUnits, units } from '../../../lib/actor.ts'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { choiceIn, numberIn, numbersIn, textsIn } from '../../../lib/core/decode.ts'
import { stream } from '../../../lib/core/random.ts'
import type { Said } from '../model.ts'
import { runCluster } from '../one-run.ts'
import { FIGURE_3, INTERACTIVE, SLEEPERS } from '../paper/figure-3.ts'
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

export const QUANTUM: Time = units(10)

/** How the processor is shared under a policy; a process that wakes does not preempt another. */
export const sharingOf = (policy: Policy): Sharing => ({
  ...STANDARD,
  quantum: QUANTUM,
  switching: 0,
  preempt: false,
  credit: CREDITS[policy],
})

export const RUNTIMES = ['threads', 'inline'] as const

const CLIENTS = 5
export const STANDING = { tickets: 1, total: CLIENTS }
const NAMES = Array.from({ length: CLIENTS }, (_, i) => `c${i + 1}`)

/** The parameters of a result; times in units. */
export type LivesPoint = {
  readonly policies: readonly Policy[]
  readonly runtime: (typeof RUNTIMES)[number]
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

/** The results of one policy. */
export interface Found {
  readonly policy: Policy
  /** The unfairness to each client over the whole run. */
  readonly toEach: readonly number[]
  /** The unfairness to the first client in its cycles. */
  readonly toSleeper: number
  /** The mean time of the first client from waking to the processor, and to the end of its run, in units. */
  readonly firstRun: number
  readonly response: number
}

/** The most units that the cycles of one sleeper take: those of a sleeper without credit. */
export const longest = (run: number, sleep: number, cycles: number): number =>
  (cycles + 1) * (sleep + CLIENTS * (run + toUnits(QUANTUM)))

type Setting = Omit<LivesPoint, 'policies'> & { readonly policy: Policy }

/** Runs the five clients and observes them. @throws if a promise was broken */
async function observe({ policy, runtime, sleepers, run, sleep, spread, seed, until }: Setting): Promise<Lives> {
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
  const { crashes, broken } = await runCluster(
    { machines: 1, sharing: sharingOf(policy), orders: [...submitted, ...withdrawn] },
    { runtime },
    {
      onFact: (fact, { who, at }) => lives.fold(fact, who, at),
    },
  )
  const [wrong] = [...crashes, ...broken]
  if (wrong !== undefined) throw new Error(wrong)
  return lives
}

const unfairTo = (ran: Time, slept: Time, all: Time) => unfairness({ ran, slept, waited: all - ran - slept }, STANDING)

async function found(setting: Setting): Promise<Plain> {
  const { policy, run, sleep, cycles, until } = setting
  const lives = await observe(setting)
  const { bursts } = lives.of('c1', units(until))
  const [first, last] = [bursts[0], bursts[cycles]]
  if (!first || !last) throw new Error(`${until} units must hold ${cycles + 1} bursts, but hold ${bursts.length}`)
  const counted = bursts.slice(1, cycles + 1)
  return {
    policy,
    toEach: NAMES.map((job) => {
      const { ran, slept } = lives.of(job, units(until))
      return unfairTo(ran, slept, units(until))
    }),
    toSleeper: unfairTo(cycles * units(run), cycles * units(sleep), last.ended - first.ended),
    firstRun: toUnits(mean(counted.map(({ woke, began }) => began - woke))),
    response: toUnits(mean(counted.map(({ woke, ended }) => ended - woke))),
  }
}

/** Runs a `LivesPoint`; returns a `Found` for each of its policies. @throws if a promise was broken */
export async function measure(point: Plain): Promise<Plain> {
  const read = (key: string) => numberIn(point, key)
  const results: Plain[] = []
  for (const name of textsIn(point, 'policies')) {
    const policy = choiceIn({ name }, 'name', POLICIES)
    results.push(
      await found({
        policy,
        runtime: choiceIn(point, 'runtime', RUNTIMES),
        sleepers: read('sleepers'),
        run: read('run'),
        sleep: read('sleep'),
        spread: read('spread'),
        seed: read('seed'),
        cycles: read('cycles'),
        until: read('until'),
      }),
    )
  }
  return { results }
}

/** Reads a result of `measure`. @throws TypeError if it is something else */
export function foundIn(measured: Plain): Found[] {
  const results = isObject(measured) ? measured['results'] : undefined
  if (!Array.isArray(results)) throw new TypeError('expected results')
  return results.map((result: Plain) => ({
    policy: choiceIn(result, 'policy', POLICIES),
    toEach: numbersIn(result, 'toEach'),
    toSleeper: numberIn(result, 'toSleeper'),
    firstRun: numberIn(result, 'firstRun'),
    response: numberIn(result, 'response'),
  }))
}

/** The options that the user chooses. */
export type Chosen = Pick<LivesPoint, 'runtime' | 'seed'>

const LONG = 1000
const SHORT = 30

const sleepOf = (asleep: number, run: number): number => (run * asleep) / (1 - asleep)

function oneSleeper(
  chosen: Chosen,
  policies: LivesPoint['policies'],
  run: number,
  sleep: number,
  cycles: number,
): LivesPoint {
  return { ...chosen, policies, sleepers: 1, run, sleep, spread: 0, cycles, until: longest(run, sleep, cycles) }
}

/** The points with long bursts, in the order of `FIGURE_3`. */
export const longRuns = (chosen: Chosen, cycles: number): LivesPoint[] =>
  FIGURE_3.map(({ asleep }) =>
    oneSleeper(chosen, ['none', 'loan', 'system', 'adaptive'], LONG, sleepOf(asleep, LONG), cycles),
  )

export const shortRuns = (chosen: Chosen, cycles: number): LivesPoint[] =>
  FIGURE_3.map(({ asleep }) => oneSleeper(chosen, ['none', 'loan', 'system'], SHORT, sleepOf(asleep, SHORT), cycles))

/** The points with an interactive client, in the order of `INTERACTIVE`. */
export const interactiveRuns = (chosen: Chosen, cycles: number): LivesPoint[] =>
  INTERACTIVE.map(({ ran, slept }) => oneSleeper(chosen, ['none', 'system'], ran, slept, cycles))

/** The starting times are drawn, as in the study of coscheduling, because they matter for long if jobs are equal. */
const SPREAD = 200
const HORIZON = 400_000

/** The points with several sleepers, in the order of `SLEEPERS`. */
export const manySleepers = (chosen: Chosen): LivesPoint[] =>
  SLEEPERS.map(({ sleepers }) => ({
    ...chosen,
    policies: ['none', 'system'],
    sleepers,
    run: LONG,
    sleep: LONG,
    spread: SPREAD,
    cycles: 1,
    until: HORIZON,
  }))
