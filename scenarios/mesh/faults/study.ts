/** What plans of faults do to jobs on a mesh: what they break, and what they cost. */
import { toUnits } from '../../../lib/core/time.ts'
import { calmly, studyOf } from '../../faults/study.ts'
import { type MeshRun, runMesh } from '../one-run.ts'
import { KINDS, type Plan, planOf } from './plans.ts'

/** Of every field, the sum over plans; times in seconds. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  jobs: of('jobs'),
  /** Of these: that came to their end, and how often they were begun. */
  ended: of('ended'),
  attempts: of('attempts'),
  moves: of('moves'),
  messages: of('messages'),
  /** From arrival to the end, of those that ended; and of the same plans without faults. */
  time: of('time'),
  calmMessages: of('calmMessages'),
  calmTime: of('calmTime'),
  calmEnded: of('calmEnded'),
  /** How often the allocator asked all what they have, and how often it put all anew. */
  queries: of('queries'),
  anew: of('anew'),
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
    anew: run.watch.anew,
  }
}

export const { TOLLS, brokenBy, violationsOf, toll } = studyOf({
  family: 'mesh',
  kinds: KINDS,
  planOf,
  ofEach,
  costs,
  run: ({ scene, options, faults }) => runMesh(scene, options, faults),
  calm: (plan) => ({ ...calmly(plan), scene: { ...plan.scene, outages: [] } }),
})
