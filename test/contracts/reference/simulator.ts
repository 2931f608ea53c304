/**
 * The rules of a contracts market (Irwin, Grit and Chase 2004, sections 2 to 5) as one plain loop over instants. It shares
 * only the form of its input with the actors. It keeps lists, and computes everything from scratch each time, in units.
 */

export interface Task {
  readonly task: number
  readonly arrival: number
  readonly runtime: number
  readonly value: number
  readonly decay: number
  /** The largest penalty; Infinity: no limit. */
  readonly bound: number
}

export interface Terms {
  readonly processors: number
  readonly name: 'FCFS' | 'SRPT' | 'SWPT' | 'FirstPrice' | 'PV' | 'FirstReward'
  readonly alpha: number
  readonly discount: number
  /** The least slack that the site accepts; null: it accepts all. */
  readonly threshold: number | null
  readonly preempt: 0 | 1 | 2
}

export interface Outcome {
  readonly site: number
  readonly promised: number
  readonly price: number
  readonly slack: number
  start: number
  finish: number
  yield: number
  paid: number
  preempted: number
}

interface Job extends Task {
  left: number
  /** Whether the job arrived at this instant. */
  isNew: boolean
}

interface Ranked {
  readonly job: Job
  readonly rank: number
}

interface Quote {
  readonly site: number
  readonly completion: number
  readonly price: number
  readonly slack: number
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

const yieldOf = (task: Task, completion: number) => {
  const delay = Math.max(0, completion - task.arrival - task.runtime)
  return Math.max(task.value - task.decay * delay, -task.bound)
}

/** Rounds to 40 significant bits. */
function rounded(rank: number): number {
  if (rank === 0) return 0
  let scale = 1
  while (Math.abs(rank) * scale < 2 ** 39) scale *= 2
  while (Math.abs(rank) * scale >= 2 ** 40) scale /= 2
  return Math.round(rank * scale) / scale
}

class Site {
  readonly waiting: Job[] = []
  readonly running: Job[] = []
  readonly number: number
  readonly terms: Terms

  constructor(number: number, terms: Terms) {
    this.number = number
    this.terms = terms
  }

  #rank(job: Job, candidates: readonly Job[], now: number): number {
    const { name, alpha, discount } = this.terms
    const worth = yieldOf(job, now + job.left)
    const present = worth / (1 + discount * job.left)
    if (name === 'FCFS') return -job.arrival
    if (name === 'SRPT') return -job.left
    if (name === 'SWPT') return job.decay / job.left
    if (name === 'FirstPrice') return worth / job.left
    if (name === 'PV') return present / job.left
    const cost = sum(
      candidates.map((other) => {
        if (other === job || other.decay === 0) return 0
        const delay = Math.max(0, now + other.left - other.arrival - other.runtime)
        const left = Math.max(0, (other.value + other.bound) / other.decay - delay)
        return other.decay * Math.min(job.left, left)
      }),
    )
    return (alpha * present - (1 - alpha) * cost) / job.left
  }

