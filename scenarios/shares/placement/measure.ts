/** Runs a variant of a figure, and measures each of its phases. */

import { type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import type { Place } from '../../../actors/shares/placer/messages.ts'
import { type Address, type Message, machineOf, roleOf, type Time, toUnits, units } from '../../../lib/actor.ts'
import { keyed } from '../../../lib/core/random.ts'
import { sum } from '../../../lib/core/tally.ts'
import { inWords } from '../../../lib/scenario/oracle.ts'
import type { SystemInit } from '../../../lib/system.ts'
import { DEFAULTS, spinOf } from '../paper/parameters.ts'
import type { Placed } from '../paper/placement.ts'
import { type Asked, barrierOf, type PlacementRun, runPlacements } from './one-run.ts'
import type { Variant } from './variants.ts'

/** The part of the base tickets of its machine that each job holds, asleep or not, by machine and job. */
type Shares = ReadonlyMap<string, ReadonlyMap<string, number>>

class Holdings {
  readonly #tickets = new Map<string, Map<string, number>>()
  /** The shares from each instant on. */
  readonly #history: { readonly at: Time; readonly shares: Shares }[] = []

  fold(fact: Message, who: Address, at: Time): void {
    const { type, job, tickets, why } = fact
    if (roleOf(who) !== 'processor' || typeof job !== 'string') return
    const machine = machineOf(who)
    const held = this.#tickets.get(machine) ?? new Map<string, number>()
    this.#tickets.set(machine, held)
    const isOver = type === 'left' && (why === 'done' || why === 'withdrawn')
    if (isOver) held.delete(job)
    else if ((type === 'joined' || type === 'funded') && held.get(job) !== tickets) held.set(job, Number(tickets))
    else return
    // only the last state of an instant counts
    if (this.#history.at(-1)?.at === at) this.#history.pop()
    this.#history.push({ at, shares: this.#shares() })
  }

  #shares(): Shares {
    return new Map(
      [...this.#tickets].map(([machine, held]) => {
        const total = sum(held.values())
        return [machine, new Map([...held].map(([job, tickets]) => [job, tickets / total]))] as const
      }),
    )
  }

  /** All states of a span of time, without its end. */
  during(from: Time, until: Time): Shares[] {
    const before = this.#history.findLast(({ at }) => at <= from)
    const within = this.#history.filter(({ at }) => at > from && at < until)
    return [...(before ? [before] : []), ...within].map(({ shares }) => shares)
  }
}

export interface Setting {
  readonly sharing: Sharing
  readonly latency: Time
  /**
   * Jobs come within this time from the beginning of their phase; jobs that the placer finds machines for come at its
   * end.
   */
  readonly spread: Time
  /** The time of each phase before the measurement, and the length of the measurement. */
  readonly warmUp: Time
  readonly length: Time
  /** The spin limit of parallel jobs; null: without end. */
  readonly spin: Time | null
}

/** The setting of sequential jobs: only jobs cost time, so shares are exact up to a quantum. */
export const SEQUENTIAL: Setting = {
  sharing: { ...STANDARD, switching: 0 },
  latency: 0,
  spread: 0,
  warmUp: 0,
  length: units(6000),
  spin: null,
}

/** The setting of parallel jobs, the same as in the study of implicit coscheduling. */
export const PARALLEL: Setting = {
  sharing: STANDARD,
  latency: units(DEFAULTS.latency),
  spread: units(200),
  warmUp: units(10_000),
  length: units(60_000),
  spin: units(spinOf(DEFAULTS) ?? 0),
}

export interface Measured {
  readonly job: Placed
  /** The machines that the placer named. */
  readonly machines: readonly string[]
  /** The processor time on each of its machines, divided by the length of the phase. */
  readonly used: readonly number[]
  /** The rounds of a parallel job in a unit of time. */
  readonly rate: number
}

interface MeasuredPhase {
  readonly what: string
  readonly jobs: readonly Measured[]
  /** The largest difference between a job's part of the tickets of its machine, at any instant, and its due part. */
  readonly ticketError: number
}

export interface VariantRun {
  readonly variant: Variant
  readonly phases: readonly MeasuredPhase[]
  readonly run: PlacementRun
}

export const machineName = (node: number): string => `m${node}`

function programOf({ name, nodes }: Placed, { spin }: Setting): Place['program'] {
  if (nodes.length === 1) return { kind: 'compute', work: null }
  const { granularity, imbalance } = DEFAULTS
  return {
    kind: 'parallel',
    barrier: barrierOf(name),
    size: nodes.length,
    granularity: units(granularity),
    imbalance,
    spin,
  }
}

