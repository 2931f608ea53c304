/** When which actors could not do their work, as a plan of faults has it. */
import { type Address, machineOf, type Time } from '../../../lib/actor.ts'
import { type Fault, whoMatches } from '../../../lib/scenario/faults.ts'

/** From an instant to another, both included; of somebody who is gone for good to Infinity. */
export interface Outage {
  readonly type: 'dead' | 'stalled' | 'cut'
  readonly who: Address
  readonly from: Time
  readonly until: Time
}

/** All of them; who is restarted alive was dead at that instant, and is a new incarnation. */
export function outagesOf(faults: readonly Fault[], addresses: readonly Address[]): Outage[] {
  return addresses.flatMap((who) => [...deathsOf(faults, who), ...pausesOf(faults, who)])
}

function deathsOf(faults: readonly Fault[], who: Address): Outage[] {
  const blows = faults.flatMap((fault) =>
    (fault.type === 'kill' || fault.type === 'restart') && fault.when.type === 'at' && isMeant(fault.who, who)
      ? [{ type: fault.type, at: fault.when.time }]
      : [],
  )
  const deaths: Outage[] = []
  let since: Time | null = null
  for (const { type, at } of blows.sort((one, other) => one.at - other.at)) {
    if (type === 'kill') since ??= at
    else {
      deaths.push({ type: 'dead', who, from: since ?? at, until: at })
      since = null
    }
  }
  return since === null ? deaths : [...deaths, { type: 'dead', who, from: since, until: Number.POSITIVE_INFINITY }]
}

const pausesOf = (faults: readonly Fault[], who: Address): Outage[] =>
  faults.flatMap((fault): Outage[] => {
    if (fault.type === 'stall' && isMeant(fault.who, who)) {
      return [{ type: 'stalled', who, from: fault.at, until: fault.at + fault.duration }]
    }
    if (fault.type === 'cut' && fault.sides.some((side) => side.includes(machineOf(who)))) {
      return [{ type: 'cut', who, from: fault.at, until: fault.until }]
    }
    return []
  })

const isMeant = (whom: string, who: Address) => whoMatches(whom, [who]).length > 0
