/** The oracle of a run of the market: the invariants that it must keep, and the tasks that must end. */

import { bridges } from '../../lib/actor/reliable-options.ts'
import { isDeviations } from '../../lib/actor/schedule.ts'
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import { type Check, is, none, noneViolated } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { sum } from '../../lib/core/tally.ts'
import type { Circumstances, ScenarioRun } from '../../lib/scenario/definition.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import {
  inWords,
  Monitors,
  type NamedPromise,
  numbersIn,
  type Oracle,
  type Violation,
} from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { ENDED, endChecks } from '../../lib/scenario/verdict.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import { comingTasks, type Market, machinesOf } from './model.ts'
import { isClientFact, Ledger } from './oracle/ledger.ts'
import { BEGUN_ONCE, promisesOf } from './oracle/promises.ts'

export type MarketRun = ScenarioRun<Watch>

/** The tasks without a result or an end whose clients live at the end of the run. */
export function unfinishedIn(market: Market, { oracle: { ledger }, dead }: MarketRun): readonly number[] {
  const expected = comingTasks(market).flatMap(([task, { client }]) => (dead.has(`client@${client}`) ? [] : [task]))
  return expected.filter((task) => !ledger.endings.has(task) && !ledger.ended.has(task) && !ledger.before.has(task))
}

const UNFINISHED = 'tasks of living clients that never finished'

/** The names of the checks that an unfinished task fails. */
export const OF_UNFINISHED: readonly string[] = [UNFINISHED, ENDED]

/**
 * The checks of a run. Every task of a living client must finish, unless the network may lose messages for good
 * (`mayLose`): the protocol does not promise it then.
 */
export function checksOf(market: Market, run: MarketRun, mayLose: boolean): Check[] {
  const safety = run.broken.filter(({ eventually }) => !eventually)
  const [twice, others] = [
    safety.filter(({ property }) => property === BEGUN_ONCE),
    safety.filter(({ property }) => property !== BEGUN_ONCE),
  ]
  return [
    noneViolated(inWords(others)),
    ...(market.jobs.some(({ restartable }) => restartable === false)
      ? [
          none(
            BEGUN_ONCE,
            twice.map(({ text }) => text),
          ),
        ]
      : []),
    ...endChecks(run),
    ...(mayLose ? [] : [unfinishedCheck(unfinishedIn(market, run))]),
  ]
}

/** The check that no task is unfinished; those that are its evidence. */
const unfinishedCheck = (tasks: readonly number[]): Check => ({
  ...is(UNFINISHED, tasks.length, 0),
  ...(tasks.length > 0 && { evidence: tasks.slice(0, EVIDENCE_MAX).map((task) => `task ${task}`) }),
})

/** The most unfinished tasks that a check names. */
const EVIDENCE_MAX = 20

/**
 * Whether messages may be lost for good. Reliable delivery survives loss, and partitions and delays within its patience.
 */
export function isLossy(how: SystemInit, faults: readonly Fault[]): boolean {
  const partitions = faults.flatMap((fault) => (fault.type === 'partition' ? fault.until - fault.at : []))
  const delays = faults.flatMap((fault) => (fault.type === 'slow links' ? fault.by : []))
  const { reliable, network, schedule } = complete(how)
  if (!reliable && isDeviations(schedule) && schedule.lost.length > 0) return true
  if (!reliable) return network.loss > 0 || partitions.length > 0
  return sum([...partitions, ...delays]) > bridges(reliable)
}

/**
 * Whether all tasks must end, once no more faults come. They need not if messages were lost for good or no whole
 * machine is left. If a contractor died, its clients must query to notice. If an actor is dead for good, the others
 * must have a timeout to give it up.
 */
export const mustEnd = (market: Market, died: ReadonlySet<Address>, outcome: RunOutcome): boolean =>
  outcome.lost === 0 && canEnd(market, died, outcome)

/**
 * Whether the living actors can end all tasks, as far as deaths are concerned. Otherwise clients may repeat their announcements or
 * their queries for ever.
 */
function canEnd({ terms, ...market }: Market, died: ReadonlySet<Address>, { dead }: RunOutcome): boolean {
  const { query, timeout } = terms
  const isWhole = (machine: string) => !dead.has(`contractor@${machine}`) && !dead.has(`processor@${machine}`)
  if (!machinesOf(market).some(isWhole)) return false
  if (dead.size > 0 && timeout === null) return false
  return query !== null || ![...died].some((address) => roleOf(address) === 'contractor')
}

/** The oracle of a run: what became of its tasks, and which promises were broken. */
export class Watch implements Oracle {
  readonly ledger = new Ledger()
  readonly #market: Market
  readonly #promises: Monitors
  /** The end of each task, as text. */
  readonly #ends = new Map<number, string>()
  /** The time when each task was over for its client. */
  readonly #over = new Map<number, Time>()
  /** All actors that died, also those that were restarted. */
  readonly #died = new Set<Address>()

  constructor(market: Market, circumstances: Circumstances) {
    this.#market = market
    this.#promises = new Monitors(promisesOf(market, circumstances))
  }

  recovered(who: Address, records: readonly Plain[]): void {
    if (roleOf(who) !== 'client') return
    for (const task of numbersIn(records, 'done', 'task')) {
      this.ledger.before.add(task)
      this.#over.set(task, 0)
    }
  }

  fold(fact: Message, who: Address, at: Time): void {
    this.ledger.fold(fact, who, at)
    this.#promises.fold(fact, who, at)
    if (!isClientFact(fact, who)) return
    const { type, task, attempt } = fact
    if (type !== 'done' && type !== 'ended') return
    this.#over.set(task, at)
    this.#ends.set(task, `${task}.${attempt} ${type === 'done' ? `on ${machineOf(fact.contractor)}` : fact.reason}`)
  }

  died(who: Address, at: Time): void {
    this.ledger.died(who, at)
    this.#promises.died(who, at)
    this.#died.add(who)
  }

  /** The attempt and machine of each task's end, by number: no actor can see the order of ends at two clients. */
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
    const { jobs, only } = this.#market
    return (only ?? jobs).length - this.#over.size
  }

  needNotEnd(outcome: RunOutcome): boolean {
    return !canEnd(this.#market, this.#died, outcome)
  }

  promises(): readonly NamedPromise[] {
    return this.#promises.promises()
  }

  brokenSoFar(outcome: RunOutcome): readonly Violation[] {
    return [...this.ledger.broken, ...this.#promises.brokenSoFar(outcome)]
  }

  violations(ending: RunOutcome): Violation[] {
    const { jobs, only } = this.#market
    const { dead } = ending
    const living = jobs.flatMap(({ client }, task) => (dead.has(`client@${client}`) ? [] : [task]))
    const open = mustEnd(this.#market, this.#died, ending)
      ? living.filter((task) => (only?.includes(task) ?? true) && !this.#over.has(task))
      : []
    const ofOpen = open.map((task) => ({
      property: 'every task of a living client ends',
      text: `task ${task} did not`,
      eventually: true,
    }))
    return [...this.ledger.broken, ...this.#promises.violations(ending), ...ofOpen]
  }
}
