/**
 * Figures 6, 7, 10 and 11: the paper's statements, the fluid shares, and what the actors do; with the checks of all
 * variants of a figure.
 */

import { mean } from 'simple-statistics'
import { type Check, none, within } from '../../../lib/cli/index.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { printUnits } from '../../../lib/core/format.ts'
import { table } from '../../../lib/core/table.ts'
import { tInterval } from '../../../lib/experiment/interval.ts'
import { inWords } from '../../../lib/scenario/oracle.ts'
import { fluidShares } from '../fluid.ts'
import { PROGRESS_10, USED_11 } from '../paper/placement.ts'
import {
  type MeasuredPhase,
  PARALLEL,
  type RunContext,
  runVariant,
  SEQUENTIAL,
  type Setting,
  type VariantRun,
} from './measure.ts'
import type { PlacementRun } from './one-run.ts'
import { ALONE, VARIANTS_6, VARIANTS_7, VARIANTS_10, VARIANTS_11, type Variant } from './variants.ts'

/** The rounding error allowed in sums and quotients of doubles. */
const ROUNDING = 1e-12

/** Checks that no actor died, no order was refused, and no promise of proportional share was broken. */
export const checkOfRuns = (name: string, runs: readonly PlacementRun[]): Check =>
  none(
    `${name}: deaths, refusals and broken invariants in ${runs.length} runs`,
    runs.flatMap(({ crashes, oracle, broken }) => [...crashes, ...oracle.refusals, ...inWords(broken)]),
  )

/**
 * Checks that the pure rule gives the paper's fluid shares, and that jobs are where they should be, with the tickets
 * they should have.
 */
export function checksOfPlaces(name: string, ran: readonly VariantRun[]): Check[] {
  const phases = ran.flatMap((one) => one.phases)
  const ruled = ran.flatMap(({ variant }) =>
    variant.phases.flatMap(({ jobs, shares }) => {
      const fluid = fluidShares(jobs)
      return Object.entries(shares).map(([job, share]) => Math.abs((fluid.get(job) ?? 0) - share))
    }),
  )
  const ticketErrors = phases.map(({ ticketError }) => ticketError)
  return [
    within(`${name}: fluid shares by the rule, farthest from the paper's`, Math.max(...ruled), 0, ROUNDING),
    none(`${name}: jobs on other machines`, phases.flatMap(strays)),
    within(
      `${name}: a job's part of the tickets at any instant, farthest from due`,
      Math.max(...ticketErrors),
      0,
      ROUNDING,
    ),
  ]
}

const strays = ({ what, jobs }: MeasuredPhase): string[] =>
  jobs.flatMap(({ job, machines }) =>
    machines.join() === job.nodes.map((node) => `m${node}`).join()
      ? []
      : [`${what}: ${job.name} on ${machines.join()}`],
  )

/** Checks that each sequential job has its fluid share of each phase to within a quantum. */
export function checkOfShares(name: string, ran: readonly VariantRun[], { sharing, length }: Setting): Check {
  const errors = ran.flatMap(({ phases }) => phases.flatMap(shareErrors))
  return within(
    `${name}: a job's part of its machine, farthest from due`,
    Math.max(...errors),
    0,
    sharing.quantum / length,
  )
}

/** The distance of each job from its fluid share; a job that runs nowhere misses all of it. */
export function shareErrors({ jobs }: MeasuredPhase): number[] {
  const fluid = fluidShares(jobs.map(({ job }) => job))
  return jobs.map(({ job, used }) => Math.abs((used[0] ?? 0) - (fluid.get(job.name) ?? 0)))
}

/** The results of one figure. */
export interface Part {
  readonly results: { readonly [key: string]: Plain }
  readonly checks: readonly Check[]
  readonly messages: number
  readonly text: string
  /** The processor time by run, job and machine: the rows below `ROWS_HEAD`. */
  readonly rows: readonly (readonly (string | number)[])[]
}

export const ROWS_HEAD = ['figure', 'run', 'seed', 'job', 'machine', 'cpu'] as const

