/** The promises about the work of jobs: none ends too early, and without disturbance none fails. */
import { processorsOf } from '../../../actors/mesh/mesh.ts'
import { stepAlone } from '../../../actors/mesh/model.ts'
import { sizeOf } from '../../../actors/mesh/timetable.ts'
import { type Address, roleOf, type Time, toUnits } from '../../../lib/actor.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { byTheClock, disturbanceOf, type Ending, until } from '../../../lib/scenario/disturbance.ts'
import { about, type ObservedFact, type Property } from '../../../lib/scenario/oracle.ts'
import { instant, invariant, safety } from '../../../lib/scenario/promises/safety.ts'
import { comingJobs, type Multicomputer } from '../model.ts'

/** The first death, of a processor or of an actor, after which jobs may fail. */
const OUTAGE: Ending = { fact: ({ fact }) => fact.type === 'down', death: () => true }

/** The promises of a run in which jobs arrive; the jobs of a script have no end of their own. */
export function workOf(multicomputer: Multicomputer, circumstances: Circumstances): readonly Property[] {
  const jobs = comingJobs(multicomputer)
  if (jobs.length === 0) return []
  const { allocator } = multicomputer
  const { isCalm } = disturbanceOf(circumstances)
  const processors = allocator.policy === 'table' ? sizeOf(allocator) : processorsOf(allocator.mesh)
  const fits = new Set(jobs.flatMap(({ job, minimum }) => (minimum <= processors ? [job] : [])))
  return [
    byTheClock(hasTime(multicomputer)),
    ...(isCalm
      ? until(OUTAGE, [
          about(
            ['failed'],
            invariant('in a run without faults no job fails', ({ fact, who, at }) =>
              roleOf(who) === 'job' && fact.type === 'failed' && fits.has(Number(fact['job']))
                ? `job ${fact['job']} of ${who} at ${instant(at)}`
                : undefined,
            ),
          ),
        ])
      : []),
  ]
}

/** The computing of a leader since it began its job. */
interface Computing {
  /** The work that it has had the time for, as the time alone on the mesh. */
  readonly worked: number
  readonly pace: number
  readonly since: Time
}

/** No fact tells that a job stands still before its threads move, so a job may have done less than it had the time for. */
function hasTime(multicomputer: Multicomputer): Property {
  const { job, detail } = multicomputer
  const works = new Map(comingJobs(multicomputer).map(({ job, work }) => [job, work]))
  // processors may have fewer messages to send than the pace counts, but none computes faster than its threads
  const { compute, delta } = job.model
  const fastest = stepAlone(job.model) / Math.max(1, compute - delta)
  const paceAfter = ({ fact }: ObservedFact, before: number): number => {
    if (fact.type === 'resumed') return detail === 'fine' ? fastest : Number(fact['pace'])
    // before threads move in a ring, processors go on until they are told to stand still
    return fact.type === 'owns' || (fact.type === 'moved' && detail === 'fine') ? before : 0
  }
  return safety('a job ends after it has had the time for its work', () => {
    const all = new Map<Address, Computing>()
    return {
      fold: (observed) => {
        const { fact, who, at } = observed
        if (roleOf(who) !== 'job') return undefined
        if (fact.type === 'began') all.set(who, { worked: 0, pace: 0, since: at })
        const before = all.get(who)
        if (!before) return undefined
        const worked = before.worked + before.pace * (at - before.since)
        all.set(who, { worked, pace: paceAfter(observed, before.pace), since: at })
        const work = fact.type === 'ended' ? works.get(Number(fact['job'])) : null
        // times are whole
        if (work == null || worked + 1 >= work - Number(fact['left'])) return undefined
        return `job ${fact['job']} of ${who} at ${instant(at)}: it needs ${toUnits(work)} alone, and had the time for ${toUnits(Math.floor(worked))}`
      },
      died: (who) => {
        all.delete(who)
      },
    }
  })
}
