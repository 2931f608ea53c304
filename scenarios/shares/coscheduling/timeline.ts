/** The timeline of a run, as the paper's figures 8 and 9 draw it: a line per machine, time to the right. */
import { type Address, type Message, type Time, toUnits } from '../../../lib/actor.ts'
import { add } from '../../../lib/core/tally.ts'
import { type Stay, stayOf } from '../usage.ts'

/** The last stays on processors before the end of a run, or, if a job was given up, before the last one of all. */
export class Timeline {
  readonly length: Time
  /** When the timeline ends. */
  until: Time
  stays: Stay[] = []

  constructor(length: Time, until: Time) {
    this.length = length
    this.until = until
  }

  get from(): Time {
    return Math.max(0, this.until - this.length)
  }

  fold(fact: Message, who: Address, at: Time): void {
    if (fact.type === 'aborted') this.until = Math.min(this.until, this.stays.at(-1)?.until ?? at)
    const stay = stayOf(fact, who, at)
    if (!stay || stay.from >= this.until || this.length === 0) return
    this.stays.push(stay)
    // old stays are dropped, once there are many
    if (this.stays.length % MANY === 0) this.stays = this.stays.filter(({ until }) => until > at - this.length)
  }
}

const MANY = 10_000
const COLUMNS = 100

/** The letters of jobs j1, j2, ... are 1, 2, ...; a dot stands for an idle processor. */
const letterOf = (job: string | undefined): string => (job === undefined ? '.' : (job.at(-1) ?? '?'))

/** Draws the timeline; each column shows the job that had most of its time. */
export function timelineText({ from, until, stays }: Timeline, machines: readonly string[]): string {
  const width = (until - from) / COLUMNS
  const label = Math.max(...machines.map((machine) => machine.length))
  const lines = machines.map((machine) => {
    const own = stays.filter((stay) => stay.machine === machine)
    const cells = Array.from({ length: COLUMNS }, (_, i) =>
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
    if (time > 0) add(times, stay.job, time)
  }
  return [...times].sort(([, one], [, other]) => other - one)[0]?.[0]
}
