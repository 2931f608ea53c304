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
import { measuresOf } from './measures.ts'
import type { MeshModel } from './model.ts'
import { type Story, Watch } from './oracle.ts'

type Ended = Story & { readonly ended: Time }

const isEnded = (story: Story): story is Ended => story.ended !== null
const responseOf = ({ began, ended }: Ended): number => toUnits(ended - began)

/** The mean response time of all jobs that ended; null if none did. */
const meanResponse = ({ jobs }: Watch): number | null => meanOf([...jobs.values()].filter(isEnded).map(responseOf))

/** The mean response time of all jobs in words, and that of the results, without the first jobs, if it differs. */
function averageIn(watch: Watch, model: MeshModel | undefined): string {
  const [all, steady] = [meanResponse(watch), model && measuresOf(model.jobs, watch.jobs).all?.response.mean]
  if (all === null) return ''
  const rest =
    steady === undefined || figure(steady) === figure(all) ? '' : ` (${figure(steady)} without the first 5 %)`
  return `, on average ${figure(all)} s after they came${rest}`
}

/** A script says when jobs depart, so that the time they take means nothing. */
const isScript = ({ steps }: Watch, model: MeshModel | undefined): boolean =>
  steps.length > 0 || (model?.ops.length ?? 0) > 0

export function meshPage(model?: MeshModel): PageReader {
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
    story: (now) => storyOf(watch, model, now),
    tiles: () => tilesOf(watch, model),
    pictures: (now) => picturesOf(watch, model, now),
    objects: (now) => [
      {
        name: 'job',
        columns: [
          ...['began', 'ended', 'took'].map((name) => ({ name, unit: 's', digits: 2 })),
          ...[{ name: 'partitions' }, { name: 'attempts' }, { name: 'fate', align: 'left' as const }],
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

function storyOf(watch: Watch, model: MeshModel | undefined, now: Time): Sentence[] {
  const jobs = [...watch.jobs]
  const ended = jobs.filter(([, story]) => isEnded(story)).length
  const lost = jobs.flatMap(([job, { isLost, told }]) => (isLost || told === 'failed' ? [`job ${job}`] : []))
  const moves = meanOf(jobs.map(([, story]) => story.moves))
  const steps = `The ${watch.steps.length} steps of the script took ${figure(toUnits(now))} s; at most ${watch.most === 1 ? '1 job' : `${watch.most} jobs`} shared the mesh.`
  return [
    isScript(watch, model)
      ? steps
      : `${jobs.length === 1 ? '1 job' : `${jobs.length} jobs`} shared the mesh, at most ${watch.most} at a time; ${outOf(ended, jobs.length)} ended${averageIn(watch, model)}.`,
    `A job had ${figure(moves, 1)} partitions on average${watch.swaps > 0 ? `, and ${watch.swaps} times one made room for another` : ''}.`,
    ...(lost.length > 0 ? [`Lost: ${few(lost)}.`] : []),
  ]
}

/** How many jobs shared the mesh, and how long each took, with the time as the x axis. */
function picturesOf(watch: Watch, model: MeshModel | undefined, now: Time): Picture[] {
  const { jobs } = watch
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
      series: [
        { name: 'jobs', tone: 'running', shape: 'steps', points: [{ x: 0, y: 0 }, ...points, { x: now, y: present }] },
      ],
    },
    ...(isScript(watch, model)
      ? []
      : [
          {
            title: 'Time that each job took, at its end',
            y: { label: 'time', unit: 's', min: 0 },
            series: [{ name: 'jobs that ended', tone: 'finished', shape: 'dots' as const, points: took }],
          },
        ]),
  ]
}

function tilesOf(watch: Watch, model: MeshModel | undefined): Tile[] {
  const jobs = [...watch.jobs.values()]
  const ended = jobs.filter(isEnded).length
  return [
    ...(isScript(watch, model)
      ? [{ label: 'steps done', value: watch.steps.length }]
      : [
          {
            label: 'mean response time of all jobs',
            value: meanResponse(watch),
            unit: 's',
            digits: 2,
            better: 'less' as const,
          },
          { label: 'jobs ended', value: outOf(ended, jobs.length) },
        ]),
    { label: 'most at a time', value: watch.most, unit: watch.most === 1 ? 'job' : 'jobs' },
    { label: 'partitions for a job', value: meanOf(jobs.map(({ moves }) => moves)), digits: 1, better: 'less' },
    { label: 'jobs that made room', value: watch.swaps },
  ]
}
