/**
 * Checks how long the processes of one machine run, spin and sleep, and the credit of those that wake (spec, sections 3, 5 and 8). All
 * of it is computed again from facts and from the programs that users gave.
 */
import type { JobFact, Program } from '../../../actors/processor/jobs.ts'
import type { Credit } from '../../../actors/processor/sharing.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import type { Complain } from './pass-audit.ts'
import { isNear } from './rounding.ts'

export interface SleepRules {
  readonly credit: Credit
  /** The program of a job; undefined if it is not known, or if users stop the job. */
  readonly programOf: (job: string) => (Pick<Program, 'kind'> & Partial<Timed>) | undefined
  /** Whether users grant exhaustible tickets, to any job. */
  readonly hasGrants: boolean
  /** Whether timers fire when they are due. */
  readonly isTimed: boolean
}

/** What programs say of times. */
interface Timed {
  readonly work: Time | null
  readonly bursts: readonly { readonly run: Time; readonly sleep: Time }[]
  readonly spin: Time | null
}

interface Granted {
  readonly extra: number
  readonly until: Time
}

/** One process. */
interface Life {
  /** The number of its bursts that are over. */
  bursts: number
  /** How long it has had the processor in this burst. */
  used: Time
  /** When it arrived at its barrier; null while it computes. */
  arrived: Time | null
  /** Since when it sleeps; null: it does not. */
  asleepSince: Time | null
  /** The credit that it was told of, before it competes again. */
  told: Granted | null
  credit: Granted | null
}

type Of<Type extends JobFact['type']> = Extract<JobFact, { type: Type }>

/** The credit of a sleeper by the sound rule (spec, section 5); null if it gets none. `t`, `T`, `S` and `C` are those of the paper. */
export function creditFor(
  t: number,
  T: number,
  S: number,
  C: number,
  cap: number,
): { extra: number; lasts: number } | null {
  const share = cap / 100
  if (share * T <= t || S === 0) return null
  const least = (S * t) / (share * T - t)
  if (C <= least) return { extra: (share * T - t) / (1 - share), lasts: least }
  return { extra: (t * T * S) / (C * T - (S + C) * t), lasts: C }
}

/** The catch-up time of the adaptive variant, for a burst that took `R`. */
const adaptive = (t: number, T: number, S: number, R: number, cap: number): number =>
  Math.min(S, Math.max((R * T) / t - S, (100 * R) / cap))

/** The rounding error allowed in credit, which has a pole. */
const NEAR = 1e-6

const isAlmost = (one: number, other: number): boolean =>
  Math.abs(one - other) <= NEAR * Math.max(1, Math.abs(one), Math.abs(other))

export class SleepAudit {
  readonly #rules: SleepRules
  readonly #resident: () => number | null
  readonly #complain: Complain
  readonly #lives = new Map<string, Life>()
  /** The jobs with credit. */
  readonly #credited = new Set<string>()

  /** `resident` tells the base tickets of all jobs here; null if they are not known. */
  constructor(rules: SleepRules, resident: () => number | null, complain: Complain) {
    this.#rules = rules
    this.#resident = resident
    this.#complain = complain
  }

  fold(fact: JobFact, at: Time): void {
    switch (fact.type) {
      case 'joined':
        return this.#join(fact, at)
      case 'credited':
        this.#lifeOf(fact.job).told = { extra: fact.extra, until: fact.until }
        return
      case 'funded':
        return this.#fund(fact, at)
      case 'ran':
        this.#lifeOf(fact.job).used += fact.used
        return
      case 'arrived':
        this.#lifeOf(fact.job).arrived = at
        return
      case 'spun':
        return this.#spin(fact, at)
      case 'left':
        return this.#leave(fact, at)
    }
  }

  /** Call this when all facts of the instant are in. Every event first ends the tickets that should have ended before it. */
  settle(at: Time): void {
    for (const job of this.#credited) {
      const credit = this.#lives.get(job)?.credit
      if (credit && credit.until < at) {
        this.#complain('I14', `${job} keeps its credit after ${toUnits(credit.until)}`)
        this.#end(job)
      }
    }
  }

