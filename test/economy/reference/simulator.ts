/**
 * FCFS, RES and ECON by one plain loop over events: no actors, no messages, and no code shared with the implementation
 * but names. Every value is computed from scratch when it is needed, so the simulator is slow and easy to check.
 */
import type { Economy } from '../../../scenarios/economy/model.ts'
import type { EconomyJob } from '../../../scenarios/economy/workload/job.ts'

const MINUTE = 1_000_000
const LEAST_WEIGHT = 1e-4

export interface Outcome {
  readonly start: number
  readonly finish: number
  readonly kind: 'direct' | 'reserved' | 'backfill'
  readonly decided: number
  readonly wasted: number
  readonly price: number
  readonly paid: number
  /** Dollars received while it ran. */
  readonly later: number
}

interface User {
  readonly income: number
  readonly cap: number
  readonly targets: readonly number[] | null
  savings: number
  received: number
  paid: number
  /** The coefficients as the user has them, and as the bank has them. */
  wanted: readonly number[]
  weights: readonly number[]
}

interface Running {
  readonly job: EconomyJob
  readonly end: number
}

type Choice = Pick<Outcome, 'decided' | 'wasted' | 'price'>
type Reserved = Choice & { readonly job: EconomyJob; readonly start: number }

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const shares = (values: readonly number[]) => values.map((value) => value / sum(values))
const floored = (values: readonly number[]) => shares(shares(values).map((value) => Math.max(LEAST_WEIGHT, value)))
const workOf = ({ processors, service }: EconomyJob) => (processors * service) / MINUTE

export class Simulator {
  readonly outcomes = new Map<number, Outcome>()
  readonly users: ReadonlyMap<string, User>
  /** How often all coefficients were updated. */
  updates = 0
  now = 0
  readonly #economy: Economy
  readonly #balances = new Map<number, number>()
  readonly #slowdowns: [number[], number[], number[]] = [[], [], []]
  #coming: EconomyJob[]
  #ready: EconomyJob[] = []
  #running: Running[] = []
  #reserved: Reserved | null = null

  constructor(economy: Economy) {
    this.#economy = economy
    this.#coming = [...economy.jobs]
    this.users = new Map(
      Object.entries(economy.users).map(([name, { income, savings, cap, coefficients, targets }]) => {
        const money = { savings: Math.min(savings, cap), received: 0, paid: 0 }
        return [name, { income, cap, targets, ...money, wanted: coefficients, weights: floored(coefficients) }]
      }),
    )
  }

  run(): void {
    const every = this.#economy.market?.statistics?.every ?? Number.POSITIVE_INFINITY
    let update = every
    while (this.#coming.length + this.#ready.length + this.#running.length > 0) {
      const arrival = this.#coming[0]?.arrival ?? Number.POSITIVE_INFINITY
      const at = Math.min(arrival, update, ...this.#running.map(({ end }) => end))
      this.#advance(at)
      for (const one of this.#running.filter(({ end }) => end === at)) this.#finish(one)
      if (at === update) {
        update += every
        this.#update()
      }
      for (const job of this.#coming.filter(({ arrival }) => arrival === at)) this.#arrive(job)
      this.#coming = this.#coming.filter(({ arrival }) => arrival > at)
      this.#pass()
    }
  }

  #user(name: string): User {
    const user = this.users.get(name)
    if (!user) throw new Error(`no user ${name}`)
    return user
  }

  #balance({ id }: EconomyJob): number {
    return this.#balances.get(id) ?? 0
  }

  /** The rates of a user's jobs, in dollars per minute (equations 4 and 5). */
  #rates(name: string): ReadonlyMap<EconomyJob, number> {
    const { income, weights } = this.#user(name)
    const sharing = this.#economy.market?.sharing
    const all = [...this.#ready, ...(sharing?.running ? this.#running.map(({ job }) => job) : [])]
    const paid = all.filter(({ user }) => user === name)
    const weighted = (job: EconomyJob) => (weights[job.class - 1] ?? 0) * workOf(job)
    const divisor = sum(paid.map(sharing?.rates === 'unweighted' ? workOf : weighted))
    return new Map(paid.map((job) => [job, (income * weighted(job)) / divisor]))
  }

  #advance(at: number): void {
    const minutes = (at - this.now) / MINUTE
    this.now = at
    for (const [name, user] of this.users) {
      const rates = this.#rates(name)
      for (const [job, rate] of rates) this.#balances.set(job.id, this.#balance(job) + rate * minutes)
      const spent = sum([...rates.values()])
      const isAll = rates.size > 0 && this.#economy.market?.sharing.rates === 'weighted'
      const saved = isAll ? 0 : Math.min((user.income - spent) * minutes, user.cap - user.savings)
      user.savings += saved
      user.received += saved + spent * minutes
    }
  }

