/**
 * The promises about reactions: a pass, a price or an end follows at once from what the actors have told. They are asked where the
 * planned faults alone disturb a run, since a schedule may hold back every message and every timer.
 */
import type { SchedulerFact } from '../../../actors/economy/messages.ts'
import type { Address, Time } from '../../../lib/actor.ts'
import { isStruck } from '../../../lib/scenario/disturbance.ts'
import type { Fault } from '../../../lib/scenario/faults.ts'
import { about, type Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import { BANK, type Economy, processorsOf, SCHEDULER } from '../model.ts'
import { isProcessor, isScheduler } from './facts.ts'

/** The promises under these planned faults. `delay` is the longest time that a message takes between machines. */
export const reactions = (economy: Economy, faults: readonly Fault[], delay: Time): readonly Property[] => [
  ...([SCHEDULER, BANK].some((who) => isStruck(who, faults)) ? [] : [passes(economy), prices(economy)]),
  ends(economy, faults, delay),
]

/** The facts after which a job that waits may fit: more processors are free, the job is new, or a reservation has moved. */
const CAUSES = ['accepted', 'ended', 'failed', 'found', 'extended'] as const

const isCause = ({ type }: SchedulerFact): boolean => CAUSES.some((cause) => cause === type)

/** While a job waits and a processor is idle, each of these facts calls for a pass in the same instant. */
const passes = ({ processors }: Economy): Property =>
  about(
    [...CAUSES, 'refused', 'started', 'lost', 'passed'],
    safety('a pass follows at once when a job that waits may fit', () => {
      const waiting = new Set<number>()
      const taken = new Map<number, readonly number[]>()
      const lost = new Set<number>()
      let cause: { readonly type: string; readonly at: Time } | null = null
      const isOpen = (): boolean => {
        const held = new Set([...lost, ...[...taken.values()].flat()])
        return waiting.size > 0 && held.size < processors
      }
      function note(fact: SchedulerFact): void {
        if (fact.type === 'accepted') waiting.add(fact.request.job)
        if (fact.type === 'refused' || fact.type === 'started') waiting.delete(fact.job)
        if (fact.type === 'failed') waiting.add(fact.job)
        if (fact.type === 'started') taken.set(fact.job, fact.processors)
        if (fact.type === 'ended' || fact.type === 'failed') taken.delete(fact.job)
        if (fact.type === 'lost') lost.add(fact.processor)
        if (fact.type === 'found') lost.delete(fact.processor)
      }
      return {
        fold: ({ fact, who, at }) => {
          if (!isScheduler(fact, who)) return undefined
          const late = cause !== null && at > cause.at && isOpen() ? cause : null
          // a job that is refused on its arrival changes nothing for others
          const isUndone = fact.type === 'refused' && cause?.type === 'accepted'
          if (late || isUndone || fact.type === 'passed') cause = null
          note(fact)
          if (isCause(fact)) cause = { type: fact.type, at }
          return late ? `'${late.type}' at ${instant(late.at)}, and no pass until ${instant(at)}` : undefined
        },
      }
    }),
  )

/** A job that still runs when its paid time is over, and the delays both ways as well, is asked to pay for more. */
const prices = ({ overrun, jobs }: Economy): Property => {
  const services = new Map(jobs.map(({ id, service }) => [id, service]))
  const grace = overrun?.grace ?? Number.POSITIVE_INFINITY
  return about(
    ['started', 'extended', 'priced', 'ended', 'failed', 'accepted', 'passed', 'lost', 'found'],
    safety('a job that exceeds its paid time is asked to pay at once', () => {
      /** The end of the paid time for each running job that has not been asked since. */
      const unasked = new Map<number, Time>()
      return {
        fold: ({ fact, who, at }) => {
          if (!isScheduler(fact, who)) return undefined
          const late = [...unasked].filter(([, end]) => end + grace < at)
          for (const [job] of late) unasked.delete(job)
          if (fact.type === 'started') unasked.set(fact.job, at + (services.get(fact.job) ?? 0))
          if (fact.type === 'extended') unasked.set(fact.job, fact.end)
          if (fact.type === 'priced' || fact.type === 'ended' || fact.type === 'failed') unasked.delete(fact.job)
          const texts = late.map(
            ([job, end]) => `job ${job} has paid until ${instant(end)}, and runs at ${instant(at)}`,
          )
          return texts.length > 0 ? texts.join(', ') : undefined
        },
      }
    }),
  )
}

/** The parts of an attempt. */
interface Parts {
  readonly attempt: number
  readonly all: readonly Address[]
  /** The processors that are not done yet. */
  readonly open: Set<Address>
  /** When the last part so far was done. */
  done: Time
}

/**
 * A job ends when the scheduler has heard of all its parts. A scheduler that is back asks for those that it may have missed. A job is left
 * out if a processor of it has died, or if a fault that is no death may delay its messages.
 */
function ends(economy: Economy, faults: readonly Fault[], delay: Time): Property {
  const delaying = faults.filter(({ type }) => type !== 'kill' && type !== 'restart')
  const addresses: readonly Address[] = processorsOf(economy)
  const isDelayed = (processors: readonly Address[]): boolean =>
    [SCHEDULER, ...processors].some((who) => isStruck(who, delaying))
  return safety('a job ends as soon as its parts are done and the scheduler is alive', () => {
    const running = new Map<number, Parts>()
    /** Since when the scheduler is known to be alive; null: it has told nothing since its death. */
    let alive: Time | null = 0
    const isLate = ({ open, done }: Parts, at: Time): boolean =>
      open.size === 0 && alive !== null && at > Math.max(done + delay, alive === 0 ? 0 : alive + 2 * delay)
    return {
      fold: ({ fact, who, at }) => {
        const late = [...running].filter(([, parts]) => isLate(parts, at)).map(([job]) => job)
        for (const job of late) running.delete(job)
        if (isScheduler(fact, who)) {
          alive ??= at
          if (fact.type === 'started') {
            const all = fact.processors.flatMap((place) => addresses[place] ?? [])
            if (!isDelayed(all)) running.set(fact.job, { attempt: fact.attempt, all, open: new Set(all), done: at })
          }
          if (fact.type === 'ended' || fact.type === 'failed') running.delete(fact.job)
        }
        if (isProcessor(fact, who) && fact.type === 'finished') {
          const parts = running.get(fact.task)
          if (parts?.attempt === fact.attempt && parts.open.delete(who)) parts.done = at
        }
        return late.length > 0 ? `jobs ${late.join()} have not ended at ${instant(at)}` : undefined
      },
      died: (who) => {
        if (who === SCHEDULER) alive = null
        for (const [job, { all }] of running) if (all.includes(who)) running.delete(job)
      },
    }
  })
}
