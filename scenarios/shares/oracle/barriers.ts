/**
 * The promise of barriers: all processes of a parallel job, each on a machine of its own, arrive at a round before any of them
 * goes on to the next one.
 */
import { type Address, roleOf } from '../../../lib/actor.ts'
import { until } from '../../../lib/scenario/disturbance.ts'
import type { ObservedFact, Property } from '../../../lib/scenario/oracle.ts'
import { type BarrierEvent, barrier } from '../../../lib/scenario/promises/barrier.ts'
import type { Cluster, Said } from '../model.ts'

/** The ranks of each parallel job that is left alone: its users neither stop it nor change its tickets. */
function ranksIn(orders: readonly Said[]): ReadonlyMap<string, readonly number[]> {
  const ranks = new Map<string, readonly number[]>()
  const touched = new Set<string>()
  for (const { message } of orders) {
    if (message.type === 'submit' || message.type === 'place') {
      const { job, program } = message
      if (program.kind !== 'parallel') continue
      const more = 'size' in program ? Array.from({ length: program.size }, (_, rank) => rank) : [program.rank]
      ranks.set(job, [...(ranks.get(job) ?? []), ...more])
    } else if ('job' in message) touched.add(message.job)
  }
  return new Map([...ranks].filter(([job]) => !touched.has(job)))
}

/** A process that arrives at a round has passed the one before. It computes for ever, so it comes to every round. */
function meetingsIn({ fact, who }: ObservedFact, job: string): readonly BarrierEvent[] {
  if (fact.type !== 'arrived' || fact['job'] !== job || roleOf(who) !== 'processor') return []
  const [member, round] = [`${job}.${fact['rank']}`, Number(fact['round'])]
  const arrives: BarrierEvent = { type: 'arrives', round, member }
  return round > 1 ? [{ type: 'passes', round: round - 1, member }, arrives] : [arrives]
}

const isLost = (who: Address): boolean => roleOf(who) === 'processor' || roleOf(who) === 'barrier'

/** The promise for each parallel job, until the job is given up or a processor or barrier dies. */
export const barriersOf = ({ orders }: Pick<Cluster, 'orders'>): readonly Property[] =>
  [...ranksIn(orders)].flatMap(([job, ranks]) =>
    until(
      { fact: ({ fact }) => fact.type === 'aborted' && fact['job'] === job, death: isLost },
      barrier(
        'the processes of a parallel job meet in every round',
        ranks.map((rank) => `${job}.${rank}`),
        (observed) => meetingsIn(observed, job),
      ),
    ),
  )
