/**
 * The work of two models as loops over a heap of events, without actors: the least time that a model can take. Each loop gives
 * the mean that the other implementations must reach.
 */
import TinyQueue from 'tinyqueue'
import { duration } from '../../actors/processor/messages.ts'
import type { Time } from '../../lib/core/time.ts'

export interface Timed {
  readonly arrival: Time
  readonly work: Time
}

interface Done {
  readonly at: Time
  readonly server: number
}

type Order = (one: Timed, other: Timed) => number

/** Calls `begun` for each job with its start and its duration. The first free server takes it. */
function loop(
  jobs: readonly Timed[],
  speeds: readonly number[],
  order: Order,
  begun: (job: Timed, at: Time, took: Time) => void,
): void {
  const coming = new TinyQueue<Done>([], (one, other) => one.at - other.at)
  const free = new TinyQueue<number>(
    speeds.map((_, i) => i),
    (one, other) => (speeds[other] ?? 0) - (speeds[one] ?? 0) || one - other,
  )
  const queue = new TinyQueue<Timed>([], order)
  for (let next = 0; next < jobs.length || coming.length > 0; ) {
    const job = jobs[next]
    const end = coming.peek()
    const now = Math.min(job?.arrival ?? Number.POSITIVE_INFINITY, end?.at ?? Number.POSITIVE_INFINITY)
    if (job && job.arrival === now) {
      queue.push(job)
      next++
    } else if (end) {
      coming.pop()
      free.push(end.server)
    }
    while (free.length > 0 && queue.length > 0) {
      const [server = 0, first] = [free.pop(), queue.pop()]
      if (!first) break
      const took = duration(first.work, speeds[server] ?? 1)
      begun(first, now, took)
      coming.push({ at: now + took, server })
    }
  }
}

/** The mean wait in a queue with a number of servers, first come, first served. */
export function meanWait(jobs: readonly Timed[], servers: number): number {
  let waited = 0
  const alike = new Array<number>(servers).fill(1)
  loop(
    jobs,
    alike,
    (one, other) => one.arrival - other.arrival,
    (job, at) => {
      waited += at - job.arrival
    },
  )
  return waited / jobs.length
}

/** The mean flow time of the DSP market without delays: the shortest task goes to the fastest free machine. */
export function meanFlow(jobs: readonly Timed[], speeds: readonly number[]): number {
  let flow = 0
  loop(
    jobs,
    speeds,
    (one, other) => one.work - other.work || one.arrival - other.arrival,
    (job, at, took) => {
      flow += at + took - job.arrival
    },
  )
  return flow / jobs.length
}
