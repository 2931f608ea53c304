/** What processors observe, as bars over time: a row for each machine. */
import { type Address, machineOf, roleOf } from '../../lib/actor.ts'
import type { Mark, Timeline } from '../../lib/report/timeline.ts'
import type { JobFact } from './jobs.ts'
import type { ProcessorFact } from './messages.ts'

type Fact = ProcessorFact | JobFact

const rowOf = (who: Address): string | undefined => (roleOf(who) === 'processor' ? machineOf(who) : undefined)

const isOurs = (fact: { readonly type: string }, who: Address): fact is Fact => roleOf(who) === 'processor'

/** The user of a job, by which its time is coloured, and what to call the job there. */
export type Naming = (job: string) => string

/** Executions of tasks, and time shared by jobs, which has the colours of what `toneOf` says of a job. */
export const processorTimeline =
  (toneOf: Naming = (job) => job) =>
  (): Timeline => {
    /** Attempts that are not the first at their task, as bars say them. */
    const again = new Set<string>()
    return {
      rowOf,
      marks(fact, who, at) {
        const row = rowOf(who)
        return row !== undefined && isOurs(fact, who) ? marksOf(fact, row, at) : []
      },
    }

    function marksOf(fact: Fact, row: string, at: number): Mark[] {
      switch (fact.type) {
        case 'started': {
          const { task, incarnation } = fact
          if (incarnation > 1) again.add(row)
          else again.delete(row)
          const label = incarnation > 1 ? `task ${task}, attempt ${incarnation}` : `task ${task}`
          return [{ type: 'begins', row, label, tone: 'running' }]
        }
        case 'finished':
          return [{ type: 'ends', row, tone: again.has(row) ? 'finished, a later attempt' : 'finished' }]
        case 'aborted':
          return [{ type: 'ends', row, tone: 'aborted' }]
        case 'ran': {
          const { job, used, switching } = fact
          const look = { row, label: job, tone: toneOf(job) }
          return [{ type: 'was', from: at - used - switching, ...look }]
        }
        default:
          return []
      }
    }
  }
