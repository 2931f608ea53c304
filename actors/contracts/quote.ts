/** Quotes: what a site can promise for a new task, and the slack of that promise (sections 3 and 6). */
import TinyQueue from 'tinyqueue'
import { type Time, toUnits } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { allOf, fieldWith, type Queue } from './queue.ts'
import { type Candidate, type Field, inOrder, type Rank, ranks } from './ranks.ts'
import { type Task, yieldOf } from './values.ts'

/** A running task, and when it ends. */
export type Occupant = Candidate & { readonly end: Time }

/** The state of a site, as far as a quote depends on it. */
export interface Site {
  readonly now: Time
  /** The number of idle processors. */
  readonly idle: number
  readonly running: readonly Occupant[]
  /** Tasks under contract that wait. */
  readonly waiting: Queue
  /** Preempted tasks that cannot begin yet. */
  readonly held: readonly Candidate[]
  /** The waiting tasks that may preempt a running one at the next dispatch, as the newcomer may; null without preemption. */
  readonly challengers: (() => readonly Candidate[]) | null
}

/** A promise for a new task, and its slack. */
export interface Quote {
  /** The time when the task would be done, if no other came after it. */
  readonly completion: Time
  /** The yield of the task if it is done at that time, in dollars. */
  readonly price: number
  /** The slack: how much longer the task could wait before it would be a loss (equations 7 and 8). */
  readonly slack: Slack
}

/** A slack is a gain divided by a decay. It is kept in parts, so that it can be compared without the rounding of the quotient. */
export interface Slack {
  /** The slack in units of time: infinity for a task without decay, or minus infinity if such a task is a loss. */
  readonly units: number
  /** The gain: the present value of the task less the cost to others, in dollars. */
  readonly gain: number
  /** The sum of the present value and the cost to others. It bounds the rounding error of the gain, their difference. */
  readonly scale: number
  /** The decay of the task, in dollars per unit. */
  readonly decay: number
}

/** The relative error of a sum that is allowed for: the spacing of rounded ranks. */
const MARGIN = 1 / (1 << 20) / (1 << 20)

/** Whether a slack is below a threshold in units. A slack that equals it but for the rounding of sums is not. */
export const isBelow = ({ gain, scale, decay }: Slack, threshold: number): boolean =>
  gain - threshold * decay < -MARGIN * (scale + Math.abs(threshold * decay))

/** The delays of messages that a quote allows for. */
export interface Delays {
  /** The delay from an offer to its award. The new task cannot begin before the award. */
  readonly award: Time
  /** The delay to a processor and back, in addition to the runtime of every execution. */
  readonly run: Time
}

const NO_DELAYS: Delays = { award: 0, run: 0 }

/**
 * Quotes a new task by the candidate schedule: the preemptions that the next dispatch will make, then all waiting tasks and
 * the newcomer in the order of their ranks now, each on the processor that is free first. Tasks behind the newcomer do not
 * wait for its award.
 */
export function quote(site: Site, newcomer: Task, delays: Delays = NO_DELAYS): Quote {
  const { now, idle, waiting, held } = site
  const { task, arrival, runtime, worth } = newcomer
  const entering: Candidate = { remaining: runtime, task, arrival, runtime, worth }
  const rank = ranks(waiting.heuristic, fieldOf(site, entering), now)
  const { started, displaced } = preemptionsAt(site, entering, rank)
  const running = site.running.filter((occupant) => !displaced.includes(occupant))
  const free = running.map(({ end }) => Math.max(now, end + delays.run))
  for (let i = 0; i < idle; i++) free.push(now)
  for (const one of started) if (one !== entering) free.push(now + one.remaining + delays.run)
  const own = rank(entering)
  const ahead: Candidate[] = []
  const behind: Candidate[] = []
  for (const one of [...allOf(waiting), ...held, ...displaced]) {
    if (started.includes(one)) continue
    const other = rank(one)
    if (other > own || (other === own && one.task < entering.task)) ahead.push(one)
    else behind.push(one)
  }
  const ready = now + delays.award
  const isPreempting = started.includes(entering)
  const slots = new Slots(isPreempting ? [now] : free, delays.run)
  if (!isPreempting) {
    for (const { remaining } of inOrder(rank, ahead)) slots.put(remaining, now)
    if (slots.first < ready) {
      for (const { remaining } of inOrder(rank, behind)) {
        if (slots.first >= ready) break
        slots.put(remaining, now)
      }
    }
  }
  const completion = slots.put(entering.remaining, ready)
  const price = yieldOf(newcomer, completion)
  const decays = sum(behind, ({ worth }) => worth.decay)
  return { completion, price, slack: slackOf(newcomer, price, decays, waiting.heuristic.discount) }
}