  #lifeOf(job: string): Life {
    const known = this.#lives.get(job)
    if (known) return known
    const life: Life = { bursts: 0, used: 0, arrived: null, asleepSince: null, told: null, credit: null }
    this.#lives.set(job, life)
    return life
  }

  #join({ job, tickets, extra }: Of<'joined'>, at: Time): void {
    const life = this.#lifeOf(job)
    const { asleepSince, told } = life
    if (asleepSince !== null) this.#wake(job, life, tickets, at - asleepSince, at)
    life.told = null
    life.asleepSince = null
    this.#end(job)
    if (this.#rules.hasGrants || this.#rules.credit.policy === 'loan') return
    const due = told?.extra ?? 0
    if (!isNear(extra, due)) this.#complain('I14', `${job} comes with ${extra} exhaustible tickets and not ${due}`)
    if (!told) return
    life.credit = told
    this.#credited.add(job)
  }

  #wake(job: string, life: Life, tickets: number, slept: Time, at: Time): void {
    const program = this.#rules.programOf(job)
    const burst = program?.bursts?.[(life.bursts - 1) % program.bursts.length]
    if (burst) this.#checkTime(job, 'slept', slept, burst.sleep)
    this.#checkCredit(job, life, tickets, slept, at)
    life.used = 0
    life.arrived = null
  }

  #checkCredit(job: string, { told, used }: Life, tickets: number, slept: Time, at: Time): void {
    const { credit } = this.#rules
    if (credit.policy !== 'system' || credit.competing !== 'resident' || !this.#rules.programOf(job)) return
    const isBurst = this.#rules.programOf(job)?.kind === 'bursts'
    const resident = this.#resident()
    if (resident === null || (credit.catchUp === 'adaptive' && !isBurst)) return
    const catchUp =
      credit.catchUp === 'adaptive' ? adaptive(tickets, resident, slept, used, credit.cap) : credit.catchUp * slept
    const due = creditFor(tickets, resident, slept, catchUp, credit.cap)
    if (!due) {
      // at the cap rounding decides
      if (told && told.extra > NEAR) this.#complain('I14', `${job} gets ${told.extra} tickets and needs none`)
      return
    }
    const { extra, lasts } = told ? { extra: told.extra, lasts: told.until - at } : { extra: 0, lasts: 0 }
    if (!isAlmost(extra, due.extra))
      this.#complain('I14', `${job} gets ${extra} tickets for its sleep of ${toUnits(slept)} and not ${due.extra}`)
    else if (told && !isAlmost(lasts, due.lasts) && Math.abs(lasts - due.lasts) > 1)
      this.#complain('I14', `the credit of ${job} lasts ${toUnits(lasts)} and not ${toUnits(Math.round(due.lasts))}`)
  }

  #fund({ job, extra }: Of<'funded'>, at: Time): void {
    const { credit, hasGrants } = this.#rules
    if (hasGrants || credit.policy === 'loan') return
    const life = this.#lifeOf(job)
    const own = life.credit
    const isOver = !own || at > own.until || (at === own.until && extra === 0)
    const due = isOver ? 0 : own.extra
    if (!isNear(extra, due)) this.#complain('I14', `${job} has ${extra} exhaustible tickets and not ${due}`)
    if (isOver) this.#end(job)
  }

  #spin({ job }: Of<'spun'>, at: Time): void {
    const spin = this.#rules.programOf(job)?.spin
    const { arrived } = this.#lifeOf(job)
    if (typeof spin !== 'number' || arrived === null) return
    if (this.#rules.isTimed && at > arrived + spin)
      this.#complain('I15', `${job} spins until ${toUnits(at)}, longer than ${toUnits(spin)} from its arrival`)
  }

  #leave({ job, why }: Of<'left'>, at: Time): void {
    const life = this.#lifeOf(job)
    const program = this.#rules.programOf(job)
    this.#end(job)
    if (why === 'asleep') {
      life.asleepSince = at
      life.bursts += 1
      const burst = program?.bursts?.[(life.bursts - 1) % program.bursts.length]
      if (burst) this.#checkTime(job, 'ran', life.used, burst.run)
      const { arrived } = life
      const spin = program?.spin
      if (typeof spin === 'number' && arrived !== null && at < arrived + spin)
        this.#complain(
          'I15',
          `${job} sleeps ${toUnits(at - arrived)} after its arrival, and should spin for ${toUnits(spin)}`,
        )
    }
    if (why === 'done' && typeof program?.work === 'number') this.#checkTime(job, 'ran', life.used, program.work)
    if (why === 'done' || why === 'withdrawn') this.#lives.delete(job)
  }

  /** A timer is never early, and late only where events are held back. */
  #checkTime(job: string, did: string, had: Time, due: Time): void {
    if (had === due || (had > due && !this.#rules.isTimed)) return
    this.#complain('I15', `${job} ${did} for ${toUnits(had)} and not ${toUnits(due)}`)
  }

  #end(job: string): void {
    if (!this.#credited.delete(job)) return
    const life = this.#lives.get(job)
    if (life) life.credit = null
  }
}
