/**
 * The promise of barriers: all processes of a parallel job, each on a machine of its own, arrive at a round before any of them
 * goes on to the next one.
 */
import type { Leaving } from '../../../actors/processor/jobs.ts'
import { type Address, roleOf } from '../../../lib/actor.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { disturbanceOf, type Ending, isStruck, until, whileAsPlanned } from '../../../lib/scenario/disturbance.ts'
import { about, inEachRun, type ObservedFact, type Property } from '../../../lib/scenario/oracle.ts'
import { type BarrierEvent, barrier } from '../../../lib/scenario/promises/barrier.ts'
import { increasing } from '../../../lib/scenario/promises/order.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
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

/** The promise for each parallel job, until the job is given up or a processor dies. */
export const barriersOf = ({ orders }: Pick<Cluster, 'orders'>): readonly Property[] =>
  [...ranksIn(orders)].flatMap(([job, ranks]) =>
    barrier(
      'the processes of a parallel job meet in every round',
      ranks.map((rank) => `${job}.${rank}`),
      (observed) => meetingsIn(observed, job),
    ).flatMap((property) =>
      until(endingOf(job, property), [property]).map((one) => about(['arrived', 'aborted'], one)),
    ),
  )

/** A barrier that died may begin again with any round. */
export const roundAfterRound: Property = inEachRun(() => {
  const died = new Set<Address>()
  const rounds = increasing(
    'a barrier opens round after round',
    ({ fact, who }) =>
      fact.type === 'opened' && !died.has(who) ? { key: who, number: Number(fact['round']) } : undefined,
    { first: 1, by: 1 },
  )
  return about(['opened'], { ...rounds, watch: () => ({ ...rounds.watch(), died: (who) => void died.add(who) }) })
})

/** A barrier that has died releases no process, but a later incarnation must still release none too early. */
function endingOf(job: string, { eventually }: Property): Ending {
  const roles = eventually ? ['processor', 'barrier'] : ['processor']
  return {
    fact: ({ fact }) => fact.type === 'aborted' && fact['job'] === job,
    death: (who) => roles.includes(roleOf(who)),
  }
}

/**
 * A job is given up only if a member is gone. A living member says that it computes, however long its round takes. That can be
 * promised where questions and answers arrive in time. A process that has not been submitted yet is not there.
 */
export function membersOf(circumstances: Circumstances): readonly Property[] {
  const { faults } = circumstances
  if (!disturbanceOf(circumstances).isSafe) return []
  const accuracy = safety('no living member of a parallel job is taken for dead', () => {
    const here = new Set<string>()
    return {
      fold: ({ fact, who, at }) => {
        const { job, lost } = fact
        const key = memberOf(job, who)
        if (roleOf(who) === 'processor' && fact.type === 'joined') here.add(key)
        if (roleOf(who) === 'processor' && fact.type === 'left' && GONE.includes(String(fact['why']))) here.delete(key)
        if (fact.type !== 'aborted' || !Array.isArray(lost) || isStruck(who, faults)) return undefined
        const living = lost.map(String).filter((member) => here.has(memberOf(job, member)) && !isStruck(member, faults))
        return living.length > 0 ? `${job} is given up at ${instant(at)}, and ${living.join(', ')} has it` : undefined
      },
    }
  })
  return whileAsPlanned(faults, [about(['joined', 'left', 'aborted'], accuracy)])
}

/** Why a process is gone for good. */
const GONE: readonly string[] = ['withdrawn', 'done'] satisfies readonly Leaving[]

const memberOf = (job: unknown, who: string): string => `${job} at ${who}`
