/** A timeline of processors: the facts that they observe, as bars over time, with a row for each machine. */
import { type Address, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Mark, Timeline } from '../../lib/scenario/timeline.ts'
import type { JobFact } from './jobs.ts'
import type { ProcessorFact } from './messages.ts'

type Fact = ProcessorFact | JobFact

const rowOf = (who: Address): string | undefined => (roleOf(who) === 'processor' ? machineOf(who) : undefined)

const isOurs = (fact: { readonly type: string }, who: Address): fact is Fact => roleOf(who) === 'processor'

export interface TimelineOptions {
  /** Maps a job that shares its processor to its user, who decides the colour of its bars (default: the job). */
  readonly toneOf?: (job: string) => string
  /** The word for what processors execute (default `task`). */
  readonly word?: string
}

/** The executions of tasks, and the time that jobs share. */
export const processorTimeline =
  ({ toneOf = (job) => job, word = 'task' }: TimelineOptions = {}) =>
  (): Timeline => {
    /** Rows whose current attempt is not the first at its task. */
    const again = new Set<string>()
    /** The times when the running process spun, by row. */
    const spins = new Map<string, Span[]>()
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
          const { task, attempt } = fact
          if (attempt > 1) again.add(row)
          else again.delete(row)
          const object = `${word} ${task}`
          const label = attempt > 1 ? `${object}, attempt ${attempt}` : object
          return [{ type: 'begins', row, label, tone: 'running', object }]
        }
        case 'finished':
          return [{ type: 'ends', row, tone: again.has(row) ? 'finished, a later attempt' : 'finished' }]
        case 'aborted':
          return [{ type: 'ends', row, tone: 'aborted' }]
        case 'spun': {
          const spun = { from: at - fact.lasted, until: at }
          spins.set(row, [...(spins.get(row) ?? []), spun])
          return []
        }
        case 'ran': {
          const { job, used, switching } = fact
          const from = at - used - switching
          // after the death of a processor, some spins belong to no stay.
          const own = (spins.get(row) ?? []).filter((spun) => spun.from >= from)
          spins.delete(row)
          const object = `job ${job}`
          return parted({ from, until: at }, own).map(({ isSpinning, ...span }) =>
            isSpinning
              ? { type: 'was', row, ...span, label: `${job} spins`, tone: 'spinning', object }
              : { type: 'was', row, ...span, label: job, tone: toneOf(job), object },
          )
        }
        default:
          return []
      }
    }
  }

interface Span {
  readonly from: Time
  readonly until: Time
}

/** Splits a stay on the processor into alternating pieces: computing and spinning. */
function parted({ from, until }: Span, spins: readonly Span[]): (Span & { readonly isSpinning: boolean })[] {
  const pieces = spins.flatMap((spun, i) => [
    { from: spins[i - 1]?.until ?? from, until: spun.from, isSpinning: false },
    { ...spun, isSpinning: true },
  ])
  const rest = { from: spins.at(-1)?.until ?? from, until, isSpinning: false }
  return [...pieces, rest].filter((piece) => piece.until > piece.from)
}