/** The field of a site: the tasks that compete for rank. With preemption it includes the running tasks. */
export const fieldOf = ({ waiting, held, running, challengers }: Site, ...others: readonly Candidate[]): Field =>
  fieldWith(waiting, [...held, ...(challengers ? running : []), ...others])

/**
 * The preemptions of the next dispatch: the tasks that start, with the best rank first, and the running tasks that they
 * displace. The best waiting tasks take the idle processors before.
 */
function preemptionsAt(
  { idle, running, waiting, challengers }: Site,
  entering: Candidate,
  rank: Rank,
): { readonly started: readonly Candidate[]; readonly displaced: readonly Occupant[] } {
  const started: Candidate[] = []
  const displaced: Occupant[] = []
  if (!challengers) return { started, displaced }
  const onIdle = idle === 0 ? [] : inOrder(rank, [entering, ...allOf(waiting)]).slice(0, idle)
  for (const challenger of inOrder(rank, [entering, ...challengers()])) {
    if (onIdle.includes(challenger)) continue
    const left = running.filter((occupant) => !displaced.includes(occupant))
    const lowest = lowestOf(left, rank)
    // a later challenger has no higher rank than this one
    if (!lowest || rank(challenger) <= rank(lowest)) break
    started.push(challenger)
    displaced.push(lowest)
  }
  return { started, displaced }
}

/** The running task with the lowest rank; of equals the highest number. A task without remaining time counts as done. */
export function lowestOf<C extends Candidate>(running: readonly C[], rank: Rank): C | null {
  return running.reduce<C | null>((lowest, one) => {
    if (one.remaining <= 0) return lowest
    if (!lowest) return one
    const [own, other] = [rank(one), rank(lowest)]
    return own < other || (own === other && one.task > lowest.task) ? one : lowest
  }, null)
}

/** The processors of a candidate schedule, each as the time when it becomes free. */
class Slots {
  readonly #times: TinyQueue<Time>
  readonly #run: Time

  constructor(times: readonly Time[], run: Time) {
    this.#times = new TinyQueue([...times])
    this.#run = run
  }

  /** The first of these times; Infinity without processors. */
  get first(): Time {
    return this.#times.peek() ?? Number.POSITIVE_INFINITY
  }

  /** Puts a task on the processor that is free first. Returns its completion. */
  put(remaining: Time, ready: Time): Time {
    const first = this.#times.pop()
    if (first === undefined) return Number.POSITIVE_INFINITY
    const completion = Math.max(first, ready) + remaining + this.#run
    this.#times.push(completion)
    return completion
  }
}

/** The slack of a task. One without decay has infinite slack, or minus infinite slack if it is a loss at once. */
function slackOf({ runtime, worth: { decay } }: Task, price: number, behind: number, discount: number): Slack {
  const minutes = toUnits(runtime)
  const value = price / (1 + discount * minutes)
  const cost = minutes * behind
  const gain = value - cost
  const units = gain === 0 && decay === 0 ? Number.POSITIVE_INFINITY : gain / decay
  return { units, gain, scale: Math.abs(value) + cost, decay }
}
