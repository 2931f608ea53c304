/**
 * What went wrong in a run, as its page tells of it: deaths, crashes, pauses, partitions, slow links and disks, and wrong clocks,
 * each with its time.
 */
import { type Address, ALL_OTHERS, machineOf } from '../core/address.ts'
import { figure } from '../core/table.ts'
import { groupsOf, sum } from '../core/tally.ts'
import { type Time, toUnits } from '../core/time.ts'
import { LOST_DEAD, LOST_EARLIER_INCARNATION, LOST_PARTITION, LOST_REASONS } from '../memory/envelope.ts'
import { type Fault, listedIn, parseFault } from '../scenario/faults.ts'
import { type Noun, type Sentence, say, time } from '../scenario/page.ts'
import type { Line } from '../trace/lines.ts'

/** A fault and the time that it lasted. */
export interface Incident {
  readonly type: 'dead' | 'paused' | 'cut off' | 'slow links' | 'slow disk' | 'wrong clock'
  /** An actor, a machine such as `@m1`, or the machines on one side of a partition or of slow links. */
  readonly who: string
  readonly from: Time
  /** In real time an actor dies some time after the fault that kills it; this is the instant of the fault. */
  readonly struck?: Time
  /** The end; null for an incident that lasted to the end of the run. */
  readonly until: Time | null
  /** The error of an actor that no fault killed; '' for others. */
  readonly error: string
  /** The machines on the other side of a partition or of slow links; '' for others. */
  readonly other: string
  /** How much longer mail takes on slow links, how long a write takes on a slow disk, or how far a clock jumped; 0 for others. */
  readonly by: Time
  /** The number of messages that were lost because of it. */
  readonly lost: number
}

/** The most incidents that are told one by one. */
const TOLD_MAX = 4
/** The reasons of mail that a partition lost, and of mail to the dead. */
const PARTITION = LOST_REASONS[LOST_PARTITION]
const TO_THE_DEAD = [LOST_REASONS[LOST_DEAD], LOST_REASONS[LOST_EARLIER_INCARNATION]]

/** The other side of a partition, or of slow links, between machines and all others. */
const OTHERS = 'all others'

interface Death {
  readonly who: Address
  readonly from: Time
  readonly error: string
  /** When its fault struck: actors of a machine die one after another in real time. */
  readonly struck: Time
  until: Time | null
  /** When the fault struck that brought it back. */
  restarted: Time | null
  /** The number of messages that it did not get. */
  lost: number
}

/** An incident that is no death, with the number of messages that it has cost so far. */
interface Other extends Incident {
  lost: number
}

/** Reads the lines of a run. */
export class Incidents {
  readonly #actors = new Set<Address>()
  readonly #deaths: Death[] = []
  /** The last death of each actor. */
  readonly #last = new Map<Address, Death>()
  readonly #others: Other[] = []
  /** When actors and machines were last killed, and restarted, by a fault. */
  readonly #kills = new Map<string, Time>()
  readonly #restarts = new Map<string, Time>()
  /** When each actor began last. */
  readonly #begun = new Map<Address, Time>()

  add(line: Line): void {
    const { t, who, at } = line
    if (t === 'dead') this.#lost(String(line['from']), String(line['to']), line['reason'])
    if (typeof at !== 'number') return
    if (t === 'fault') this.#fault(String(line['fault']), at)
    else if (typeof who !== 'string') return
    else if (t === 'spawn') this.#spawned(who, at)
    else if (t === 'died') this.#died(who, at, line)
  }

  /** All incidents in their order. Actors of one machine that died and came back together are one incident. */
  get all(): readonly Incident[] {
    return [...this.#deathsByMachine(), ...this.#others].sort((one, other) => one.from - other.from)
  }

  #spawned(who: Address, at: Time): void {
    this.#actors.add(who)
    this.#begun.set(who, at)
    const last = this.#last.get(who)
    if (!last || last.until !== null) return
    last.until = at
    last.restarted = faultOf(this.#restarts, who, last.from) ?? at
  }

  #died(who: Address, from: Time, line: Line): void {
    const error = line['cause'] === 'Killed' ? '' : `${line['cause']}: ${line['message']}`
    const struck = (error === '' ? faultOf(this.#kills, who, this.#begun.get(who) ?? 0) : undefined) ?? from
    const death = { who, from, error, struck, until: null, restarted: null, lost: 0 }
    this.#deaths.push(death)
    this.#last.set(who, death)
  }

  #lost(from: Address, to: Address, reason: unknown): void {
    if (reason === PARTITION) {
      const sides = [machineOf(from), machineOf(to)]
      const cut = this.#others.findLast(({ type, who, other }) => type === 'cut off' && isBetween(who, other, sides))
      if (cut) cut.lost++
      return
    }
    const death = this.#last.get(to)
    if (death && TO_THE_DEAD.some((one) => one === reason)) death.lost++
  }

  #fault(text: string, at: Time): void {
    const fault = faultIn(text)
    if (fault?.type === 'kill' || fault?.type === 'restart') {
      const known = fault.type === 'kill' ? this.#kills : this.#restarts
      for (const who of listedIn(fault.who)) known.set(who, at)
    } else if (fault?.type === 'pause') {
      for (const who of listedIn(fault.who))
        this.#others.push(passing('paused', who, fault.at, fault.at + fault.duration))
    } else if (fault?.type === 'slow') {
      for (const who of listedIn(fault.who))
        this.#others.push({ ...passing('slow disk', who, fault.at, fault.until), by: fault.by })
    } else if (fault?.type === 'jump') {
      this.#others.push({ ...passing('wrong clock', fault.who, fault.at, fault.until ?? null), by: fault.by })
    } else if (fault && 'sides' in fault) {
      const [who = '', other = ''] = fault.sides.map((side) => side.join(', ').replace(ALL_OTHERS, OTHERS))
      const isCut = fault.type === 'partition'
      const one = passing(isCut ? 'cut off' : fault.type, who, fault.at, fault.until)
      this.#others.push({ ...one, other, by: isCut ? 0 : fault.by })
    }
  }

