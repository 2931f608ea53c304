/** Who had which processor when, as the paper's figures 8 and 9 draw it: a line per machine, time to the right. */
import { type Address, type Message, type Time, toUnits } from '../../../lib/actor.ts'
import { type Stay, stayOf } from '../stay.ts'

/** Stays on processors in a span of time, folded from facts. */
export class Timeline {
  readonly from: Time
  readonly until: Time
  readonly stays: Stay[] = []

  constructor(from: Time, until: Time) {
    this.from = from
    this.until = until
  }

  fold(fact: Message, who: Address, at: Time): void {
    const stay = stayOf(fact, who, at)
    if (!stay) return
    const from = Math.max(this.from, stay.from)
    const until = Math.min(this.until, stay.until)
    if (from < until) this.stays.push({ ...stay, from, until })
  }
}

/** Of jobs j1, j2, ...: 1, 2, ...; a dot where nobody ran. */
const letterOf = (job: string | undefined): string => (job === undefined ? '.' : (job.at(-1) ?? '?'))

/** In each column the job that had most of its time. */
export function timelineText({ from, until, stays }: Timeline, machines: readonly string[], columns = 100): string {
  const width = (until - from) / columns
  const label = Math.max(...machines.map((machine) => machine.length))
  const lines = machines.map((machine) => {
    const own = stays.filter((stay) => stay.machine === machine)
    const cells = Array.from({ length: columns }, (_, i) =>
      letterOf(mostIn(own, from + i * width, from + (i + 1) * width)),
    )
    return `${machine.padStart(label)} ${cells.join('')}`
  })
  const scale = `${' '.repeat(label)} ${toUnits(from)} to ${toUnits(until)} ms, ${Number(toUnits(width).toPrecision(3))} ms a letter`
  return [...lines, scale].join('\n')
}

function mostIn(stays: readonly Stay[], from: Time, until: Time): string | undefined {
  const times = new Map<string, Time>()
  for (const stay of stays) {
    const time = Math.min(stay.until, until) - Math.max(stay.from, from)
    if (time > 0) times.set(stay.job, (times.get(stay.job) ?? 0) + time)
  }
  return [...times].sort(([, one], [, other]) => other - one)[0]?.[0]
}