  #finish({ job, end }: Running): void {
    this.#running = this.#running.filter((one) => one.job !== job)
    const later = this.#balance(job)
    this.#user(job.user).paid += later
    const outcome = this.outcomes.get(job.id)
    if (outcome) this.outcomes.set(job.id, { ...outcome, later })
    this.#slowdowns[job.class - 1]?.push((end - job.arrival) / job.service)
    if (this.#economy.policy.reservation === 'rescans') this.#reserved = null
  }

  #update(): void {
    const means = this.#slowdowns.map((all) => sum(all) / all.length)
    if (means.some(Number.isNaN)) return
    this.updates++
    for (const user of this.users.values()) {
      const { targets, wanted } = user
      if (!targets) continue
      const ratio = (l: number) => ((means[l] ?? 0) / sum(means) / (targets[l] ?? 1)) * sum(targets)
      user.wanted = floored(wanted.map((weight, l) => weight * ratio(l)))
      user.weights = floored(user.wanted)
    }
  }

  #arrive(job: EconomyJob): void {
    const user = this.#user(job.user)
    const deposit = Math.min(job.deposit, user.savings)
    user.savings -= deposit
    if (job.processors > this.#economy.processors) return
    this.#balances.set(job.id, deposit)
    this.#ready.push(job)
  }

  /** The times when processors become free, in order. */
  #free(): number[] {
    const ends = this.#running.flatMap(({ job, end }) => new Array<number>(job.processors).fill(end))
    const idle = new Array<number>(this.#economy.processors - ends.length).fill(this.now)
    return [...idle, ...ends].sort((one, other) => one - other)
  }

  get #idle(): number {
    return this.#free().filter((at) => at === this.now).length
  }

  #earliest({ processors }: EconomyJob): number {
    return this.#free()[processors - 1] ?? Number.NaN
  }

  #choice(job: EconomyJob, rate: number): Choice {
    const start = this.#earliest(job)
    const wasted = sum(
      this.#free()
        .slice(0, job.processors)
        .map((at) => start - at),
    )
    const { future, waste } = this.#economy.policy
    const lasts = start - this.now + (this.#economy.market?.sharing.running ? job.service : 0)
    const money = this.#balance(job) + (future ? (rate * lasts) / MINUTE : 0)
    return { decided: this.now, wasted, price: money / (workOf(job) + (waste ? wasted / MINUTE : 0)) }
  }

  #start(job: EconomyJob, kind: Outcome['kind'], choice: Choice): void {
    this.#ready = this.#ready.filter((one) => one !== job)
    const finish = this.now + job.service
    this.#running.push({ job, end: finish })
    const paid = this.#balance(job)
    this.#balances.set(job.id, 0)
    this.#user(job.user).paid += paid
    this.outcomes.set(job.id, { start: this.now, finish, kind, ...choice, paid, later: 0 })
  }

  #pass(): void {
    const { policy } = this.#economy
    const rates = new Map([...this.users.keys()].flatMap((name) => [...this.#rates(name)]))
    const choiceOf = (job: EconomyJob) => this.#choice(job, rates.get(job) ?? 0)
    const best = (jobs: readonly EconomyJob[], by: 'offer' | 'arrival') =>
      jobs.reduce((one, other) =>
        by === 'offer' && choiceOf(other).price > choiceOf(one).price * (1 + 1e-9) ? other : one,
      )
    const due = this.#reserved
    if (due && due.job.processors <= this.#idle) {
      const { decided, wasted, price } = due
      this.#start(due.job, 'reserved', { decided, wasted, price })
      this.#reserved = null
    }
    while (this.#idle > 0 && !this.#reserved && this.#ready.length > 0) {
      const job = best(this.#ready, policy.choice)
      if (job.processors <= this.#idle) this.#start(job, 'direct', choiceOf(job))
      else if (policy.reserves) this.#reserved = { job, start: this.#earliest(job), ...choiceOf(job) }
      else return
    }
    if (!this.#reserved) return
    const { job: holder, start } = this.#reserved
    if (this.#earliest(holder) !== start) throw new Error(`the reservation of job ${holder.id} has moved`)
    let surplus = policy.surplus ? this.#free().filter((at) => at <= start).length - holder.processors : 0
    const isShort = ({ service }: EconomyJob) => this.now + service <= start
    const fits = (job: EconomyJob) =>
      job !== holder && job.processors <= this.#idle && (isShort(job) || job.processors <= surplus)
    for (let jobs = this.#ready.filter(fits); jobs.length > 0; jobs = this.#ready.filter(fits)) {
      const job = best(jobs, policy.backfill)
      if (!isShort(job)) surplus -= job.processors
      this.#start(job, 'backfill', choiceOf(job))
    }
  }
}
