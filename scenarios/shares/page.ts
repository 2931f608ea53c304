/** What the page of a cluster tells: the share of the machines that each user had, and was due. */
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import { figure } from '../../lib/core/table.ts'
import type { Objects, PageReader, Picture, Sentence, Tile } from '../../lib/scenario/page.ts'
import { Windows } from '../../lib/scenario/windows.ts'
import { type Description, descriptionOf } from './description.ts'
import type { Cluster } from './model.ts'
import { byUser, dueShares } from './shares.ts'
import { stayOf } from './usage.ts'

/** The most users whose shares are tiles. */
const TILES_MAX = 5

/** The user of a job: the currency of its tickets, or the beginning of its name. */
const userIn = (description: Description | undefined, job: string): string =>
  description?.jobs.find((placed) => placed.job === job)?.currency ?? job.split('.')[0] ?? job

interface Job {
  readonly user: string
  readonly machines: Set<string>
  /** Its processor time, and the part of it after shares have settled. */
  used: Time
  settled: Time
}

/** A user with the machines that she had over the measured time, where 1 is a whole machine, and was due. */
interface Share {
  readonly user: string
  readonly had: number
  readonly due: number | null
}

export function clusterPage(cluster?: Cluster): PageReader {
  const description = cluster && descriptionOf(cluster)
  const due =
    cluster &&
    description &&
    byUser(description, dueShares(description, cluster.sharing.tick ? 'cooperating' : 'independent'))
  const begins = cluster?.settled ?? 0
  /** The processor time of a job in the measured time: once shares have settled, or before in a run that is not there yet. */
  const measured = ({ used, settled }: Job, now: Time): number =>
    now > begins ? settled / (now - begins) : used / Math.max(1, now)
  const jobs = new Map<string, Job>()
  const userOf = new Map<string, string>()
  /** The processor time of each user, in windows of the run. */
  const windows = new Windows()
  const named = (job: string): string => {
    const user = userOf.get(job) ?? userIn(description, job)
    userOf.set(job, user)
    return user
  }

  function sharesAt(now: Time): Share[] {
    const had = new Map<string, number>()
    for (const job of jobs.values()) had.set(job.user, (had.get(job.user) ?? 0) + measured(job, now))
    const users = [...new Set([...Object.keys(due ?? {}), ...had.keys()])]
    return users.map((user) => ({ user, had: had.get(user) ?? 0, due: due?.[user] ?? null }))
  }

  function objects(now: Time): Objects[] {
    const columns = ['had', 'due', 'difference'].map((name) => ({ name, unit: 'machines', digits: 3 }))
    return [
      {
        name: 'user',
        columns,
        rows: sharesAt(now).map((share) => ({
          id: share.user,
          values: [share.had, share.due, share.due === null ? null : share.had - share.due],
        })),
      },
      {
        name: 'job',
        columns: [
          ...['user', 'machines'].map((name) => ({ name, align: 'left' as const })),
          { name: 'had', unit: 'machines', digits: 3 },
        ],
        rows: [...jobs].map(([id, job]) => ({
          id,
          values: [job.user, [...job.machines].join(', '), measured(job, now)],
        })),
      },
    ]
  }

  return {
    ...processorTimeline({ toneOf: named })(),
    unit: 'ms',
    fold(fact, who, at) {
      const stay = stayOf(fact, who, at)
      if (!stay) return
      const job = jobs.get(stay.job) ?? { user: named(stay.job), machines: new Set(), used: 0, settled: 0 }
      jobs.set(stay.job, job)
      job.machines.add(stay.machine)
      job.used += stay.until - stay.from
      job.settled += Math.max(0, stay.until - Math.max(begins, stay.from))
      windows.span(job.user, stay.from, stay.until)
    },
    story: (now) => storyOf(sharesAt(now), toUnits(now > begins ? begins : 0), toUnits(now)),
    tiles: (now) => sharesAt(now).slice(0, TILES_MAX).map(tileOf),
    pictures: (now) => [pictureOf(windows, sharesAt(now), now)],
    objects,
  }
}

/** Whether shares were met, and the share of each user. */
function storyOf(shares: readonly Share[], begin: number, end: number): Sentence[] {
  const when = `from ${figure(begin, 0)} to ${figure(end, 0)} ms`
  const users = shares.length === 1 ? '1 user' : `${shares.length} users`
  const judged = shares.flatMap(({ user, had, due }) => (due === null ? [] : [{ user, had, due }]))
  const farthest = judged.toSorted((one, other) => Math.abs(other.had - other.due) - Math.abs(one.had - one.due))[0]
  if (!farthest) return [`${users} shared the machines ${when}.`]
  const { user, had, due } = farthest
  const listed = judged.map((one) => `user ${one.user} ${figure(one.had, 3)} (due ${figure(one.due, 3)})`)
  return [
    figure(had, 3) === figure(due, 3)
      ? `Shares were met: ${when} each of ${users} had the machines that were due.`
      : `Shares were not met exactly: ${when} user ${user} was farthest, who had ${figure(had, 3)} machines and was due ${figure(due, 3)}, if nothing fails.`,
    ...(listed.length > TILES_MAX ? [] : [`Machines: ${listed.join(', ')}.`]),
  ]
}

/** The machines that each user had over time, on top of each other, and dashed what is due to them. */
function pictureOf(windows: Windows, shares: readonly Share[], now: Time): Picture {
  let sum = 0
  const due = shares.flatMap(({ user, due }) => {
    if (due === null) return []
    sum += due
    const points = [0, now].map((x) => ({ x, y: sum }))
    return [
      { name: `due${shares.length > 1 ? ', on top of each other' : ''}`, user, shape: 'reference' as const, points },
    ]
  })
  return {
    title: 'Machines that each user had, and was due',
    y: { label: 'machines', min: 0 },
    series: [
      ...shares.map(({ user }) => ({ name: user, shape: 'area' as const, points: windows.rates(user, now) })),
      ...due.map(({ user: _, ...one }) => one),
    ],
  }
}

const tileOf = ({ user, had, due }: Share): Tile => ({
  label: due === null ? `user ${user}` : `user ${user}, due ${figure(due, 3)}`,
  value: had,
  unit: 'machines',
  digits: 3,
})
