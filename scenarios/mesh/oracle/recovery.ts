/** The promises about changes that are interrupted: a job that is over leaves, and jobs that are placed from scratch come back at once. */
import type { RingFact } from '../../../actors/mesh/allocator/fold/book.ts'
import { type Address, type Message, roleOf, type Time } from '../../../lib/actor.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { byTheClock, disturbanceOf, isStruck, until, whileAsPlanned } from '../../../lib/scenario/disturbance.ts'
import { about, type Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import { complete } from '../../../lib/system/options.ts'
import { ALLOCATOR, type Multicomputer } from '../model.ts'

/** The promises about the recoveries of a run under FOLD. */
export function recoveryOf({ allocator }: Multicomputer, circumstances: Circumstances): readonly Property[] {
  if (allocator.policy !== 'fold') return []
  const { faults, options } = circumstances
  const { isSafe } = disturbanceOf(circumstances)
  const { latency, jitter } = complete(options).network
  const delaying = faults.filter(({ type }) => type !== 'kill' && type !== 'restart')
  const isDelayed = (who: Address): boolean => isStruck(who, delaying)
  if (!isSafe || options.reliable) return []
  return whileAsPlanned(faults, [
    ...(isDelayed(ALLOCATOR) ? [] : [byTheClock(leavesByRest(latency + jitter, isDelayed))]),
    ...(delaying.length > 0 ? [] : until({ death: (who) => who !== ALLOCATOR }, [backAtOnce])),
  ])
}

const isRing = (fact: Message, who: Address): fact is RingFact => who === ALLOCATOR && fact.type === 'ring'

/** The facts of a leader after which its job need not leave any more. */
const ELSEWHERE = ['began', 'failed', 'vacated', 'stopped']

/**
 * The allocator rests only when all departures that it has heard of are over. A new incarnation has heard of none, and is told again.
 */
const leavesByRest = (delay: Time, isDelayed: (who: Address) => boolean): Property =>
  about(
    [...ELSEWHERE, 'ended', 'gave-up', 'ring'],
    safety('no job that is over is on the mesh at rest', () => {
      const over = new Map<Address, Time>()
      return {
        fold: ({ fact, who, at }) => {
          if (roleOf(who) === 'job' && fact.type === 'ended' && !isDelayed(who)) over.set(who, at)
          if (roleOf(who) === 'job' && ELSEWHERE.includes(fact.type)) over.delete(who)
          if (!isRing(fact, who)) return undefined
          const left = fact.rings.flat().flatMap(({ job }) => {
            const since = over.get(job)
            return since !== undefined && since + delay < at ? [`${job} since ${instant(since)}`] : []
          })
          return left.length > 0 ? `${left.join(', ')} at ${instant(at)}` : undefined
        },
        died: (who) => {
          if (who === ALLOCATOR) over.clear()
          over.delete(who)
        },
      }
    }),
  )

/**
 * Jobs that are placed from scratch get their new cells together: they are not asked once more before the allocator rests. It is asked
 * until an actor dies that is not the allocator, since only living leaders take part. A job that is over meanwhile takes no part either.
 */
const backAtOnce: Property = about(
  [...ELSEWHERE, 'ended', 'planned', 'asked', 'down', 'ring'],
  safety('jobs that are placed from scratch are placed at once', () => {
    let placed: Time | null = null
    const over = new Set<Address>()
    return {
      fold: ({ fact, who, at }) => {
        if (roleOf(who) === 'job') {
          if (fact.type === 'ended') over.add(who)
          else over.delete(who)
          if (fact.type === 'ended') placed = null
        }
        if (who !== ALLOCATOR) return undefined
        const since = fact.type === 'asked' ? placed : null
        placed = fact.type === 'planned' && fact['isAnew'] === true && over.size === 0 ? at : null
        return since === null ? undefined : `placed at ${instant(since)}, and asked again at ${instant(at)}`
      },
      died: () => {
        placed = null
      },
    }
  }),
)
