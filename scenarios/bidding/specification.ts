/** A market as the explorer sees it: what came of its tasks, and what of its promises was broken. */
import { isClientFact, Ledger } from '../../actors/bidding/ledger.ts'
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { outcomeOf, type RunOutcome } from '../../lib/scenario/outcome.ts'
import { listen } from '../../lib/scenario/run-scenario.ts'
import { type Observer, type Specification, sometime, type Violation } from '../../lib/scenario/specification.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { addressesOf, type Market, machinesOf } from './model.ts'
import { open } from './one-run.ts'
import { BEGUN_ONCE, begunTwice } from './results.ts'

/** What a search should have looked at; without faults, or with one protocol alone, it has not looked at all of it. */
const SOMETIMES = [
  sometime('late bid rejected', 'client', 'rejected'),
  sometime('late bid taken', 'client', 'moved'),
  sometime('task bumped', 'client', 'bumped'),
  sometime('task lost', 'client', 'failed'),
  sometime('no bid', 'client', 'repeated'),
  sometime('bid given up', 'contractor', 'lapsed'),
]

export interface Play {
  readonly market: Market
  readonly faults: readonly Fault[]
  readonly options: SystemInit
}

/** Tasks keep their numbers, whichever of them come. */
export function marketSpecification(play: Play): Specification {
  const { market, faults, options } = play
  const numbers = market.only ?? [...market.jobs.keys()]
  return {
    options,
    faults,
    addresses: addressesOf(market),
    tasks: numbers.length,
    sometimes: SOMETIMES,
    only: (places) => {
      const only = places.flatMap((place) => numbers[place] ?? [])
      return marketSpecification({ ...play, market: { ...market, only } })
    },
    open: async (system) => {
      const watch = new Watch(play, system)
      await open(system, market)
      return watch
    },
  }
}

class Watch implements Observer {
  readonly #play: Play
  readonly #system: System
  readonly #ledger = new Ledger()
  /** How each task ended. */
  readonly #ends = new Map<number, string>()
  /** When each task was over for its client. */
  readonly #over = new Map<number, Time>()
  /** Who has died, whatever became of it. */
  readonly #died = new Set<Address>()

  constructor(play: Play, system: System) {
    this.#play = play
    this.#system = system
    listen(system, this.#ledger)
    system.onFact((fact, { who, at }) => this.#fold(fact, who, at))
    system.onDeath(({ address }) => this.#died.add(address))
  }

  #fold(fact: Message, who: Address, at: Time): void {
    if (!isClientFact(fact, who)) return
    const { type, task, attempt } = fact
    if (type !== 'done' && type !== 'ended') return
    this.#over.set(task, at)
    this.#ends.set(task, `${task}.${attempt} ${type === 'done' ? `on ${machineOf(fact.contractor)}` : fact.reason}`)
  }

  /** Which attempt of each task ended where. Not in what order: at two clients that is nobody's to see. */
  outcome(): string {
    return [...this.#ends]
      .sort(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return new Map([...this.#over].map(([task, at]) => [`task ${task}`, at]))
  }

  left(): number {
    const { jobs, only } = this.#play.market
    return (only ?? jobs).length - this.#over.size
  }

  violations(): Violation[] {
    const { jobs, only } = this.#play.market
    const ending = outcomeOf(this.#system)
    const { dead } = ending
    const living = jobs.flatMap(({ client }, task) => (dead.has(`client@${client}`) ? [] : [task]))
    const open = this.#mustEnd(ending)
      ? living.filter((task) => (only?.includes(task) ?? true) && !this.#over.has(task))
      : []
    const ofOpen = open.map((task) => ({
      property: 'every task of a living client ends',
      text: `task ${task} did not`,
      eventually: true,
    }))
    const twice = begunTwice(this.#play.market, this.#ledger).map((text) => ({ property: BEGUN_ONCE, text }))
    return [...this.#ledger.broken, ...ofOpen, ...twice]
  }

  /**
   * May all tasks be expected to end, once no more faults come? Not if mail was lost for good, or no machine is left;
   * and what a contractor forgets its client has to ask after, and who is dead for good has to be given up, by clients
   * and by contractors that wait for an answer.
   */
  #mustEnd({ dead, lost }: RunOutcome): boolean {
    const { market } = this.#play
    const { query, timeout } = market.terms
    if (lost > 0) return false
    const isWhole = (machine: string) => !dead.has(`contractor@${machine}`) && !dead.has(`processor@${machine}`)
    if (!machinesOf(market).some(isWhole)) return false
    if (dead.size > 0 && timeout === null) return false
    return query !== null || ![...this.#died].some((address) => roleOf(address) === 'contractor')
  }
}
