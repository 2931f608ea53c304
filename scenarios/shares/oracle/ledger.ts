/**
 * Checks that all processors keep the promises of proportional share, from the facts that they observe, as these
 * come. No actor knows of it.
 */

import type { JobFact } from '../../../actors/processor/jobs.ts'
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import { isObject } from '../../../lib/core/data.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../../lib/scenario/outcome.ts'
import { CurrencyAudit, type Terms } from './currency-audit.ts'
import { DecisionAudit, type DecisionRules } from './decision-audit.ts'
import { ProcessorAudit, type Rules } from './processor-audit.ts'
import { TableAudit } from './table-audit.ts'

const TYPES: ReadonlySet<string> = new Set<JobFact['type']>([
  'joined',
  'left',
  'funded',
  'credited',
  'ran',
  'spun',
  'arrived',
])

/** Other roles may use the same types for facts of their own. */
const isJobFact = (fact: Message, who: Address): fact is JobFact =>
  roleOf(who) === 'processor' &&
  (TYPES.has(fact.type) ? typeof fact['job'] === 'string' : fact.type === 'ticked' && isObject(fact['tickets']))

/** The most violations that are kept; a promise that is broken usually stays broken. */
const MOST = 100

export class Ledger {
  /** The first 100 broken promises: which, where, when and how. */
  readonly broken: Violation[] = []
  /** The first 100 broken promises that are not about times that processors read from their clocks. */
  readonly #timeless: Violation[] = []
  readonly #rules: Rules
  readonly #audits = new Map<string, ProcessorAudit>()
  readonly #decisions: DecisionRules | null
  readonly #decided = new Map<string, DecisionAudit>()
  readonly #tables: TableAudit | null
  readonly #worths: CurrencyAudit | null

  /**
   * `terms`: the terms of the currencies; null if jobs hold base tickets. `decisions`: the rules by which decisions are checked;
   * null if they are not.
   */
  constructor(rules: Rules, terms: Terms | null, decisions: DecisionRules | null = null) {
    this.#rules = rules
    this.#decisions = decisions
    const complain = (violation: Violation, isTimed: boolean) => this.#complain(violation, isTimed)
    this.#tables = decisions?.tables
      ? new TableAudit(decisions.tables.machines, decisions.tables.asked, complain)
      : null
    this.#worths = terms && new CurrencyAudit(terms, (violation) => this.#complain(violation, false))
  }

  /** How many jobs were checked for I4 and I9, which apply to a machine only at times. */
  get looked(): CurrencyAudit['looked'] {
    return this.#worths?.looked ?? { I4: 0, I9: 0 }
  }

  /** Takes in one fact; facts of other roles are ignored. */
  fold(fact: Message, who: Address, at: Time): void {
    if (roleOf(who) === 'ticket-server' && fact.type === 'forgot') this.#tables?.forgot(who)
    if (roleOf(who) === 'user') this.#worths?.ofUser(fact, at)
    if (!isJobFact(fact, who)) return
    const machine = machineOf(who)
    this.#auditOf(machine).fold(fact, at)
    this.#decide(fact, machine, at)
    this.#worths?.ofProcessor(fact, who, at)
  }

  /** Folds the death of an actor. A restarted processor begins without jobs, and no fact tells of the lost ones. */
  died(who: Address, at: Time): void {
    this.#worths?.died(who, at)
    this.#tables?.died(who)
    if (roleOf(who) !== 'processor') return
    const machine = machineOf(who)
    this.#audits.get(machine)?.settle()
    this.#audits.set(machine, this.#begin(machine, at))
    this.#decided.get(machine)?.settle()
    this.#decided.delete(machine)
    this.#decidedBy(machine, at)
  }

  /** The broken promises that count: those about times only where no clock has jumped. */
  brokenIn({ clocksJumped }: Pick<RunOutcome, 'clocksJumped'>): readonly Violation[] {
    return clocksJumped ? this.#timeless : this.broken
  }

  /** The broken promises as text. */
  get violations(): string[] {
    return this.broken.map(({ text }) => text)
  }

  /** Call this when all facts are in. */
  close(): void {
    for (const audit of [...this.#audits.values(), ...this.#decided.values()]) audit.settle()
    this.#worths?.settle()
  }

  #auditOf(machine: string): ProcessorAudit {
    const known = this.#audits.get(machine)
    if (known) return known
    const audit = this.#begin(machine, 0)
    this.#audits.set(machine, audit)
    return audit
  }

  #decide(fact: JobFact, machine: string, at: Time): void {
    const audit = this.#decidedBy(machine)
    if (!audit) return
    audit.fold(fact, at)
    if (!this.#tables) return
    const news = audit.news()
    if (news) this.#tables.holds(machine, news)
    if (fact.type === 'ticked') this.#tables.ticked(machine, fact, at)
  }

  #decidedBy(machine: string, born: Time = 0): DecisionAudit | null {
    const known = this.#decided.get(machine)
    if (known || !this.#decisions) return known ?? null
    const audit = new DecisionAudit(machine, born, this.#decisions, this.#rules.isPunctual, (violation, isTimed) =>
      this.#complain(violation, isTimed),
    )
    this.#decided.set(machine, audit)
    return audit
  }

  #begin(machine: string, at: Time): ProcessorAudit {
    return new ProcessorAudit(machine, at, this.#rules, (violation, isTimed) => this.#complain(violation, isTimed))
  }

  #complain(violation: Violation, isTimed: boolean): void {
    for (const list of isTimed ? [this.broken] : [this.broken, this.#timeless]) {
      if (list.length < MOST) list.push(violation)
    }
  }
}
