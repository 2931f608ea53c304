/** What the page of parallel jobs tells: how fast each passes its barriers, and how long it spins for its other processes. */
import { processorTimeline } from '../../../actors/processor/timeline.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import { figure } from '../../../lib/core/table.ts'
import type { PageReader, Sentence } from '../../../lib/scenario/page.ts'

interface Job {
  rounds: number
  used: Time
  spun: Time
  isAborted: boolean
}

const share = (part: Time, all: Time): number => (all > 0 ? (100 * part) / all : 0)

export function coschedulingPage(): PageReader {
  const jobs = new Map<string, Job>()
  const jobOf = (name: unknown): Job => {
    const job = jobs.get(String(name)) ?? { rounds: 0, used: 0, spun: 0, isAborted: false }
    jobs.set(String(name), job)
    return job
  }
  const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)
  const rateOf = ({ rounds }: Job, now: Time): number => rounds / Math.max(1e-3, toUnits(now) / 1000)

  function story(now: Time): Sentence[] {
    const all = [...jobs]
    const rates = all.map(([name, job]) => `job ${name} ${figure(rateOf(job, now), 1)}`).join(', ')
    const [used, spun] = [
      all.reduce((sum, [, job]) => sum + job.used, 0),
      all.reduce((sum, [, job]) => sum + job.spun, 0),
    ]
    const lost = all.flatMap(([name, { isAborted }]) => (isAborted ? [`job ${name}`] : []))
    return [
      `Barriers passed per second: ${rates}.`,
      `Of the time on the processors, ${figure(share(spun, used), 1)} % was spent spinning at barriers.`,
      ...(lost.length > 0 ? [`Given up, since a process was lost: ${lost.join(', ')}.`] : []),
    ]
  }

  return {
    ...processorTimeline()(),
    unit: 'ms',
    fold({ type, job, used, lasted }) {
      if (type === 'opened') jobOf(job).rounds++
      else if (type === 'ran') jobOf(job).used += numberIn(used)
      else if (type === 'spun') jobOf(job).spun += numberIn(lasted)
      else if (type === 'aborted') jobOf(job).isAborted = true
    },
    story,
    tiles: (now) => [
      ...[...jobs].slice(0, 3).map(([name, job]) => ({
        label: `job ${name}`,
        value: rateOf(job, now),
        unit: 'barriers/s',
        digits: 1,
        better: 'more' as const,
      })),
    ],
    objects: (now) => [
      {
        name: 'job',
        columns: [
          { name: 'barriers' },
          { name: 'barriers/s', digits: 1 },
          { name: 'processor time', unit: 'ms', digits: 0 },
          { name: 'spinning', unit: '%', digits: 1 },
        ],
        rows: [...jobs].map(([id, job]) => ({
          id,
          values: [job.rounds, rateOf(job, now), toUnits(job.used), share(job.spun, job.used)],
          isBad: job.isAborted,
        })),
      },
    ],
  }
}
