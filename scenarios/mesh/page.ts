/** What the page of a mesh tells: how long jobs took, and how often they had to move. */
import { meshTimeline } from '../../actors/mesh/timeline.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import { figure } from '../../lib/core/table.ts'
import { meanOf } from '../../lib/core/tally.ts'
import { Lives } from '../../lib/scenario/lives.ts'
import {
  few,
  type ObjectRow,
  outOf,
  type PageReader,
  type Picture,
  type Sentence,
  type Tile,
} from '../../lib/scenario/page.ts'
import { type Story, Watch } from './oracle.ts'

type Ended = Story & { readonly ended: Time }

const isEnded = (story: Story): story is Ended => story.ended !== null
const responseOf = ({ began, ended }: Ended): number => toUnits(ended - began)

export function meshPage(): PageReader {
  const watch = new Watch()
  const lives = new Lives()
  const timeline = meshTimeline()

  function rowOf([job, story]: readonly [number, Story], now: Time): ObjectRow {
    const { began, moves, attempts } = story
    return {
      id: job,
      values: [
        ...[toUnits(began), isEnded(story) ? toUnits(story.ended) : null, isEnded(story) ? responseOf(story) : null],
        ...[moves, Math.max(1, attempts), fateOf(story)],
      ],
      isBad: story.isLost || story.told === 'failed',
      isOver: isEnded(story),
      phases: lives.of(job, now),
    }
  }

  return {
    ...timeline,
    unit: 's',
    marks(fact, who, at) {
      const marks = timeline.marks(fact, who, at)
      for (const mark of marks) {
        const job = Number(mark.row.replace(/\D/g, ''))
        if (mark.type === 'begins') lives.begin(job, at, mark.label.replace(`${mark.row} `, ''), mark.tone)
        else if (mark.type === 'ends') lives.end(job, at, mark.tone)
      }
      return marks
    },
    fold: (fact, who, at) => watch.fold(fact, who, at),
    died: (who, at) => watch.died(who, at),
    story: () => storyOf(watch),
    tiles: () => tilesOf(watch),
    pictures: (now) => picturesOf(watch, now),
    objects: (now) => [
      {
        name: 'job',
        columns: [
          ...['began', 'ended', 'took'].map((name) => ({ name, unit: 's', digits: 2 })),
          ...[{ name: 'moves' }, { name: 'attempts' }, { name: 'fate', align: 'left' as const }],
        ],
        rows: [...watch.jobs].map((one) => rowOf(one, now)),
      },
    ],
  }
}

function fateOf(story: Story): string {
  if (story.told === 'failed') return 'failed'
  return isEnded(story) ? 'ended' : story.isLost ? 'lost' : 'not over'
}

function storyOf(watch: Watch): Sentence[] {
  const jobs = [...watch.jobs]
  const ended = jobs.map(([, story]) => story).filter(isEnded)
  const lost = jobs.flatMap(([job, { isLost, told }]) => (isLost || told === 'failed' ? [`job ${job}`] : []))
  const moves = meanOf(jobs.map(([, story]) => story.moves))
  return [
    `${jobs.length} jobs shared the mesh, at most ${watch.most} at a time; ${outOf(ended.length, jobs.length)} ended${ended.length > 0 ? `, after ${figure(meanOf(ended.map(responseOf)))} s on average` : ''}.`,
    `A job was given a partition ${figure(moves, 1)} times on average${watch.swaps > 0 ? `, and ${watch.swaps} times one made room for another` : ''}.`,
    ...(lost.length > 0 ? [`Lost: ${few(lost)}.`] : []),
  ]
}

/** How many jobs shared the mesh, and how long each took, with the time as the x axis. */
function picturesOf({ jobs }: Watch, now: Time): Picture[] {
  const changes = [...jobs.values()]
    .flatMap(({ began, ended }) => [{ at: began, by: 1 }, ...(ended === null ? [] : [{ at: ended, by: -1 }])])
    .toSorted((one, other) => one.at - other.at || other.by - one.by)
  let present = 0
  const points = changes.map(({ at, by }) => {
    present += by
    return { x: at, y: present }
  })
  const took = [...jobs].flatMap(([job, story]) => {
    if (!isEnded(story)) return []
    return [{ x: story.ended, y: responseOf(story), name: `job ${job}`, to: { object: `job ${job}` } }]
  })
  return [
    {
      title: 'Jobs that shared the mesh',
      y: { label: 'jobs', min: 0 },
      series: [{ name: 'jobs', tone: 'running', shape: 'steps', points: [...points, { x: now, y: present }] }],
    },
    {
      title: 'Time that each job took, at its end',
      y: { label: 'time', unit: 's', min: 0 },
      series: [{ name: 'jobs that ended', tone: 'finished', shape: 'dots', points: took }],
    },
  ]
}

function tilesOf(watch: Watch): Tile[] {
  const jobs = [...watch.jobs.values()]
  const ended = jobs.filter(isEnded)
  return [
    { label: 'mean time of a job', value: meanOf(ended.map(responseOf)), unit: 's', digits: 2, better: 'less' },
    { label: 'jobs ended', value: outOf(ended.length, jobs.length) },
    { label: 'most at a time', value: watch.most, unit: 'jobs' },
    { label: 'partitions for a job', value: meanOf(jobs.map(({ moves }) => moves)), digits: 1, better: 'less' },
    { label: 'jobs that made room', value: watch.swaps },
  ]
}
