/** The study of fault plans for a market: the promises that they break, and their costs. */
import type { Work } from '../../../actors/processor/messages.ts'
import { type Message, machineOf, type Time, toUnits } from '../../../lib/actor.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { choiceIn } from '../../../lib/core/decode.ts'
import type { System } from '../../../lib/system.ts'
import {
  calmly,
  type PlanNumber,
  planSeed,
  RUNTIMES,
  type Runtime,
  type Toll,
  toldOf,
  tollOfBlock,
  tollsOf,
} from '../../faults/study.ts'
import { runMarket } from '../market.ts'
import { type Market, PROTOCOLS, type Protocol } from '../model.ts'
import { checksOf, type MarketRun, OF_UNFINISHED, unfinishedIn } from '../oracle.ts'
import { resultsOf } from '../results.ts'
import { KINDS, type Kind, type Plan, planOf } from './plans.ts'

/** The sum of every field over plans; flow times and work are in units, and count finished tasks only. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  tasks: of('tasks'),
  flow: of('flow'),
  /** The flow time of the same tasks without faults. */
  calmFlow: of('calmFlow'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
  restarts: of('restarts'),
  work: of('work'),
  wasted: of('wasted'),
  /** The dead contractors that clients gave up, and the total time that it took them. */
  detected: of('detected'),
  detection: of('detection'),
  /** The living contractors that clients gave up. */
  wronged: of('wronged'),
})

export const TOLLS = tollsOf(ofEach)
type Sums = ReturnType<typeof ofEach>

/** Measures how fast clients give up dead contractors: from the death, or from the award if that came later. */
class Detections {
  /** The number of times that each task was given up while its contractor lived. */
  readonly #wrongs = new Map<Plain | undefined, number>()
  /** The tasks that were given up because their contractor was dead. */
  readonly #rights = new Set<Plain | undefined>()
  readonly #deaths = new Map<string, Time>()
  readonly #awards = new Map<Plain | undefined, Time>()
  count = 0
  sum: Time = 0
  wrong = 0