  /** The jobs by rank, the best first. */
  #ranked(jobs: readonly Job[], now: number): Ranked[] {
    const candidates = this.terms.preempt === 0 ? jobs : [...new Set([...jobs, ...this.waiting, ...this.running])]
    return jobs
      .map((job) => ({ job, rank: rounded(this.#rank(job, candidates, now)) }))
      .sort((one, other) => other.rank - one.rank || one.job.task - other.job.task)
  }

  /** @returns the quote; null if the site refuses */
  quote(task: Task, now: number): Quote | null {
    const { processors, preempt, discount, threshold } = this.terms
    const newcomer: Job = { ...task, left: task.runtime, isNew: true }
    const all = this.#ranked([...this.waiting, ...this.running, newcomer], now)
    const running = [...this.running]
    const begun: Job[] = []
    let idle = processors - this.running.length
    for (const { job, rank } of preempt > 0 ? all : []) {
      if (this.running.includes(job) || idle-- > 0 || !(preempt === 2 || job.isNew)) continue
      const worst = all.filter((one) => running.includes(one.job)).at(-1)
      if (!worst || rank <= worst.rank) break
      running.splice(running.indexOf(worst.job), 1)
      begun.push(job)
    }
    const order =
      preempt === 0
        ? this.#ranked([...this.waiting, newcomer], now)
        : all.filter(({ job }) => job === newcomer || !(running.includes(job) || begun.includes(job)))
    const busy = [...running, ...begun.filter((job) => job !== newcomer)].map((job) => now + job.left)
    const free = [...busy, ...Array.from({ length: processors - busy.length }, () => now)]
    let completion = now
    if (begun.includes(newcomer)) free[busy.length] = Number.POSITIVE_INFINITY
    for (const { job } of order) {
      const first = free.indexOf(Math.min(...free))
      const done = (free[first] ?? now) + job.left
      free[first] = done
      if (job === newcomer) completion = begun.includes(newcomer) ? now + job.left : done
    }
    const behind = order.slice(order.findIndex(({ job }) => job === newcomer) + 1)
    const price = yieldOf(task, completion)
    const cost = task.runtime * sum(behind.map(({ job }) => job.decay))
    const gain = price / (1 + discount * task.runtime) - cost
    const slack = task.decay > 0 ? gain / task.decay : gain < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    return threshold === null || slack >= threshold ? { site: this.number, completion, price, slack } : null
  }

  #start(job: Job): void {
    this.waiting.splice(this.waiting.indexOf(job), 1)
    this.running.push(job)
  }

  dispatch(now: number, preempted: (job: Job) => void): void {
    const { processors, preempt } = this.terms
    while (this.running.length < processors && this.waiting.length > 0) {
      const [best] = this.#ranked(this.waiting, now)
      if (best) this.#start(best.job)
    }
    while (preempt > 0) {
      const best = this.#ranked(this.waiting, now).find(({ job }) => preempt === 2 || job.isNew)
      const worst = this.#ranked(this.running, now).at(-1)
      if (!best || !worst || best.rank <= worst.rank) break
      this.running.splice(this.running.indexOf(worst.job), 1)
      this.waiting.push(worst.job)
      preempted(worst.job)
      this.#start(best.job)
    }
    for (const job of [...this.waiting, ...this.running]) job.isNew = false
  }
}

/** @returns the outcome of each accepted task, by its number */
export function simulate(tasks: readonly Task[], terms: readonly Terms[], preference: 'earliest' | 'cheapest') {
  const sites = terms.map((one, i) => new Site(i, one))
  const outcomes = new Map<number, Outcome>()
  const of = (job: Job): Outcome => {
    const outcome = outcomes.get(job.task)
    if (!outcome) throw new Error(`task ${job.task} has no contract`)
    return outcome
  }
  const coming = [...tasks].sort((one, other) => one.arrival - other.arrival || one.task - other.task)
  for (let now = 0; ; ) {
    const ends = sites.flatMap(({ running }) => running.map(({ left }) => now + left))
    const next = Math.min(...ends, coming[0]?.arrival ?? Number.POSITIVE_INFINITY)
    if (next === Number.POSITIVE_INFINITY) return outcomes
    const stirred = new Set<Site>()
    for (const site of sites) {
      for (const job of [...site.running]) {
        job.left -= next - now
        if (job.left > 0) continue
        site.running.splice(site.running.indexOf(job), 1)
        const outcome = of(job)
        const worth = yieldOf(job, next)
        Object.assign(outcome, { finish: next, yield: worth, paid: Math.min(outcome.price, worth) })
        stirred.add(site)
      }
    }
    now = next
    for (; coming[0]?.arrival === now; coming.shift()) {
      const [task] = coming
      const offers = sites.map((site) => site.quote(task, now)).filter((quote) => quote !== null)
      offers.sort((one, other) => {
        const [earlier, cheaper] = [one.completion - other.completion, one.price - other.price]
        return (preference === 'earliest' ? earlier || cheaper : cheaper || earlier) || one.site - other.site
      })
      const [best] = offers
      const site = sites[best?.site ?? -1]
      if (!best || !site) continue
      const { completion: promised, price, slack } = best
      const run = { start: Number.NaN, finish: Number.NaN, yield: Number.NaN, paid: Number.NaN, preempted: 0 }
      outcomes.set(task.task, { site: best.site, promised, price, slack, ...run })
      site.waiting.push({ ...task, left: task.runtime, isNew: true })
      stirred.add(site)
    }
    for (const site of stirred) {
      const before = new Set(site.running)
      site.dispatch(now, (job) => of(job).preempted++)
      for (const job of site.running) {
        if (!before.has(job) && Number.isNaN(of(job).start)) of(job).start = now
      }
    }
  }
}
