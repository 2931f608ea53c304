/** The promises about what follows from what: the acts of the bank from those of the scheduler, and a failure from its reason. */
import type { BankFact, SchedulerFact } from '../../../actors/economy/messages.ts'
import type { Address } from '../../../lib/actor.ts'
import { until } from '../../../lib/scenario/disturbance.ts'
import { about, type Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import { BANK, type Economy, processorsOf, SCHEDULER } from '../model.ts'
import { isBooked, isProcessor, isScheduler } from './facts.ts'

/** The promises of a run of an economy, under all schedules and faults. */
export const consequences = (economy: Economy): readonly Property[] => [
  ...(economy.market ? inOrder(economy) : []),
  failsForReason(economy),
]

type Act = 'charge' | 'refund' | 'close' | 'forfeit' | 'extend'

const named = (act: Act, job: number): string => `${act} of job ${job}`

/** The acts that the scheduler asks of the bank, as its facts tell them. */
function askedBy(fact: SchedulerFact): readonly string[] {
  switch (fact.type) {
    case 'passed':
      return fact.starts.map((job) => named('charge', job))
    case 'failed':
      return [named('refund', fact.job)]
    case 'ended':
      return [named('close', fact.job)]
    case 'refused':
      return [named('forfeit', fact.job)]
    case 'priced':
      return [named('extend', fact.job)]
    default:
      return []
  }
}

/** The act that a booking carries out. Accounts are opened, and weights changed, for users. */
function carriedOut({ what, job }: BankFact): string | undefined {
  if (what === 'opened' || what === 'steered') return undefined
  return named(what === 'declined' ? 'extend' : what, job)
}

/**
 * The bank carries out what the scheduler asks in the order in which it was asked. The acts of users without an account are left out,
 * since the bank books nothing for them. A scheduler or a bank that keeps no records begins with others after its death.
 */
function inOrder({ users, jobs, durable }: Economy): readonly Property[] {
  const strangers = new Set(jobs.flatMap(({ id, user }) => (Object.hasOwn(users, user) ? [] : [id])))
  const property = about(
    ['passed', 'failed', 'ended', 'refused', 'priced', 'booked'],
    safety('the bank carries out in order what the scheduler asks', () => {
      let asked: readonly string[] = []
      return {
        fold: ({ fact, who, at }) => {
          if (isScheduler(fact, who) && !('job' in fact && strangers.has(fact.job)))
            asked = [...asked, ...askedBy(fact)]
          const act = isBooked(fact, who) ? carriedOut(fact) : undefined
          const place = act === undefined ? -1 : asked.indexOf(act)
          const [first] = asked
          if (place >= 0) asked = asked.slice(place + 1)
          return place > 0 ? `the ${act} at ${instant(at)} before the ${first}` : undefined
        },
      }
    }),
  )
  return durable ? [property] : until({ death: (who) => who === BANK || who === SCHEDULER }, [property])
}

/** What became of a part of an attempt: its processor was told to begin it, has begun it, or gives a reason for a failure. */
type Part = 'told' | 'begun' | 'unsound'

/**
 * A running attempt fails only for a reason: the scheduler takes a processor of it for lost, or a processor of it has died, has stopped it
 * or has not begun it. A part that is done is no reason. A scheduler that is back may ask before the order to begin has arrived.
 */
function failsForReason(economy: Economy): Property {
  const addresses: readonly Address[] = processorsOf(economy)
  return about(
    ['started', 'aborted', 'lost', 'failed', 'ended'],
    safety('an attempt fails only if a processor of it is lost, dies or does not run it', () => {
      const running = new Map<number, { readonly attempt: number; readonly parts: Map<Address, Part> }>()
      function ofScheduler(fact: SchedulerFact): void {
        if (fact.type === 'started') {
          const parts = fact.processors.flatMap((place) => addresses[place] ?? [])
          running.set(fact.job, { attempt: fact.attempt, parts: new Map(parts.map((who) => [who, 'told'])) })
        }
        if (fact.type === 'lost') gone(addresses[fact.processor])
        if (fact.type === 'ended' || fact.type === 'failed') running.delete(fact.job)
      }
      function gone(processor: Address | undefined): void {
        if (processor === undefined) return
        for (const { parts } of running.values()) if (parts.has(processor)) parts.set(processor, 'unsound')
      }
      return {
        fold: ({ fact, who, at }) => {
          if (isProcessor(fact, who)) {
            const of = running.get(fact.task)
            if (of?.attempt === fact.attempt) {
              if (fact.type === 'started' && of.parts.get(who) === 'told') of.parts.set(who, 'begun')
              if (fact.type === 'aborted') of.parts.set(who, 'unsound')
            }
          }
          if (!isScheduler(fact, who)) return undefined
          const failed = fact.type === 'failed' ? running.get(fact.job) : undefined
          const isSound = failed !== undefined && [...failed.parts.values()].every((part) => part === 'begun')
          ofScheduler(fact)
          return isSound && fact.type === 'failed'
            ? `attempt ${fact.attempt} of job ${fact.job} at ${instant(at)}`
            : undefined
        },
        died: (who) => {
          gone(who)
          if (who !== SCHEDULER) return
          for (const { parts } of running.values())
            for (const [place, part] of parts) if (part === 'told') parts.set(place, 'unsound')
        },
      }
    }),
  )
}