  #deathsByMachine(): Incident[] {
    const sizes = new Map<string, number>()
    for (const who of this.#actors) sizes.set(machineOf(who), (sizes.get(machineOf(who)) ?? 0) + 1)
    const groups = groupsOf(this.#deaths, (death) =>
      death.error === '' ? `${machineOf(death.who)} ${death.struck} ${death.restarted}` : death,
    )
    return [...groups.values()].flatMap((group): Incident[] => {
      const [first] = group
      if (!first) return []
      const machine = machineOf(first.who)
      const isWhole = group.length > 1 && group.length === sizes.get(machine)
      if (!isWhole) return group.map(incidentOf)
      const [from, until] = [Math.min(...group.map((one) => one.from)), endOf(group)]
      return [{ ...incidentOf(first), who: `@${machine}`, from, until, lost: sum(group, ({ lost }) => lost) }]
    })
  }
}

/** When the last fault about an actor or its machine struck, if it was since an instant. */
function faultOf(known: ReadonlyMap<string, Time>, who: Address, since: Time): Time | undefined {
  const times = [who, `@${machineOf(who)}`].flatMap((name) => known.get(name) ?? [])
  const last = Math.max(...times)
  return times.length > 0 && last >= since ? last : undefined
}

const incidentOf = ({ who, from, struck, until, error, lost }: Death): Incident => ({
  type: 'dead',
  who,
  from,
  ...(struck !== from && { struck }),
  until,
  error,
  other: '',
  by: 0,
  lost,
})

/** An incident that is no death, and has cost no message so far. */
const passing = (type: Incident['type'], who: string, from: Time, until: Time | null): Other => ({
  type,
  who,
  from,
  until,
  error: '',
  other: '',
  by: 0,
  lost: 0,
})

/** When the last of some dead came back; null if one did not. */
const endOf = (group: readonly Death[]): Time | null =>
  group.reduce<Time | null>((end, { until }) => (end === null || until === null ? null : Math.max(end, until)), 0)

/** Whether a partition, with the machines of its two sides, separates two machines. */
function isBetween(who: string, other: string, [one = '', two = '']: readonly string[]): boolean {
  const [left, right] = [who.split(', '), other.split(', ')]
  const isRight = (machine: string): boolean =>
    right.includes(machine) || (right.includes(OTHERS) && !left.includes(machine))
  return (left.includes(one) && isRight(two)) || (left.includes(two) && isRight(one))
}

/** The fault that a line of a trace names; undefined for a text that is none. */
function faultIn(text: string): Fault | undefined {
  try {
    return parseFault(text)
  } catch {
    return undefined
  }
}

/** The incidents of a run that ended at `end`: none lasted longer, and a clock that was to return later never did. */
export const endedBy = (incidents: readonly Incident[], end: Time): readonly Incident[] =>
  incidents.map((one) => {
    if (one.until === null || one.until <= end) return one
    return { ...one, until: one.type === 'wrong clock' ? null : end }
  })

/** The incidents of a run in a few sentences. `now` is the instant of a run that goes on; null for one that is over. */
export function incidentSentences(incidents: readonly Incident[], now: Time | null = null): readonly Sentence[] {
  const rest = incidents.length - TOLD_MAX
  const more =
    rest > 0 ? [rest === 1 ? 'There was 1 more such incident.' : `There were ${rest} more such incidents.`] : []
  return [...incidents.slice(0, TOLD_MAX).map((one) => incidentSentence(one, now)), ...more]
}

const nameOf = (who: string): Noun => ({ text: who.replace(/^@/, ''), to: { actor: who } })

/** An incident in a sentence. `now` is the instant of a run that goes on; null for one that is over. */
export function incidentSentence(incident: Incident, now: Time | null): Sentence {
  const { type, who, from, struck = from, until, error, other, by } = incident
  const killed = now !== null || time(struck).text === time(from).text ? '' : say`, killed at ${time(struck)},`
  const isGoingOn = now !== null && until !== null && until > now
  const span = isGoingOn
    ? say`from ${time(from)} until ${time(until)}`
    : say`from ${time(from)} to ${time(until ?? from)}`
  const longer = figure(toUnits(by))
  const name = nameOf(who)
  switch (type) {
    case 'cut off':
      return say`${who} ${isGoingOn ? 'cannot' : 'could not'} reach ${other} ${span}.`
    case 'slow links':
      return say`Mail between ${who} and ${other} ${isGoingOn ? 'takes' : 'took'} ${longer} longer ${span}.`
    case 'slow disk':
      return say`The disk of ${name} ${isGoingOn ? 'takes' : 'took'} ${longer} for each write ${span}.`
    case 'wrong clock': {
      const jumped = say`The clock of ${name} jumped ${figure(toUnits(Math.abs(by)))} ${by > 0 ? 'ahead' : 'back'} at ${time(from)}`
      if (until === null || isGoingOn) return say`${jumped}.`
      return say`${jumped}, and returned at ${time(until)}.`
    }
    case 'paused':
      return say`${name} ${isGoingOn ? 'does' : 'did'} nothing ${span}.`
    case 'dead':
      if (error !== '') return say`${name} crashed at ${time(from)}: ${error}.`
      if (until !== null) return say`${name}${killed} was dead ${span}.`
      if (now !== null) return say`${name} has been dead since ${time(from)}.`
      return say`${name}${killed} died at ${time(from)} and stayed dead.`
  }
}