function jobsOf({ phases, free }: Variant, setting: Setting, seed: number): Asked[] {
  const { spread, warmUp, length } = setting
  return phases.flatMap(({ jobs }, n) => {
    const before = new Set(phases[n - 1]?.jobs.map(({ name }) => name))
    return jobs
      .filter(({ name }) => !before.has(name))
      .map((job): Asked => {
        const { name, tickets, nodes } = job
        const isFree = free.includes(name)
        const at = n * (warmUp + length) + (isFree ? spread : Math.floor(keyed(seed, 'start', name) * spread))
        return { name, tickets, at, program: programOf(job, setting), ...(!isFree && { on: nodes }) }
      })
  })
}

/** How a variant is run: all runs of one seed have the same jobs at the same times. */
export interface RunContext {
  readonly seed: number
  readonly runtime: NonNullable<SystemInit['runtime']>
}

export async function runVariant(
  variant: Variant,
  setting: Setting,
  { seed, runtime }: RunContext,
): Promise<VariantRun> {
  const { machines, phases, balance } = variant
  const { sharing, latency, warmUp, length } = setting
  const spans = phases.map((_, n) => {
    const from = n * (warmUp + length) + warmUp
    return { from, until: from + length }
  })
  const cuts = spans.flatMap(({ from, until }) => [from, until])
  const holdings = new Holdings()
  const rounds: { readonly job: string; readonly at: Time }[] = []
  const run = await runPlacements(
    { machines, sharing, jobs: jobsOf(variant, setting, seed), terms: { ask: null, balance } },
    { seed, runtime, memoryMB: 32, network: { latency } },
    {
      // the time of a process is reported when its stay on the processor ends
      until: (spans.at(-1)?.until ?? 0) + 2 * sharing.quantum,
      cuts,
      onFact: (fact, { who, at }) => {
        holdings.fold(fact, who, at)
        if (fact.type === 'opened') rounds.push({ job: String(fact['job']), at })
      },
    },
  )
  const measured = phases.map(({ what, jobs }, n): MeasuredPhase => {
    const { from, until } = spans[n] ?? { from: 0, until: 0 }
    const partOf = (name: string, machine: string) =>
      run.oracle.usage.between(from, until, (job, on) => job === name && on === machine) / length
    const count = (name: string) => rounds.filter(({ job, at }) => job === name && at >= from && at < until).length
    return {
      what,
      jobs: jobs.map((job) => {
        const places = run.heard.get(job.name)?.placed.at(-1) ?? []
        const used = places.map((machine) => partOf(job.name, machine))
        return { job, machines: places, used, rate: count(job.name) / toUnits(length) }
      }),
      ticketError: ticketError(holdings, jobs, from, until),
    }
  })
  return { variant, phases: measured, run }
}

/**
 * The largest difference between what a job should hold of the tickets of its nodes and what it holds; missing and
 * superfluous jobs count too.
 */
function ticketError(holdings: Holdings, jobs: readonly Placed[], from: Time, until: Time): number {
  const nodes = [...new Set(jobs.flatMap(({ nodes }) => nodes))]
  const states = holdings.during(from, until)
  const errors = states.flatMap((state) =>
    nodes.flatMap((node) => {
      const here = jobs.filter(({ nodes }) => nodes.includes(node))
      const total = sum(here, ({ tickets }) => tickets)
      const had = state.get(machineName(node)) ?? new Map<string, number>()
      const names = new Set([...here.map(({ name }) => name), ...had.keys()])
      const due = new Map(here.map(({ name, tickets }) => [name, tickets / total]))
      return [...names].map((name) => Math.abs((had.get(name) ?? 0) - (due.get(name) ?? 0)))
    }),
  )
  return states.length > 0 ? Math.max(...errors) : 1
}

/** The rounding error allowed in sums and quotients of doubles. */
const ROUNDING = 1e-12

/** What went wrong in a run: its broken promises, jobs on other machines than expected, and tickets that were not due. */
export const problemsOf = ({ phases, run }: VariantRun): string[] => [
  ...problemsOfRun(run),
  ...phases.flatMap(({ what, jobs, ticketError }) => [
    ...jobs
      .filter(({ job, machines }) => machines.join() !== job.nodes.map(machineName).join())
      .map(({ job, machines }) => `${what}: ${job.name} on ${machines.join()}`),
    ...(ticketError <= ROUNDING ? [] : [`${what}: a job's part of the tickets is ${ticketError} from due`]),
  ]),
]

/** Deaths, refusals and broken promises of proportional share. */
export const problemsOfRun = ({ crashes, oracle, broken }: PlacementRun): string[] => [
  ...crashes,
  ...oracle.refusals,
  ...inWords(broken),
]