/** The runs of one variant, one for each seed. */
type Replications = readonly { readonly seed: number; readonly ran: VariantRun }[]

const rowsOf = (figure: string, runs: Replications): Part['rows'] =>
  runs.flatMap(({ seed, ran: { variant, run } }) =>
    run.oracle.usage.totals.map(({ job, machine, cpu }) => [figure, variant.what, seed, job, machine, printUnits(cpu)]),
  )

const messagesOf = (runs: Replications) => runs.reduce((sum, { ran }) => sum + ran.run.messages, 0)

/** The shares of its machines that a job had in a phase, as means over the seeds. */
function usedIn(runs: Replications, phase: number, name: string): number[] {
  const parts = runs.map(({ ran }) => ran.phases[phase]?.jobs.find(({ job }) => job.name === name)?.used ?? [])
  return (parts[0] ?? []).map((_, i) => mean(parts.map((used) => used[i] ?? 0)))
}

const share = (value: number): string => value.toFixed(4)

/** A line for each job, with its share in each phase. */
function tableOf(variant: Variant, runs: Replications): string {
  const last = variant.phases.at(-1)?.jobs ?? []
  const fluid = variant.phases.map(({ jobs }) => fluidShares(jobs))
  const rows = last.map(({ name, tickets, nodes }) => [
    `${name}${variant.free.includes(name) ? ' *' : ''}`,
    ...[String(tickets), nodes.join()],
    ...variant.phases.flatMap((_, n) => {
      const due = fluid[n]?.get(name)
      return due === undefined ? ['', ''] : [share(due), usedIn(runs, n, name).map(share).join()]
    }),
  ])
  const heads = variant.phases.flatMap(({ what }) => [`${what}: fluid`, 'used'])
  return table(['job', 'tickets', 'on', ...heads], rows, (column) => column === 0)
}

const resultsOf = (variant: Variant, runs: Replications): Plain => ({
  scenes: variant.phases.map(({ what, jobs }, n) => {
    const fluid = fluidShares(jobs)
    return {
      what,
      jobs: jobs.map(({ name, tickets, nodes }) => {
        const machines = runs[0]?.ran.phases[n]?.jobs.find(({ job }) => job.name === name)?.machines ?? []
        return {
          job: name,
          tickets,
          expected: [...nodes],
          machines: [...machines],
          fluid: fluid.get(name),
          used: usedIn(runs, n, name),
        }
      }),
    }
  }),
})

async function replicate(
  variant: Variant,
  setting: Setting,
  seeds: number,
  context: RunContext,
): Promise<Replications> {
  const runs: { seed: number; ran: VariantRun }[] = []
  for (let n = 0; n < seeds; n++) {
    const seed = context.seed + n
    runs.push({ seed, ran: await runVariant(variant, setting, { ...context, seed }) })
  }
  return runs
}

interface Figure {
  readonly name: string
  readonly variants: readonly Variant[]
  readonly setting: Setting
  readonly says: string
}

const FOOTNOTE = '* the placer chose; of the others the user named the machines'

async function partOf(
  figure: Figure,
  seeds: number,
  context: RunContext,
): Promise<Part & { readonly allRuns: readonly Replications[] }> {
  const { name, variants, setting, says } = figure
  const allRuns: Replications[] = []
  for (const variant of variants) allRuns.push(await replicate(variant, setting, seeds, context))
  const ran = allRuns.flat().map((one) => one.ran)
  const tables = variants.map((variant, i) => tableOf(variant, allRuns[i] ?? []))
  return {
    allRuns,
    results: { stories: variants.map((variant, i) => resultsOf(variant, allRuns[i] ?? [])) },
    checks: [
      ...checksOfPlaces(name, ran),
      checkOfRuns(
        name,
        ran.map(({ run }) => run),
      ),
    ],
    messages: allRuns.reduce((sum, runs) => sum + messagesOf(runs), 0),
    text: [`${name[0]?.toUpperCase()}${name.slice(1)}. ${says}`, '', tables.join('\n\n'), FOOTNOTE, ''].join('\n'),
    rows: allRuns.flatMap((runs) => rowsOf(name, runs)),
  }
}

