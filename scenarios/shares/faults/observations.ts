/** The observations of a run of a plan: ticks, barriers opened, jobs given up, and jobs that came and went. */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { listen } from '../../../lib/scenario/oracle.ts'
import type { System } from '../../../lib/system.ts'
import type { Line } from '../../../lib/trace/lines.ts'

/** A tick of a processor: whether it was informed, and the base tickets of the jobs on it. */
export interface Tick {
  readonly machine: string
  readonly at: Time
  readonly informed: boolean
  readonly tickets: ReadonlyMap<string, number>
}

export interface GivenUp {
  readonly job: string
  readonly at: Time
  readonly lost: readonly Address[]
}

/** A question of a barrier to a member of its job, or the answer, that was lost. */
export interface Lost {
  readonly at: Time
  readonly between: readonly Address[]
}

/** A report of a ticket server to a peer, or the withdrawal of a process by the barrier of its job. */
export interface Sent {
  readonly type: 'share' | 'withdraw'
  readonly at: Time
  readonly from: Address
  readonly to: Address
  isLost: boolean
}

/** The last message that a user received about a job. */
interface Heard {
  readonly type: string
  readonly processors: readonly string[]
}

export class Observations {
  readonly ticks: Tick[] = []
  readonly givenUp: GivenUp[] = []
  readonly lost: Lost[] = []
  readonly sent: Sent[] = []
  /** When each job's barrier opened. */
  readonly opened = new Map<string, Time[]>()
  /** The last time that each machine's processor ran a job. */
  readonly lastRan = new Map<string, Time>()
  readonly heard = new Map<string, Heard>()
  /** The jobs that a living processor has lost, as users were told. */
  readonly missing = new Set<string>()
  /** When a job last came to a machine or was taken from it. */
  changed: Time = 0
  readonly #present = new Map<string, Set<string>>()
  #sent: { readonly id: Plain | undefined; readonly at: Time } = { id: null, at: 0 }

  /** Observes a run. */
  constructor(system: System) {
    listen(system, this)
    system.onLine((line) => this.hear(line))
  }

  fold(fact: Message, who: Address, at: Time): void {
    const role = roleOf(who)
    if (role === 'processor') this.#ofProcessor(fact, machineOf(who), at)
    else if (role === 'barrier') this.#ofBarrier(fact, at)
    else if (role === 'user') this.#ofUser(fact)
  }

  /** Notes messages that the network loses: one trace line records the send, and the next one the loss. */
  hear({ t, at, id, from, to, type, message }: Line): void {
    if (t === 'send') {
      this.#sent = { id, at: Number(at) }
      const sent = isObject(message) ? message['type'] : undefined
      if (sent !== 'share' && sent !== 'withdraw') return
      this.sent.push({ type: sent, at: Number(at), from: String(from), to: String(to), isLost: false })
    }
    if (t !== 'dead' || id !== this.#sent.id) return
    const last = this.sent.at(-1)
    if (last && type === last.type) last.isLost = true
    if (type !== 'recount' && type !== 'standing') return
    this.lost.push({ at: this.#sent.at, between: [String(from), String(to)] })
  }

  died(who: Address): void {
    if (roleOf(who) === 'processor') this.#present.delete(machineOf(who))
  }

  /** The last tick of each machine. */
  get last(): ReadonlyMap<string, Tick> {
    return new Map(this.ticks.map((tick) => [tick.machine, tick]))
  }

  #ofProcessor({ type, job, why, informed, tickets }: Message, machine: string, at: Time): void {
    if (type === 'ran') this.lastRan.set(machine, at)
    if (type === 'ticked') this.ticks.push({ machine, at, informed: informed === true, tickets: amountsOf(tickets) })
    if (typeof job !== 'string') return
    const present = this.#present.get(machine) ?? new Set()
    this.#present.set(machine, present)
    const isOver = type === 'left' && (why === 'withdrawn' || why === 'done')
    if (type === 'joined' && !present.has(job)) present.add(job)
    else if (isOver) present.delete(job)
    else return
    this.changed = at
  }

  #ofBarrier({ type, job, lost }: Message, at: Time): void {
    if (typeof job !== 'string') return
    if (type === 'opened') this.opened.set(job, [...(this.opened.get(job) ?? []), at])
    if (type === 'aborted') this.givenUp.push({ job, at, lost: Array.isArray(lost) ? lost.map(String) : [] })
  }

  #ofUser({ type, job, processors, processor }: Message): void {
    if (typeof job !== 'string') return
    if (type === 'missing') this.missing.add(`${job} ${processor}`)
    if (type !== 'placed' && type !== 'refused') return
    this.heard.set(job, { type, processors: Array.isArray(processors) ? processors.map(String) : [] })
  }
}

const amountsOf = (tickets: Plain | undefined): ReadonlyMap<string, number> =>
  new Map(isObject(tickets) ? Object.entries(tickets).map(([job, amount]) => [job, Number(amount)]) : [])
