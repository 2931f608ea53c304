/** Checks every decision of one processor again, from facts (I10 to I16 in invariants.ts). It holds in disturbed runs, too. */
import type { Backing, Funding, JobFact, Program } from '../../../actors/processor/jobs.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import { type Cluster, machinesOf, type Said } from '../model.ts'
import { type Invariant, violationOf } from './invariants.ts'
import { PassAudit, type ScheduleRules } from './pass-audit.ts'
import { SleepAudit, type SleepRules } from './sleep-audit.ts'
import { areValid } from './solvency.ts'
import { WorthAudit, type WorthRules } from './worth-audit.ts'

export interface DecisionRules {
  readonly schedule: ScheduleRules
  readonly sleep: Omit<SleepRules, 'isTimed'>
  readonly worth: WorthRules
  /** The machines whose tables are checked, and the tickets between currencies that users ask for; null: none are. */
  readonly tables: { readonly machines: readonly string[]; readonly asked: readonly Backing[] } | null
}

export class DecisionAudit {
  readonly #machine: string
  readonly #complain: (violation: Violation, isTimed: boolean) => void
  readonly #passes: PassAudit
  readonly #worths: WorthAudit
  readonly #sleeps: SleepAudit
  /** The instant whose facts are coming in. */
  #at: Time

  constructor(
    machine: string,
    born: Time,
    { schedule, sleep, worth }: DecisionRules,
    isTimed: boolean,
    complain: (violation: Violation, isTimed: boolean) => void,
  ) {
    this.#machine = machine
    this.#complain = complain
    this.#at = born
    const byTheClock = (invariant: Invariant, what: string) => this.#broken(invariant, what, true)
    this.#passes = new PassAudit(born, schedule, byTheClock)
    this.#worths = new WorthAudit(worth, (invariant, what) => this.#broken(invariant, what, false))
    this.#sleeps = new SleepAudit({ ...sleep, isTimed }, () => this.#worths.resident, byTheClock)
  }

  fold(fact: JobFact, at: Time): void {
    if (at > this.#at) this.settle()
    this.#at = at
    this.#sleeps.fold(fact, at)
    this.#passes.fold(fact, at)
    this.#worths.fold(fact)
  }

  /** What jobs here hold from now on, by currency; null if it is not known, or has not changed. */
  news(): ReadonlyMap<string, number> | null {
    return this.#worths.news()
  }

  /** Call this when all facts of the instant are in. */
  settle(): void {
    this.#passes.settle()
    this.#sleeps.settle(this.#at)
    this.#worths.settle()
  }

  #broken(invariant: Invariant, what: string, isTimed: boolean): void {
    this.#complain(violationOf(invariant, `${this.#machine} at ${toUnits(this.#at)}: ${what}`), isTimed)
  }
}

type Submitted = { readonly funding: Funding; readonly program: Pick<Program, 'kind'> & Partial<Program> }

/** What users submit, by job; null for a job that they submit with several programs or amounts, or change later. */
function submittedIn(orders: readonly Said[]): ReadonlyMap<string, Submitted | null> {
  const submitted = new Map<string, Submitted | null>()
  for (const { message } of orders) {
    if (message.type === 'submit' || message.type === 'place') {
      const { job, currency, amount, program } = message
      const before = submitted.get(job)
      const isSame =
        before === undefined ||
        (before !== null && before.funding.currency === currency && before.funding.amount === amount)
      submitted.set(job, isSame ? { funding: { currency, amount }, program } : null)
    }
  }
  for (const { message } of orders) {
    if (message.type === 'fund' || message.type === 'suspend') submitted.set(message.job, null)
  }
  return submitted
}

/** Whether a process never yields the processor by itself: only sleeps of no time and late periods do. */
const isSteady = (program: Submitted['program']): boolean =>
  program.kind === 'compute' || program.kind === 'parallel' || (program.kind === 'bursts' && !hasYields(program))

const hasYields = (program: Submitted['program']): boolean =>
  'bursts' in program && (program.bursts?.some(({ sleep }) => sleep === 0) ?? false)

/** The rules that the processors of a cluster decide by. */
export function decisionsOf({ machines, sharing, orders }: Cluster): DecisionRules {
  const submitted = submittedIn(orders)
  const { funding, credit, tick } = sharing
  const isFunded = (job: string): boolean => {
    const currency = submitted.get(job)?.funding.currency
    return currency !== undefined && (currency === 'base' || Object.hasOwn(funding, currency))
  }
  const held = new Map([...submitted].flatMap(([job, one]) => (one ? [[job, one.funding] as const] : [])))
  const asked = new Map(
    orders.flatMap(({ message }) => (message.type === 'issue' ? [[message.ticket, message] as const] : [])),
  )
  return {
    schedule: {
      ...sharing,
      isSteady: (job) => {
        const program = submitted.get(job)?.program
        return program !== undefined && isSteady(program)
      },
      // a job whose currency is worth nothing would join later
      isInOrder: areValid([...asked.values()]),
    },
    sleep: {
      credit,
      programOf: (job) => {
        const program = isFunded(job) ? submitted.get(job)?.program : undefined
        return program && !hasYields(program) ? program : undefined
      },
      hasGrants: orders.some(({ message }) => message.type === 'grant' || message.type === 'suspend'),
    },
    worth: {
      funding,
      held,
      countsSleepers: credit.policy !== 'none',
      mayBePoor: credit.policy === 'loan' || orders.some(({ message }) => message.type === 'grant'),
    },
    // a job whose currency is worth nothing is not told of
    tables:
      tick && machines === 2 && areValid([...asked.values()])
        ? { machines: machinesOf({ machines }), asked: [...asked.values()] }
        : null,
  }
}
