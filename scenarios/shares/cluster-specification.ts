/** The cluster of figures 4 and 5 as the explorer sees it: in the end all jobs have what they are worth. */

import { machineOf, roleOf } from '../../lib/actor.ts'
import type { Time } from '../../lib/core/time.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { type Sometime, type Specification, sometime, type Violation } from '../../lib/scenario/specification.ts'
import type { SystemInit as SystemOptions } from '../../lib/system.ts'
import { type Options, spreadOf } from './flags.ts'
import { machinesOf } from './one-run.ts'
import type { Setup } from './setup.ts'
import { baseValues } from './shares.ts'
import { clusterSpecification, type Seen } from './specification.ts'

/** Base values are sums of fractions. */
const ROUNDING = 1e-9
/** So many periods after a share was lost, or its server had forgotten all, everybody knows everything again. */
const FORGETTING = 4

export function specificationOf(
  { options, description, cluster, faults }: Setup,
  how: SystemOptions,
  actors?: URL,
): Specification {
  const { until, independent, loss, period } = options
  const calm = until - FORGETTING * period - spreadOf(options)
  const isPromised = !independent && loss === 0 && faults.every((fault) => isOver(fault, calm))
  const promises = (seen: Seen) => {
    const isWhole = seen.lost === 0 && seen.dead.size === 0 && seen.deaths.every((death) => isMadeGood(death, calm))
    if (!isPromised || !isWhole || !isFair(seen, options)) return []
    const jobs = description.jobs.filter(({ job }) => seen.jobs.includes(job))
    return wrong(seen, baseValues({ ...description, jobs }))
  }
  return clusterSpecification({
    cluster: { ...cluster, actors },
    faults,
    options: how,
    until,
    promises,
    sometimes: SOMETIMES,
  })
}

const SOMETIMES: readonly Sometime[] = [
  {
    name: 'tick without word of the ticket server',
    isSeen: ({ type, informed }) => type === 'ticked' && informed === false,
  },
  sometime('tickets of a job changed', 'processor', 'funded'),
]

const isOver = (fault: Fault, by: Time): boolean =>
  fault.type === 'cut' ? fault.until <= by : fault.type !== 'stall' || fault.at + fault.duration <= by

/** No job is lost with a ticket server, and by its second tick it knows as much as before. */
const isMadeGood = ({ who, at }: Seen['deaths'][number], by: Time): boolean =>
  roleOf(who) === 'ticket-server' && at <= by

/** Did every processor hear from its server in each of the last periods? Who has to wait for ever hears and tells nothing. */
function isFair({ facts }: Seen, { machines, until, period }: Options): boolean {
  const last = Math.floor(until / period)
  return machinesOf({ machines }).every((machine) => {
    const heard = facts.filter(
      ({ fact, who }) => fact.type === 'ticked' && fact['informed'] && machineOf(who) === machine,
    )
    const periods = new Set(heard.map(({ at }) => Math.floor(at / period)))
    return Array.from({ length: FORGETTING }, (_, n) => last - 1 - n).every((period) => periods.has(period))
  })
}

/** Jobs whose base tickets are not what they should be, as their processors heard last from their ticket servers. */
function wrong({ facts }: Seen, due: ReadonlyMap<string, number>): Violation[] {
  const last = new Map(
    facts.flatMap(({ fact, who }) =>
      fact.type === 'ticked' && fact['informed'] ? [[who, fact['tickets']] as const] : [],
    ),
  )
  const had = new Map([...last.values()].flatMap((tickets) => Object.entries(tickets ?? {})))
  return [...due].flatMap(([job, value]) =>
    Math.abs(Number(had.get(job) ?? 0) - value) <= ROUNDING
      ? []
      : [
          {
            property: 'in the end every job has its base value',
            text: `${job} has ${had.get(job) ?? 0}, not ${value}`,
          },
        ],
  )
}
