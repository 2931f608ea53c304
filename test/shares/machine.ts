/** A machine with one user: her orders in quanta, and the resulting schedule. */
import type { Program, ToScheduler } from '../../actors/processor/jobs.ts'
import { type Sharing, STANDARD } from '../../actors/processor/sharing.ts'
import type { Order } from '../../actors/shares/user.ts'
import { type Time, units } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import { type Fact, factsOf } from '../system/harness.ts'

const actors = new URL('../../actors/', import.meta.url)

export const QUANTUM = units(10)
export const quanta = (count: number): Time => Math.round(count * QUANTUM)

/** Plain stride scheduling, without credit, preemption and switching costs. */
export const PLAIN: Sharing = {
  ...STANDARD,
  quantum: QUANTUM,
  switching: 0,
  credit: { policy: 'none' },
  preempt: false,
}

export const FOREVER: Program = { kind: 'compute', work: null }

export const submit = (job: string, amount: number, program: Program = FOREVER, more: { borrows?: boolean } = {}) =>
  ({ type: 'submit', job, currency: 'base', amount, program, ...more }) as const

/** All facts while the orders `says` are given, each with its time in quanta from the start. */
export async function shared(
  system: System,
  sharing: Partial<Sharing>,
  says: readonly (readonly [at: number, ...messages: readonly ToScheduler[]])[],
  until?: number,
  processor = new URL('processor/processor.ts', actors),
): Promise<Fact[]> {
  const facts = factsOf(system)
  await system.spawn('processor@m1', processor, { speed: 1, sharing: { ...PLAIN, ...sharing } })
  const orders = says.flatMap(([at, ...messages]) =>
    messages.map((message): Order => ({ at: quanta(at), to: 'processor@m1', message })),
  )
  await system.spawn('user@m1', new URL('shares/user.ts', actors), { orders })
  await system.run(until === undefined ? {} : { until: quanta(until) })
  return facts
}

const isRan = ({ type }: Fact) => type === 'ran'

/** A name for every stay on the processor. */
export const order = (facts: readonly Fact[]): string =>
  facts
    .filter(isRan)
    .map(({ job }) => String(job))
    .join('')

/** The number of quanta that a job used. */
export const cpu = (facts: readonly Fact[], job: string): number =>
  facts.filter((fact) => isRan(fact) && fact['job'] === job).reduce((sum, { used }) => sum + Number(used), 0) / QUANTUM
