/** The results of a run of one machine: shares, errors, checks. */

import { type Address, type Message, type Time, toUnits } from '../../../lib/actor.ts'
import { type Check, none } from '../../../lib/cli/index.ts'
import type { ResultTable } from '../../../lib/core/table.ts'
import { add, sum } from '../../../lib/core/tally.ts'
import type { CommandRun } from '../../../lib/scenario/definition.ts'
import { inWords } from '../../../lib/scenario/oracle.ts'
import { type Cluster, jobsOf } from '../model.ts'
import { Evenness } from '../oracle/evenness.ts'
import { ClusterOracle } from '../oracle.ts'
import type { Options } from './flags.ts'
import { Schedule } from './schedule.ts'

interface Share {
  readonly name: string
  readonly tickets: number
  /** The processor time, in units. */
  readonly cpu: number
  /** The part of the processor time of all clients. */
  readonly share: number
  /** The share that its tickets stood for while it competed. */
  readonly wanted: number
  /** The processor time beyond its wanted share, in quanta. */
  readonly error: number
}

const part = (of: number, all: number): number => (all > 0 ? of / all : 0)

export function sharesOf({ clients, quantum }: Options, course: Schedule): Share[] {
  const used = new Map(clients.map(({ name }) => [name, 0]))
  for (const { job, from, until } of course.ran) add(used, job, until - from)
  const all = sum(used.values())
  const due = sum(clients, ({ name }) => course.dueTo(name))
  return clients.map(({ name, tickets }) => {
    const mine = used.get(name) ?? 0
    const wanted = part(course.dueTo(name), due)
    return { name, tickets, cpu: toUnits(mine), share: part(mine, all), wanted, error: (mine - wanted * all) / quantum }
  })
}

/** The most clients that the table shows. */
export const SHOWN = 20

export const shareTable = (shares: readonly Share[], quantum: string): ResultTable => ({
  columns: [
    { name: 'client' },
    { name: 'tickets' },
    { name: 'cpu', unit: 'units' },
    { name: 'share', unit: '%', digits: 2 },
    { name: 'wanted', unit: '%', digits: 2 },
    { name: 'error', unit: 'quanta', digits: 3 },
  ],
  rows: shares
    .slice(0, SHOWN)
    .map(({ name, tickets, cpu, share, wanted, error }) => [name, tickets, cpu, 100 * share, 100 * wanted, error]),
  notes: [
    `Quanta of ${quantum}. Wanted: the time that a client's tickets (with lent and exhaustible ones) stood for while it was ready.`,
    ...(shares.length > SHOWN ? [`The first ${SHOWN} of ${shares.length} clients.`] : []),
  ],
})

/** Whether the same clients compete all the time, without switching costs, in virtual time. */
const isStatic = ({ sleeper, switch: switching, time }: Options): boolean =>
  sleeper.length === 0 && switching === 0 && time === 'virtual'

/**
 * The most that one of two clients was ahead of the other, in quanta; never more than 1 (I5). It is null if clients
 * come and go, or in real time.
 */
export function unevenness(options: Options, { ran }: Schedule): number | null {
  if (!isStatic(options)) return null
  const evenness = new Evenness(new Map(options.clients.map(({ name, tickets }) => [name, tickets])))
  for (const { job, from, until } of ran) evenness.add(job, until - from)
  return evenness.worst / options.quantum
}

/** The oracle of one machine, with its schedule. */
export class StrideOracle extends ClusterOracle {
  readonly schedule = new Schedule()

  override fold(fact: Message, who: Address, at: Time): void {
    super.fold(fact, who, at)
    this.schedule.fold(fact, who, at)
  }
}

export type StrideRun = CommandRun<Options, Cluster, StrideOracle>

/** The checks of a run. Without faults all clients are withdrawn when the quanta are over; a grant may outlast them. */
export function checksOf({ model, faults, broken, crashes, oracle }: StrideRun): Check[] {
  const staying = jobsOf(model).filter((job) => !oracle.schedule.gone.has(job))
  return [
    none('broken promises (T, time, turns, loans, credit)', inWords(broken)),
    none('actors that died without a fault', crashes),
    none('refusals', oracle.refusals),
    ...(faults.length > 0 ? [] : [none('clients still there when all quanta were over', staying)]),
  ]
}
