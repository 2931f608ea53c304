/**
 * Do all processors keep the promises of proportional share? Folded from the facts that they observe, while these come.
 * Nothing here is known to any actor.
 */

import type { JobFact } from '../../../actors/processor/jobs.ts'
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import { isObject } from '../../../lib/core/data.ts'
import type { Violation } from '../../../lib/scenario/specification.ts'
import { CurrencyAudit, type Terms } from './currency-audit.ts'
import { ProcessorAudit, type Rules } from './processor-audit.ts'

const TYPES: ReadonlySet<string> = new Set<JobFact['type']>(['joined', 'left', 'funded', 'credited', 'ran'])

/** Other roles may use the same words for facts of their own. */
const isJobFact = (fact: Message, who: Address): fact is JobFact =>
  roleOf(who) === 'processor' &&
  (TYPES.has(fact.type) ? typeof fact['job'] === 'string' : fact.type === 'ticked' && isObject(fact['tickets']))

/** Kept of broken promises; one that breaks usually breaks for good. */
const MOST = 100

export class Ledger {
  /** Broken promises: which, where, when and what; the first 100. */
  readonly broken: Violation[] = []
  readonly #rules: Rules
  readonly #audits = new Map<string, ProcessorAudit>()
  readonly #worths: CurrencyAudit | null

  /** `terms`: of the currencies; null: jobs hold base tickets. */
  constructor(rules: Rules, terms: Terms | null) {
    this.#rules = rules
    this.#worths = terms && new CurrencyAudit(terms, (violation) => this.#complain(violation))
  }

  /** How many jobs were held to I4 and I9, which are asked of a machine only at times. */
  get looked(): CurrencyAudit['looked'] {
    return this.#worths?.looked ?? { I4: 0, I9: 0 }
  }

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (roleOf(who) === 'user') this.#worths?.ofUser(fact, at)
    if (!isJobFact(fact, who)) return
    this.#auditOf(machineOf(who)).fold(fact, at)
    this.#worths?.ofProcessor(fact, who, at)
  }

  /** An actor is gone: a processor that comes back begins with nothing, and what it was doing is not told. */
  died(who: Address, at: Time): void {
    this.#worths?.died(who, at)
    if (roleOf(who) !== 'processor') return
    const machine = machineOf(who)
    this.#audits.get(machine)?.settle()
    this.#audits.set(machine, this.#begin(machine, at))
  }

  /** Broken promises, in words. */
  get violations(): string[] {
    return this.broken.map(({ text }) => text)
  }

  /** All facts are in. */
  close(): void {
    for (const audit of this.#audits.values()) audit.settle()
    this.#worths?.settle()
  }

  #auditOf(machine: string): ProcessorAudit {
    const known = this.#audits.get(machine)
    if (known) return known
    const audit = this.#begin(machine, 0)
    this.#audits.set(machine, audit)
    return audit
  }

  #begin(machine: string, at: Time): ProcessorAudit {
    return new ProcessorAudit(machine, at, this.#rules, (violation) => this.#complain(violation))
  }

  #complain(violation: Violation): void {
    if (this.broken.length < MOST) this.broken.push(violation)
  }
}
