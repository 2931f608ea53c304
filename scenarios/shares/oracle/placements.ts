/** The promises of placement, asked when nothing is left to do: a user who asked a placer to run a job knows where it is. */
import { type Address, type Message, machineOf, type Plain, roleOf } from '../../../lib/actor.ts'
import type { ObservedFact, Property } from '../../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../../lib/scenario/outcome.ts'
import type { Cluster } from '../model.ts'

/** What is known of one job: the machines with its process, and the last that its user was told. */
interface Placed {
  readonly user: Address
  readonly places: Set<string>
  told: Message | null
}

/** The jobs that were asked for once. A parallel job is told of in several parts, so it is left out. */
class Placements {
  readonly jobs: ReadonlyMap<string, Placed>
  #hasDeaths = false
  /** Whether a processor has died with its processes. */
  #isBroken = false

  constructor({ orders }: Pick<Cluster, 'orders'>) {
    const asked = orders.flatMap(({ user, message }) =>
      message.type === 'place' && message.program.kind !== 'parallel' ? [{ user, job: message.job }] : [],
    )
    const names = asked.map(({ job }) => job)
    const once = asked.filter(({ job }) => names.indexOf(job) === names.lastIndexOf(job))
    this.jobs = new Map(once.map(({ job, user }) => [job, { user, places: new Set(), told: null }]))
  }

  fold({ fact, who }: ObservedFact): void {
    const placed = this.jobs.get(String(fact['job']))
    if (!placed) return
    // a job is placed once: what says so after its end is a late copy
    const isOld = placed.told?.type === 'exited' && fact.type === 'placed'
    if (roleOf(who) === 'user' && !isOld) placed.told = fact
    if (roleOf(who) !== 'processor') return
    if (fact.type === 'joined') placed.places.add(machineOf(who))
    if (fact.type === 'left' && (fact['why'] === 'withdrawn' || fact['why'] === 'done'))
      placed.places.delete(machineOf(who))
  }

  died(who: Address): void {
    this.#hasDeaths = true
    if (roleOf(who) === 'processor') this.#isBroken = true
    // the next incarnation of a user asks again, and knows what it is told then
    for (const placed of this.jobs.values()) if (placed.user === who) placed.told = null
  }

  /** Whether anything is promised: lost messages are not repeated, and no fact tells what a dead processor had. */
  isPromised({ lost, dead }: RunOutcome): boolean {
    return lost === 0 && dead.size === 0 && !this.#isBroken
  }

  /** Whether a request may be unanswered: one on its way to a placer that died never arrived. */
  isForgiven({ places }: Placed): boolean {
    return this.#hasDeaths && places.size === 0
  }
}

const named = (processors: Plain | undefined): string[] =>
  Array.isArray(processors) ? processors.map((processor) => machineOf(String(processor))) : []

/** The machines that a user was told of. */
function toldOf({ type, processors, processor }: Message): string[] {
  if (type === 'found') return [machineOf(String(processor))]
  return type === 'placed' ? named(processors) : []
}

/** A text if what a user was told of a job is not so. */
function misplaced(job: string, { places, told }: Placed): string | undefined {
  const own = [...places].sort()
  const said = told && toldOf(told)
  if (!said || said.join() === own.join()) return undefined
  return `${job} is on ${own.join(' and ') || 'no machine'}; told: ${told.type} ${said.join()}`
}

const inTheEnd = (
  name: string,
  cluster: Pick<Cluster, 'orders'>,
  broken: (job: string, placed: Placed, all: Placements) => string | undefined,
): Property => ({
  name,
  eventually: true,
  watch: () => {
    const all = new Placements(cluster)
    return {
      fold: (observed) => all.fold(observed),
      died: (who) => all.died(who),
      broken: (outcome) =>
        all.isPromised(outcome) ? [...all.jobs].flatMap(([job, placed]) => broken(job, placed, all) ?? []) : [],
    }
  },
})

/** The promises of the placers of a cluster. */
export const placementsOf = (cluster: Pick<Cluster, 'orders'>): readonly Property[] => [
  inTheEnd('a request is answered', cluster, (job, placed, all) =>
    placed.told === null && !all.isForgiven(placed) ? `nothing was heard of ${job}` : undefined,
  ),
  inTheEnd('jobs are where their users were told', cluster, misplaced),
]
