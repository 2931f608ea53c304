/**
 * Who had which processor for how long, and whether all of them kept their promises: folded from the facts that processors
 * observe, while they come. Nothing here is known to any actor.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { JobFact } from '../processor/jobs.ts'
import { Audit, type Rules } from './audit.ts'

export interface LedgerOptions extends Partial<Rules> {
  /** Ascending; they cut time into windows, numbered from 0, for which processor time is counted. */
  readonly cuts?: readonly Time[]
  /** Remember every pick: 50 bytes or so each. */
  readonly picks?: boolean
}

/** One stay on a processor, without the switch before it. */
export interface Pick {
  readonly machine: string
  readonly job: string
  readonly from: Time
  readonly until: Time
}

const TYPES: ReadonlySet<string> = new Set<JobFact['type']>(['joined', 'left', 'funded', 'credited', 'ran'])

/** Other roles may use the same words for facts of their own. */
const isJobFact = (fact: Message, who: Address): fact is JobFact & { readonly job: string } =>
  roleOf(who) === 'processor' && TYPES.has(fact.type) && typeof fact['job'] === 'string'

/** Lines kept of broken promises; one that breaks usually breaks for good. */
const MOST = 100

export class Ledger {
  /** Broken promises: which, where, when and what; the first 100. */
  readonly violations: string[] = []
  /** How many there were in all. */
  broken = 0
  /** In the order of their ends. */
  readonly picks: Pick[] = []
  readonly #options: LedgerOptions
  readonly #rules: Rules
  readonly #audits = new Map<string, Audit>()
  /** By window, machine and job. */
  readonly #used: readonly Map<string, Map<string, Time>>[]

  constructor(options: LedgerOptions = {}) {
    const { cap = 100, borrows = null, cuts = [] } = options
    this.#options = options
    this.#rules = { cap, borrows }
    this.#used = [...cuts, Number.POSITIVE_INFINITY].map(() => new Map())
  }

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (!isJobFact(fact, who)) return
    const machine = machineOf(who)
    this.#auditOf(machine).fold(fact, at)
    if (fact.type === 'ran' && fact.used > 0) this.#ran({ machine, job: fact.job, from: at - fact.used, until: at })
  }

  /** An actor is gone: a processor that comes back begins with nothing, and what it was doing is not told. */
  died(who: Address, at: Time): void {
    if (roleOf(who) !== 'processor') return
    const machine = machineOf(who)
    this.#audits.get(machine)?.settle()
    this.#audits.set(machine, this.#begin(machine, at))
  }

  /** All facts are in. */
  close(): void {
    for (const audit of this.#audits.values()) audit.settle()
  }

  /** Processor time of each job on a machine. */
  usedOn(machine: string, window = 0): ReadonlyMap<string, Time> {
    return this.#used[window]?.get(machine) ?? new Map()
  }

  /** Processor time of a job on all machines. */
  usedBy(job: string, window = 0): Time {
    const machines = [...(this.#used[window]?.values() ?? [])]
    return machines.reduce((sum, jobs) => sum + (jobs.get(job) ?? 0), 0)
  }

  /** What part each job had of the time that all of them had on a machine. */
  sharesOn(machine: string, window = 0): Map<string, number> {
    const used = this.usedOn(machine, window)
    const all = [...used.values()].reduce((sum, time) => sum + time, 0)
    return new Map([...used].map(([job, time]) => [job, time / all]))
  }

  /** Who had a machine's processor, quantum by quantum; needs the option `picks`. */
  orderOn(machine: string): string[] {
    return this.picks.filter((pick) => pick.machine === machine).map(({ job }) => job)
  }

  #ran(pick: Pick): void {
    if (this.#options.picks) this.picks.push(pick)
    const { machine, job, from, until } = pick
    const { cuts = [] } = this.#options
    for (const [window, used] of this.#used.entries()) {
      const [begins, ends] = [cuts[window - 1] ?? 0, cuts[window] ?? Number.POSITIVE_INFINITY]
      const time = Math.min(until, ends) - Math.max(from, begins)
      if (time <= 0) continue
      const jobs = used.get(machine) ?? new Map<string, Time>()
      used.set(machine, jobs.set(job, (jobs.get(job) ?? 0) + time))
    }
  }

  #auditOf(machine: string): Audit {
    const known = this.#audits.get(machine)
    if (known) return known
    const audit = this.#begin(machine, 0)
    this.#audits.set(machine, audit)
    return audit
  }

  #begin(machine: string, at: Time): Audit {
    return new Audit(machine, at, this.#rules, (line) => {
      this.broken++
      if (this.violations.length < MOST) this.violations.push(line)
    })
  }
}
