/** What the page of parallel jobs tells: how fast each passes its barriers, and how long it spins for its other processes. */
import { processorTimeline } from '../../../actors/processor/timeline.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import { figure } from '../../../lib/core/table.ts'
import { sum } from '../../../lib/core/tally.ts'
import { UNIT } from '../../../lib/core/time.ts'
import { natural } from '../../../lib/report/sorting.ts'
import type { PageReader, Picture, Sentence } from '../../../lib/scenario/page.ts'
import { Windows } from '../../../lib/scenario/windows.ts'
import type { MixCluster } from './model.ts'
import { perFirst } from './oracle.ts'

interface Job {
  /** The barriers that it passed, and those of them in the measured time. */
  rounds: number
  measured: number
  used: Time
  spun: Time
  isAborted: boolean
}

const share = (part: Time, all: Time): number => (all > 0 ? (100 * part) / all : 0)

/** The name of the time that a job spins, beside that of its own time. */
const spinning = (job: string): string => `${job}, spinning`

export function coschedulingPage(cluster?: MixCluster): PageReader {
  const jobs = new Map<string, Job>()
  const begins = cluster?.warmUp ?? 0
  const inOrder = (): [name: string, job: Job][] => [...jobs].sort(([one], [other]) => natural(one, other))
  /** The processor time of each job, the part of it that it spins, and the barriers that it passes. */
  const windows = new Windows()
  const barriers = new Windows()
  const jobOf = (name: unknown): Job => {
    const job = jobs.get(String(name)) ?? { rounds: 0, measured: 0, used: 0, spun: 0, isAborted: false }
    jobs.set(String(name), job)
    return job
  }
  const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)
  /** Barriers per second in the measured time, or before it in a run that is not there yet. */
  const rateOf = ({ rounds, measured }: Job, now: Time): number =>
    now > begins ? measured / (toUnits(now - begins) / 1000) : rounds / Math.max(1e-3, toUnits(now) / 1000)

  function story(now: Time): Sentence[] {
    const all = inOrder()
    const rates = all.map(([name, job]) => `job ${name} ${figure(rateOf(job, now), 1)}`).join(', ')
    const ratio = (values: readonly number[]): string =>
      perFirst(values)
        .map((one) => figure(one))
        .join(' : ')
    const passed = ratio(all.map(([, job]) => rateOf(job, now)))
    const { tickets = [] } = cluster?.mix ?? {}
    const [used, spun] = [
      all.reduce((sum, [, job]) => sum + job.used, 0),
      all.reduce((sum, [, job]) => sum + job.spun, 0),
    ]
    const lost = all.flatMap(([name, { isAborted }]) => (isAborted ? [`job ${name}`] : []))
    return [
      ...(tickets.length === all.length && all.length > 1
        ? [`Tickets ask for ${ratio(tickets)}; the jobs passed barriers as ${passed}.`]
        : []),
      `Barriers passed per second: ${rates}.`,
      `Of the time on the processors, ${figure(share(spun, used), 1)} % was spent spinning at barriers.`,
      ...(lost.length > 0 ? [`Given up, since a process was lost: ${lost.join(', ')}.`] : []),
    ]
  }

  return {
    ...processorTimeline()(),
    unit: 'ms',
    fold({ type, job, used, lasted }, _, at) {
      if (type === 'opened') {
        jobOf(job).rounds++
        if (at > begins) jobOf(job).measured++
        barriers.add(String(job), at, UNIT)
      } else if (type === 'ran') {
        jobOf(job).used += numberIn(used)
        windows.span(String(job), at - numberIn(used), at)
      } else if (type === 'spun') {
        jobOf(job).spun += numberIn(lasted)
        windows.span(spinning(String(job)), at - numberIn(lasted), at)
      } else if (type === 'aborted') jobOf(job).isAborted = true
    },
    story,
    tiles: (now) => [
      ...inOrder()
        .slice(0, 3)
        .map(([name, job]) => ({
          label: `job ${name}`,
          value: rateOf(job, now),
          unit: 'barriers/s',
          digits: 1,
          better: 'more' as const,
        })),
    ],
    pictures: (now) => picturesOf([...jobs.keys()].sort(natural), windows, barriers, now),
    objects: (now) => [
      {
        name: 'job',
        columns: [
          { name: 'barriers' },
          { name: 'barriers/s', digits: 1 },
          { name: 'processor time', unit: 'ms', digits: 0 },
          { name: 'spinning', unit: '%', digits: 1 },
        ],
        rows: inOrder().map(([id, job]) => ({
          id,
          values: [job.rounds, rateOf(job, now), toUnits(job.used), share(job.spun, job.used)],
          isBad: job.isAborted,
        })),
      },
    ],
  }
}

/** The machines on which each job computes and those on which any spins, on top of each other, and the progress of each job. */
function picturesOf(jobs: readonly string[], windows: Windows, barriers: Windows, now: Time): Picture[] {
  const edges = windows.edges(now)
  const spun = jobs.map((job) => windows.rates(spinning(job), now))
  const computing = jobs.map((job, j) =>
    windows.rates(job, now).map(({ x, y }, i) => ({ x, y: Math.max(0, y - (spun[j]?.[i]?.y ?? 0)) })),
  )
  const wasted = edges.map((x, i) => ({ x, y: sum(spun, (points) => points[i]?.y ?? 0) }))
  return [
    {
      title: 'Machines on which each job computes, and that spin',
      y: { label: 'machines', min: 0 },
      series: [
        ...jobs.map((name, j) => ({ name, shape: 'area' as const, points: computing[j] ?? [] })),
        { name: 'spinning at a barrier', tone: 'spinning', shape: 'area', points: wasted },
      ],
    },
    {
      title: 'Barriers that each job passes',
      y: { label: 'barriers', unit: '1/s', min: 0 },
      series: jobs.map((name) => ({
        name,
        shape: 'steps',
        points: barriers.rates(name, now).map(({ x, y }) => ({ x, y: 1000 * y })),
      })),
    },
  ]
}