  /** Whether a task was given up at least `WRONG_MAX` times, and always while its contractor lived. */
  isAlwaysWrong(task: number): boolean {
    return (this.#wrongs.get(task) ?? 0) >= WRONG_MAX && !this.#rights.has(task)
  }

  watch(system: System): void {
    const isDead = (machine: string) =>
      system.actors.some(({ address, status }) => machineOf(address) === machine && status.type === 'dead')
    system.onDeath(({ address, at }) => this.#deaths.set(machineOf(address), at))
    system.onFact((fact, { at }) => this.#fold(fact, at, isDead))
  }

  #fold({ type, task, contractor }: Message, at: Time, isDead: (machine: string) => boolean): void {
    if (type === 'awarded' || type === 'moved' || type === 'replaced') this.#awards.set(task, at)
    if (type !== 'failed' || typeof contractor !== 'string') return
    const machine = machineOf(contractor)
    const died = this.#deaths.get(machine)
    const awarded = this.#awards.get(task) ?? 0
    if (died === undefined || (awarded > died && !isDead(machine))) {
      this.wrong++
      this.#wrongs.set(task, (this.#wrongs.get(task) ?? 0) + 1)
    } else {
      this.#rights.add(task)
      this.count++
      this.sum += at - Math.max(died, awarded)
    }
  }
}

/** A task with this many wrong failures counts as one that fails for ever. */
const WRONG_MAX = 20

async function runPlan(plan: Plan, runtime: Runtime) {
  const { market, faults, options } = plan
  const detections = new Detections()
  const run = await runMarket(market, { ...options, runtime }, faults, {
    onSystem: (system) => detections.watch(system),
  })
  const excused = isBeyondPatience(plan, run, detections) ? OF_UNFINISHED : []
  return { run, detections, broken: [...checkedIn(market, run, excused), ...ofSingleTasks(market, run)] }
}

const toldIn = (protocol: Protocol, kind: Kind, number: PlanNumber, plan: Plan, broken: readonly string[]) =>
  toldOf({ family: 'bidding', group: `${protocol} ${kind}`, ...number }, plan, broken)

/** The promises that a plan broke when all its actors ran in one thread, as text. */
export const brokenBy = async (plan: Plan): Promise<string[]> => (await runPlan(plan, 'inline')).broken

/** The promises that a drawn plan broke, as text. */
export async function violationsOf(
  protocol: Protocol,
  kind: Kind,
  number: PlanNumber,
  runtime: Runtime,
): Promise<string[]> {
  const plan = planOf(protocol, kind, planSeed(number))
  return toldIn(protocol, kind, number, plan, (await runPlan(plan, runtime)).broken)
}

/**
 * Whether the network loses too much for the patience of clients. A client takes a contractor for dead that does not
 * answer one query in time. If messages are lost for good, a task that needs many queries may be given up each time,
 * and is started again for ever.
 */
function isBeyondPatience({ market, options }: Plan, run: MarketRun, detections: Detections): boolean {
  const losesForGood = options.reliable !== true && (options.network?.loss ?? 0) > 0
  const unfinished = unfinishedIn(market, run)
  return losesForGood && unfinished.length > 0 && unfinished.every((task) => detections.isAlwaysWrong(task))
}

const checkedIn = (market: Market, run: MarketRun, excused: readonly string[]): string[] =>
  checksOf(market, run, false).flatMap(({ ok, name, measured }) =>
    ok || excused.includes(name) ? [] : [`${name}: ${measured}`],
  )

/**
 * The violations about single tasks: one that is not restartable starts at most once; only such a one may end without a
 * result.
 */
const ofSingleTasks = ({ jobs }: Market, { ledger }: MarketRun): string[] => {
  const isSingle = (task: number): boolean => jobs[task]?.restartable === false
  return [
    ...[...ledger.begun].flatMap(([task, times]) =>
      isSingle(task) && times > 1 ? [`task ${task} was begun twice`] : [],
    ),
    ...[...ledger.ended.keys()].flatMap((task) => (isSingle(task) ? [] : [`task ${task} was ended`])),
  ]
}

/** Measures one block of plans; `sweep` runs this function. */
export const toll = (point: Plain): Promise<Toll<Sums>> =>
  tollOfBlock(TOLLS, point, (number) =>
    tollOf(
      choiceIn(point, 'protocol', PROTOCOLS),
      choiceIn(point, 'kind', KINDS),
      number,
      choiceIn(point, 'runtime', RUNTIMES),
    ),
  )

const simulated = (work: Work | undefined): Time => (typeof work === 'number' ? work : 0)

async function tollOf(protocol: Protocol, kind: Kind, number: PlanNumber, runtime: Runtime): Promise<Toll<Sums>> {
  const plan = planOf(protocol, kind, planSeed(number))
  const { market } = plan
  const { run, detections, broken } = await runPlan(plan, runtime)
  const calm = await runMarket(market, calmly(plan).options)
  const flowOf = ({ ledger }: MarketRun, task: number) => toUnits(ledger.endings.get(task)?.flow ?? 0)
  const tasks = [...run.ledger.endings.keys()]
  const total = (of: MarketRun) => tasks.reduce((sum, task) => sum + flowOf(of, task), 0)
  const { restarts, wastedWork } = resultsOf(market, run)
  return {
    plans: 1,
    violations: toldIn(protocol, kind, number, plan, broken),
    tasks: tasks.length,
    flow: total(run),
    calmFlow: total(calm),
    messages: run.messages,
    calmMessages: calm.messages,
    restarts,
    work: tasks.reduce((sum, task) => sum + toUnits(simulated(market.jobs[task]?.work)), 0),
    wasted: wastedWork,
    detected: detections.count,
    detection: toUnits(detections.sum),
    wronged: detections.wrong,
  }
}
