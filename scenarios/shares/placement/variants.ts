/** The variants of the figures: the arrivals of jobs, and whether the user or the placer finds machines for them. */

import type { Balance } from '../../../actors/shares/placer/candidates.ts'
import { fluidShares } from '../fluid.ts'
import { FIGURE_6, FIGURE_7, FIGURE_10, FIGURE_11, type Instance, type Placed } from '../paper/placement.ts'

export interface Variant {
  readonly what: string
  readonly machines: number
  /**
   * The phases, one after the other. Each keeps the jobs of the one before; the jobs that it adds come when it
   * begins.
   */
  readonly phases: readonly Instance[]
  /** The jobs that the placer finds machines for; the user names the machines of all others. */
  readonly free: readonly string[]
  readonly balance: Balance
}

/** Splits tickets among jobs as evenly as multiples of ten allow. */
const split = (tickets: number, jobs: number): number[] => {
  const part = Math.floor(tickets / jobs / 10) * 10
  return Array.from({ length: jobs }, (_, i) => (i === 0 ? tickets - part * (jobs - 1) : part))
}

const RESIDENTS = FIGURE_6.nodes.flatMap(([tickets, jobs], i) =>
  split(tickets, jobs).map((part, n): Placed => ({ name: `${i + 1}${'abc'[n]}`, nodes: [i + 1], tickets: part })),
)

function figure6(what: string, balance: Balance, node: number): Variant {
  const jobs = [...RESIDENTS, { name: 'E', nodes: [node], tickets: 300 }]
  const phase: Instance = { what, jobs, shares: Object.fromEntries(fluidShares(jobs)) }
  return { what, machines: 4, phases: [phase], free: ['E'], balance }
}

const named = (instances: readonly Instance[], what: string): Instance[] =>
  instances.filter((instance) => instance.what === what)

const variant = (machines: number, phases: readonly Instance[], free: readonly string[]): Variant => ({
  machines,
  phases,
  free,
  what: phases[0]?.what ?? '',
  balance: 'tickets',
})

const phasesOf7 = (what: string) => [...named(FIGURE_7, what), ...named(FIGURE_7, `${what}, then E`)]
const EVERYBODY = ['A1', 'A2', 'B', 'C', 'D', 'E']

/** The variants with sequential jobs. */
export const VARIANTS_6: readonly Variant[] = [
  figure6('balancing tickets', 'tickets', FIGURE_6.byTickets),
  figure6('balancing load', 'load', FIGURE_6.byLoad),
]
export const VARIANTS_7: readonly Variant[] = [
  variant(4, phasesOf7('balanced'), EVERYBODY),
  variant(
    4,
    phasesOf7('greedy'),
    EVERYBODY.filter((job) => job !== 'A2'),
  ),
]

/** The variants with the parallel job Z. */
export const VARIANTS_10: readonly Variant[] = FIGURE_10.map((phase, i) => variant(5, [phase], i === 0 ? ['Z'] : []))
export const VARIANTS_11: readonly Variant[] = FIGURE_11.map((phase) => variant(3, [phase], ['Z']))

/** The job Z alone; its progress in the other variants is relative to this one. */
export const ALONE: Variant = variant(
  3,
  [{ what: 'Z alone', jobs: [{ name: 'Z', nodes: [1, 2, 3], tickets: 100 }], shares: { Z: 1 } }],
  ['Z'],
)
