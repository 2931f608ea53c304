/** The actors of a run for its live page: their lives, their states and their load now. */
import { type Address, machineOf } from '../core/address.ts'
import { sum } from '../core/tally.ts'
import { type Time, toUnits } from '../core/time.ts'
import type { ActorTotals, LiveActor } from '../report/live-messages.ts'
import { matchingAddresses, parseFault } from '../scenario/faults.ts'
import type { ActorCounts } from '../system/metrics.ts'
import type { Line } from '../trace/lines.ts'
import { stateName } from '../trace/names.ts'

/** The most actors that a live page lists, and the most machines. */
export const ACTORS_MAX = 500
/** The time over which rates are measured, in seconds. A rate over less would jump with each step. */
const RATE_S = 5

interface Reading {
  readonly at: Time
  /** The steps of each actor that has not ended, and those of all. */
  readonly steps: ReadonlyMap<Address, number>
  readonly allSteps: number
  /** The number of messages that were sent. */
  readonly messages: number
}

/** How busy a run is, in steps and messages per second. */
export interface Pace {
  readonly stepRate: number
  readonly messageRate: number
}

/** The actors of a live page, as its status has them. */
export interface ShownActors {
  readonly actors: readonly LiveActor[]
  readonly omitted: number
  readonly machines: readonly string[]
  readonly totals: ActorTotals
}

export const NO_ACTORS: ShownActors = {
  actors: [],
  omitted: 0,
  machines: [],
  totals: { alive: 0, dead: 0, ended: 0, waiting: 0 },
}

const isPresent = ({ status }: ActorCounts): boolean => status !== 'stopped'

export interface RosterDeps {
  /** The length of a unit of model time, in milliseconds. */
  readonly scale: number
  /** What an actor is at work on; '' if that is not known. */
  readonly doing: (who: Address) => string
  /** Since when actors and whole machines (`@m1`) are dead, as the story of the run tells it. */
  readonly deadSince: () => ReadonlyMap<string, Time>
}

export class Roster {
  readonly #deps: RosterDeps
  readonly #actors = new Set<Address>()
  readonly #states = new Map<Address, string>()
  /** Until when actors are paused. */
  readonly #pauses = new Map<Address, Time>()
  /** The readings of the last seconds, and the last one before them. */
  #readings: readonly Reading[] = []
  #rates: ReadonlyMap<Address, number> = new Map()
  #pace: Pace = { stepRate: 0, messageRate: 0 }

  constructor(deps: RosterDeps) {
    this.#deps = deps
  }

  /** Takes a line of the trace. */
  add(line: Line): void {
    const { t, who } = line
    if (t === 'fault') this.#fault(String(line['fault']))
    if (typeof who !== 'string') return
    if (t === 'state') this.#states.set(who, stateName(line['value'] ?? null))
    else if (t === 'spawn') {
      this.#actors.add(who)
      this.#states.delete(who)
      // a restart ends a pause
      this.#pauses.delete(who)
    }
  }

  /** How busy the run was when it was last measured. */
  get pace(): Pace {
    return this.#pace
  }

  /** Measures how busy the actors are, which have sent `messages` so far. */
  measure(now: Time, counts: readonly ActorCounts[], messages: number): void {
    const { scale } = this.#deps
    const secondsTo = (from: Time): number => (toUnits(now - from) * scale) / 1000
    const steps = new Map(counts.filter(isPresent).map((one) => [one.address, one.steps]))
    const allSteps = sum(counts, (one) => one.steps)
    this.#forgetOthers(steps)
    const first = this.#readings.findLastIndex(({ at }) => secondsTo(at) >= RATE_S)
    this.#readings = [...this.#readings.slice(Math.max(0, first)), { at: now, steps, allSteps, messages }]
    const [from] = this.#readings
    const seconds = from ? secondsTo(from.at) : 0
    const perSecond = (more: number): number => (seconds > 0 ? more / seconds : 0)
    this.#rates = new Map(
      [...steps].map(([who, count]) => [who, perSecond(count - (from?.steps.get(who) ?? 0))] as const),
    )
    this.#pace = {
      stepRate: perSecond(allSteps - (from?.allSteps ?? 0)),
      messageRate: perSecond(messages - (from?.messages ?? 0)),
    }
  }

  /** The actors that have not ended and their machines, at most `ACTORS_MAX` of each, and the numbers of all. */
  shown(now: Time, counts: readonly ActorCounts[]): ShownActors {
    const present = counts.filter(isPresent)
    const countOf = (status: ActorCounts['status']): number => counts.filter((one) => one.status === status).length
    const dead = this.#deps.deadSince()
    const actors = present.slice(0, ACTORS_MAX).map((one) => this.#shown(one, now, dead))
    return {
      actors,
      omitted: present.length - actors.length,
      machines: [...new Set(present.map(({ address }) => machineOf(address)))].slice(0, ACTORS_MAX),
      totals: {
        alive: countOf('alive'),
        dead: countOf('dead'),
        ended: countOf('stopped'),
        waiting: sum(present, ({ mailbox }) => mailbox),
      },
    }
  }

  #shown({ address, status, mailbox, steps }: ActorCounts, now: Time, dead: ReadonlyMap<string, Time>): LiveActor {
    const pause = this.#pauses.get(address) ?? 0
    const [life, at] =
      status === 'dead'
        ? (['dead', dead.get(`@${machineOf(address)}`) ?? dead.get(address) ?? null] as const)
        : pause > now
          ? (['paused', pause] as const)
          : (['alive', null] as const)
    return {
      address,
      life,
      at,
      state: this.#states.get(address) ?? '-',
      mailbox,
      rate: this.#rates.get(address) ?? 0,
      steps,
      doing: life === 'dead' ? '' : this.#deps.doing(address),
    }
  }

  /** Forgets the actors that have ended. */
  #forgetOthers(present: ReadonlyMap<Address, number>): void {
    for (const known of [this.#actors, this.#states, this.#pauses]) {
      for (const who of known.keys()) if (!present.has(who)) known.delete(who)
    }
  }

  #fault(text: string): void {
    const fault = parseFault(text)
    if (fault.type !== 'pause') return
    const until = fault.at + fault.duration
    for (const who of matchingAddresses(fault.who, [...this.#actors])) this.#pauses.set(who, until)
  }
}
