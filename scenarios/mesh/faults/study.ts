/** The results of fault plans on a mesh: violations and costs. */
import { toUnits } from '../../../lib/core/time.ts'
import { calmly, studyOf } from '../../faults/study.ts'
import { type MeshRun, runMesh } from '../run.ts'
import { KINDS, type Plan, planOf } from './plans.ts'

/** Sums over plans; times are in seconds. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  jobs: of('jobs'),
  /** The number of these jobs that ended; `begun` is the number of attempts. */
  ended: of('ended'),
  attempts: of('attempts'),
  moves: of('moves'),
  messages: of('messages'),
  /** The time from arrival to end of the jobs that ended; the calm fields are for the same plans without faults. */
  time: of('time'),
  calmMessages: of('calmMessages'),
  calmTime: of('calmTime'),
  calmEnded: of('calmEnded'),
  /** The number of times that the allocator asked all jobs for their cells, and then placed all jobs from scratch. */
  queries: of('queries'),
  placements: of('placements'),
})

const timeIn = ({ watch }: MeshRun): number =>
  [...watch.jobs.values()].reduce((sum, { began, ended }) => sum + (ended === null ? 0 : toUnits(ended - began)), 0)

function costs(_: Plan, run: MeshRun, calm: MeshRun): ReturnType<typeof ofEach> {
  const stories = [...run.watch.jobs.values()]
  return {
    plans: 1,
    jobs: stories.length,
    ended: stories.filter(({ ended }) => ended !== null).length,
    attempts: stories.reduce((sum, { attempts }) => sum + attempts, 0),
    moves: stories.reduce((sum, { moves }) => sum + moves, 0),
    messages: run.messages,
    time: timeIn(run),
    calmMessages: calm.messages,
    calmTime: timeIn(calm),
    calmEnded: [...calm.watch.jobs.values()].filter(({ ended }) => ended !== null).length,
    queries: run.watch.queries,
    placements: run.watch.placements,
  }
}

export const { TOLLS, brokenBy, violationsOf, toll } = studyOf({
  family: 'mesh',
  kinds: KINDS,
  planOf,
  ofEach,
  costs,
  run: ({ multicomputer, options, faults }) => runMesh(multicomputer, options, faults),
  calm: (plan) => ({ ...calmly(plan), multicomputer: { ...plan.multicomputer, outages: [] } }),
})
