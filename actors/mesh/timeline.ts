/** The timeline of a run on a mesh: a row for each job, with bars for its states and partitions. */
import { type Address, type Message, roleOf } from '../../lib/actor.ts'
import type { Area, Mark, Timeline } from '../../lib/scenario/timeline.ts'
import type { JobFact } from './job/book.ts'
import { textOf } from './rectangle.ts'

/** The tone of a job that moves to another partition. */
const MOVING = 'moving'

const isOfJob = (_: Message, who: Address): _ is JobFact => roleOf(who) === 'job'

export function meshTimeline(): Timeline {
  /** The row of each leader's job, and the partition of each row. */
  const leads = new Map<Address, string>()
  const places = new Map<string, Area>()
  return {
    grid: { name: 'mesh', vacant: 'no job has processors', prefix: 'job ', moving: MOVING },
    rowOf: (who) => leads.get(who),
    marks(fact, who) {
      if (!isOfJob(fact, who)) return []
      if (fact.type === 'began') leads.set(who, `job ${fact.job}`)
      const row = leads.get(who)
      // the leader may still give back cells after this
      if (fact.type === 'ended' || fact.type === 'failed') leads.delete(who)
      return row === undefined ? [] : marksOf(fact, row)
    },
  }

  function marksOf(fact: JobFact, row: string): Mark[] {
    switch (fact.type) {
      case 'began':
      case 'stopped':
      case 'vacated':
        places.delete(row)
        return [{ type: 'begins', row, label: `${row} waits`, tone: 'waiting', object: row }]
      case 'moved':
        places.set(row, fact.partition)
        return [{ type: 'begins', row, ...lookOf(row, 'moves to', MOVING) }]
      case 'resumed':
        return [{ type: 'begins', row, ...lookOf(row, 'computes on', 'computing') }]
      case 'ended':
      case 'failed':
        return [{ type: 'ends', row, ...(fact.type === 'failed' && { tone: 'failed' }) }]
      case 'owns':
        return []
    }
  }

  function lookOf(row: string, does: string, tone: string) {
    const area = places.get(row)
    return { label: area ? `${row} ${does} ${textOf(area)}` : row, tone, object: row, ...(area && { area }) }
  }
}
