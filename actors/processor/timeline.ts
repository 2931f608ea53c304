/** What processors observe, as bars over time: a row for each machine. */
import { type Address, machineOf, roleOf, type Time } from '../../lib/actor.ts'
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
    /** Of each row, when the process that has the processor spun. */
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
          const label = attempt > 1 ? `task ${task}, attempt ${attempt}` : `task ${task}`
          return [{ type: 'begins', row, label, tone: 'running' }]
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
          // those of a processor that died since are of no stay
          const own = (spins.get(row) ?? []).filter((spun) => spun.from >= from)
          spins.delete(row)
          return parted({ from, until: at }, own).map(({ isSpinning, ...span }) =>
            isSpinning
              ? { type: 'was', row, ...span, label: `${job} spins`, tone: 'spinning' }
              : { type: 'was', row, ...span, label: job, tone: toneOf(job) },
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

/** A stay in pieces, by when the process spun in it. */
function parted({ from, until }: Span, spins: readonly Span[]): (Span & { readonly isSpinning: boolean })[] {
  const pieces = spins.flatMap((spun, i) => [
    { from: spins[i - 1]?.until ?? from, until: spun.from, isSpinning: false },
    { ...spun, isSpinning: true },
  ])
  const rest = { from: spins.at(-1)?.until ?? from, until, isSpinning: false }
  return [...pieces, rest].filter((piece) => piece.until > piece.from)
}
