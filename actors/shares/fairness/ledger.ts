/**
 * Do all processors keep the promises of proportional share? Folded from the facts that they observe, while these come.
 * Nothing here is known to any actor.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import type { JobFact } from '../../processor/jobs.ts'
import { Audit, type Rules } from './audit.ts'

const TYPES: ReadonlySet<string> = new Set<JobFact['type']>(['joined', 'left', 'funded', 'credited', 'ran'])

/** Other roles may use the same words for facts of their own. */
const isJobFact = (fact: Message, who: Address): fact is JobFact & { readonly job: string } =>
  roleOf(who) === 'processor' && TYPES.has(fact.type) && typeof fact['job'] === 'string'

/** Lines kept of broken promises; one that breaks usually breaks for good. */
const MOST = 100

export class Ledger {
  /** Broken promises: which, where, when and what; the first 100. */
  readonly violations: string[] = []
  readonly #rules: Rules
  readonly #audits = new Map<string, Audit>()

  constructor({ cap = 100, borrows = null }: Partial<Rules> = {}) {
    this.#rules = { cap, borrows }
  }

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isJobFact(fact, who)) this.#auditOf(machineOf(who)).fold(fact, at)
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

  #auditOf(machine: string): Audit {
    const known = this.#audits.get(machine)
    if (known) return known
    const audit = this.#begin(machine, 0)
    this.#audits.set(machine, audit)
    return audit
  }

  #begin(machine: string, at: Time): Audit {
    return new Audit(machine, at, this.#rules, (line) => {
      if (this.violations.length < MOST) this.violations.push(line)
    })
  }
}
