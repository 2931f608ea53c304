/**
 * The schedule of one processor, folded from facts: stays, sleeps, and the time that tickets stood for; and its picture
 * as text.
 */
import { type Address, type Message, roleOf, type Time } from '../../../lib/actor.ts'
import { sum } from '../../../lib/core/tally.ts'
import { stayOf } from '../usage.ts'

/** One stay on the processor, or one sleep. */
interface Stretch {
  readonly job: string
  readonly from: Time
  readonly until: Time
}

export class Schedule {
  /** The stays, in the order of their ends. */
  readonly ran: Stretch[] = []
  readonly slept: Stretch[] = []
  /** The jobs that were withdrawn. */
  readonly gone = new Set<string>()
  readonly #asleep = new Map<string, Time>()
  /** The net tickets of all competing jobs. */
  readonly #net = new Map<string, number>()
  readonly #due = new Map<string, number>()
  readonly #onDue: (job: string, from: Time, until: Time, part: number) => void
  #at: Time = 0

  /** `onDue` is told for each span of time which part of it a job's tickets stood for. */
  constructor(onDue: (job: string, from: Time, until: Time, part: number) => void = () => {}) {
    this.#onDue = onDue
  }

  fold(fact: Message, who: Address, at: Time): void {
    const { type, job } = fact
    if (roleOf(who) !== 'processor' || typeof job !== 'string') return
    const stay = stayOf(fact, who, at)
    if (stay) {
      if (stay.from < stay.until) this.ran.push(stay)
    } else if (type === 'joined' || type === 'funded') {
      this.#advance(at)
      this.#wake(job, at)
      this.#net.set(job, Number(fact['tickets']) + Number(fact['extra']))
    } else if (type === 'left') {
      this.#advance(at)
      this.#wake(job, at)
      this.#net.delete(job)
      if (fact['why'] === 'asleep') this.#asleep.set(job, at)
      if (fact['why'] === 'withdrawn') this.gone.add(job)
    }
  }

  /** The time that a job's tickets stood for: its part of the tickets of all competing jobs, summed over the time. */
  dueTo(job: string): number {
    return this.#due.get(job) ?? 0
  }

  /** Call this when all facts are in: a dead processor does not report which jobs were ready last. */
  close(): void {
    this.#advance(Math.max(this.#at, this.ran.at(-1)?.until ?? 0))
  }

  #advance(at: Time): void {
    const total = sum(this.#net.values())
    for (const [job, net] of this.#net) {
      this.#due.set(job, this.dueTo(job) + ((at - this.#at) * net) / total)
      this.#onDue(job, this.#at, at, net / total)
    }
    this.#at = at
  }

  #wake(job: string, at: Time): void {
    const from = this.#asleep.get(job)
    if (from === undefined) return
    this.#asleep.delete(job)
    this.slept.push({ job, from, until: at })
  }
}

const WIDTH = 72

/** The names of the jobs in the order of their stays; single letters are not separated. */
export const orderOf = (ran: readonly Stretch[]): string => {
  const names = ran.map(({ job }) => job)
  return names.join(names.every((name) => name.length === 1) ? '' : ' ')
}

/** The most lines of an order that are shown. */
const LINES = 10

/** Wraps an order into lines of at most 72 characters that end with a name, and leaves out lines after the tenth. */
export function wrapped(order: string): string[] {
  const step = order.includes(' ') ? /.{1,72}(?:\s|$)/g : /.{1,72}/g
  const lines = (order.match(step) ?? []).map((line) => line.trimEnd())
  return lines.length <= LINES ? lines : [...lines.slice(0, LINES), `... and ${lines.length - LINES} lines more`]
}

/** The time of each cell that some stretches take. */
function cells(stretches: readonly Stretch[], count: number, width: Time): number[] {
  const taken = Array.from({ length: count }, () => 0)
  for (const { from, until } of stretches) {
    for (let cell = Math.floor(from / width); cell < count && cell * width < until; cell++) {
      taken[cell] = (taken[cell] ?? 0) + Math.min(until, (cell + 1) * width) - Math.max(from, cell * width)
    }
  }
  return taken
}

function mark(ran: number, slept: number, width: Time): string {
  if (ran >= width / 2) return '#'
  if (ran > 0) return '+'
  return slept >= width / 2 ? '~' : '.'
}

const LEGEND = '# runs half of the time or more, + less, ~ sleeps, . waits'

/** A line for each job that shows what it does, cell by cell; a cell is one or more quanta. */
export function gantt(jobs: readonly string[], { ran, slept }: Schedule, quanta: number, quantum: Time): string[] {
  const perCell = Math.ceil(quanta / WIDTH)
  const width = perCell * quantum
  const count = Math.ceil(quanta / perCell)
  const indent = Math.max(...jobs.map((job) => job.length))
  const lines = jobs.map((job) => {
    const own = (stretches: readonly Stretch[]) =>
      cells(
        stretches.filter((one) => one.job === job),
        count,
        width,
      )
    const sleeps = own(slept)
    const marks = own(ran).map((used, i) => mark(used, sleeps[i] ?? 0, width))
    return `${job.padEnd(indent)}  ${marks.join('')}`
  })
  return [...lines, `${''.padEnd(indent)}  ${LEGEND}; a column is ${perCell > 1 ? `${perCell} quanta` : 'a quantum'}`]
}
