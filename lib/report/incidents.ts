/** What went wrong in a run, as its page tells of it: deaths, crashes, pauses and partitions, each with its time. */
import { type Address, machineOf } from '../core/address.ts'
import type { Time } from '../core/time.ts'
import { type Fault, parseFault } from '../scenario/faults.ts'
import { type Noun, type Sentence, say, time } from '../scenario/page.ts'
import type { Line } from '../trace/lines.ts'

/** A time in which something was wrong. */
export interface Incident {
  readonly type: 'dead' | 'paused' | 'cut off'
  /** An actor, a machine such as `@m1`, or the machines on one side of a partition. */
  readonly who: string
  readonly from: Time
  /** Null for one that lasted to the end of the run. */
  readonly until: Time | null
  /** The error of an actor that no fault killed; '' for others. */
  readonly error: string
  /** The machines on the other side of a partition; '' for others. */
  readonly other: string
}

/** The most incidents that are told one by one. */
const TOLD_MAX = 4

interface Death {
  readonly who: Address
  readonly from: Time
  readonly error: string
  until: Time | null
}

/** Reads the lines of a run. */
export class Incidents {
  readonly #actors = new Set<Address>()
  readonly #deaths: Death[] = []
  /** The last death of each actor. */
  readonly #last = new Map<Address, Death>()
  readonly #others: Incident[] = []

  add(line: Line): void {
    const { t, who, at } = line
    if (typeof at !== 'number') return
    if (t === 'fault') this.#fault(String(line['fault']))
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
    const last = this.#last.get(who)
    if (last && last.until === null) last.until = at
  }

  #died(who: Address, from: Time, line: Line): void {
    const error = line['cause'] === 'Killed' ? '' : `${line['cause']}: ${line['message']}`
    const death = { who, from, error, until: null }
    this.#deaths.push(death)
    this.#last.set(who, death)
  }

  #fault(text: string): void {
    const fault = faultIn(text)
    if (fault?.type === 'pause') {
      const until = fault.at + fault.duration
      this.#others.push({ type: 'paused', who: fault.who, from: fault.at, until, error: '', other: '' })
    } else if (fault?.type === 'partition') {
      const [who = '', other = ''] = fault.sides.map((side) => side.join(', '))
      this.#others.push({ type: 'cut off', who, from: fault.at, until: fault.until, error: '', other })
    }
  }

  #deathsByMachine(): Incident[] {
    const sizes = new Map<string, number>()
    for (const who of this.#actors) sizes.set(machineOf(who), (sizes.get(machineOf(who)) ?? 0) + 1)
    const groups = new Map<string, Death[]>()
    for (const death of this.#deaths) {
      const key = death.error === '' ? `${machineOf(death.who)} ${death.from} ${death.until}` : `${groups.size}`
      groups.set(key, [...(groups.get(key) ?? []), death])
    }
    return [...groups.values()].flatMap((group): Incident[] => {
      const [first] = group
      if (!first) return []
      const machine = machineOf(first.who)
      const isWhole = group.length > 1 && group.length === sizes.get(machine)
      const whole = isWhole ? [{ ...first, who: `@${machine}` }] : group
      return whole.map(({ who, from, until, error }) => ({ type: 'dead', who, from, until, error, other: '' }))
    })
  }
}

/** The fault that a line of a trace names; undefined for a text that is none. */
function faultIn(text: string): Fault | undefined {
  try {
    return parseFault(text)
  } catch {
    return undefined
  }
}

/** The incidents in a few sentences. */
export function incidentSentences(incidents: readonly Incident[]): readonly Sentence[] {
  const rest = incidents.length - TOLD_MAX
  const more = rest > 0 ? [`There were ${rest} more such incidents.`] : []
  return [...incidents.slice(0, TOLD_MAX).map(sentenceOf), ...more]
}

const nameOf = (who: string): Noun => ({ text: who.replace(/^@/, ''), to: { actor: who } })

function sentenceOf({ type, who, from, until, error, other }: Incident): Sentence {
  if (type === 'cut off') return say`${who} could not reach ${other} from ${time(from)} to ${time(until ?? from)}.`
  const name = nameOf(who)
  if (type === 'paused') return say`${name} did nothing from ${time(from)} to ${time(until ?? from)}.`
  if (error !== '') return say`${name} crashed at ${time(from)}: ${error}.`
  if (until === null) return say`${name} died at ${time(from)} and stayed dead.`
  return say`${name} was dead from ${time(from)} to ${time(until)}.`
}