/** Sequential jobs need one seed only: nothing is random. */
async function sequential(
  name: string,
  variants: readonly Variant[],
  says: string,
  context: RunContext,
): Promise<Part> {
  const part = await partOf({ name, variants, says, setting: SEQUENTIAL }, 1, context)
  const ran = part.allRuns.flat().map((one) => one.ran)
  return { ...part, checks: [...part.checks, checkOfShares(name, ran, SEQUENTIAL)] }
}

export const figure6 = (context: RunContext): Promise<Part> =>
  sequential(
    'figure 6',
    VARIANTS_6,
    'Balancing tickets puts E on machine 3, where it has 3/5; balancing load on machine 4, where it has 1/2.',
    context,
  )

export const figure7 = (context: RunContext): Promise<Part> =>
  sequential(
    'figure 7',
    VARIANTS_7,
    'A user who keeps her jobs apart has more than her share at first, and less when E comes (numbers: ours).',
    context,
  )

/** The same tolerance as for the other simulated values. */
const TOLERANCE = 0.05

/** Compares the values of several runs with the mean of many long ones. */
function simulated(name: string, values: readonly number[], expected: number | undefined) {
  const interval = tInterval(values, 0.9)
  const spread = interval.halfWidth === null ? '' : ` ± ${interval.halfWidth.toFixed(4)}`
  const of = expected ?? Number.NaN
  return {
    line: [name, `${share(interval.mean)}${spread}`, share(of)],
    check: within(name, interval.mean, of, TOLERANCE * of),
    result: [name, { mean: interval.mean, halfWidth: interval.halfWidth, expected: of }] as const,
  }
}

function withSimulated(part: Part, found: readonly ReturnType<typeof simulated>[]): Part {
  const lines = table(
    ['by quanta', 'here (90 %)', 'converged'],
    found.map(({ line }) => line),
  )
  return {
    ...part,
    results: { ...part.results, simulated: Object.fromEntries(found.map(({ result }) => result)) },
    checks: [...part.checks, ...found.map(({ check }) => check)],
    text: `${part.text}\n${lines}\n`,
  }
}

const rateOf = ({ phases }: VariantRun): number => phases[0]?.jobs.find(({ job }) => job.name === 'Z')?.rate ?? 0

export async function figure10(seeds: number, context: RunContext): Promise<Part> {
  const says =
    'A parallel job goes as fast as on its slowest machine: Z gains nothing from machines with fewer tickets, but others do.'
  const part = await partOf({ name: 'figure 10', variants: VARIANTS_10, setting: PARALLEL, says }, seeds, context)
  const alone = await replicate(ALONE, { ...PARALLEL, spin: null }, seeds, context)
  const rates = alone.map(({ ran }) => rateOf(ran))
  const found = part.allRuns.map((runs) => {
    const what = runs[0]?.ran.variant.what ?? ''
    const fractions = runs.map(({ ran }, i) => rateOf(ran) / (rates[i] ?? Number.NaN))
    return simulated(`Z's progress of what it makes alone, ${what}`, fractions, PROGRESS_10[what])
  })
  return withSimulated({ ...part, messages: part.messages + messagesOf(alone) }, found)
}

export async function figure11(seeds: number, context: RunContext): Promise<Part> {
  const says = 'A has more of machine 1 when another job of hers holds up Z on machine 3.'
  const part = await partOf({ name: 'figure 11', variants: VARIANTS_11, setting: PARALLEL, says }, seeds, context)
  const found = part.allRuns.flatMap((runs) => {
    const what = runs[0]?.ran.variant.what ?? ''
    return Object.entries(USED_11[what] ?? {}).map(([job, expected]) => {
      const used = runs.map((one) => usedIn([one], 0, job)[0] ?? 0)
      return simulated(`${job}'s part of its machine, ${what}`, used, expected)
    })
  })
  return withSimulated(part, found)
}
