/** Injects faults into a system: at their instants, or when their counts or states are reached. */
import { NEWS_TYPES } from '../actor/children.ts'
import type { Address } from '../core/address.ts'
import { requireSpan } from '../core/check-options.ts'
import { quoted } from '../core/format.ts'
import { keyed } from '../core/random.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Engine } from '../engine/engine.ts'
import { takes } from '../engine/node.ts'
import { engineOf } from '../runtime/engine-cache.ts'
import type { System } from '../system/system.ts'
import { type Conversation, isNamed } from '../trace/entries.ts'
import {
  type ActorPattern,
  type ClockJump,
  type Fault,
  type KillRandom,
  matchingAddresses,
  type Partition,
  printFault,
  type SlowLinks,
  type When,
} from './faults.ts'

/**
 * Plans the faults. Call it once, when the actors that they name have been spawned. The returned function gives the faults
 * that have not struck yet: they have not happened, or no actor that they name was alive, or nothing was left to do.
 *
 * @param calm from this instant on no fault happens
 */
export function planFaults(
  system: System,
  faults: readonly Fault[],
  calm: Time = Number.POSITIVE_INFINITY,
): () => readonly Fault[] {
  /**
   * For each fault that has changed an actor: the steps that were taken before, or -1 if something was left to do. Where nothing
   * was, news of the fault can still lead to steps.
   */
  const struck = new Map<Fault, number>()
  for (const fault of faults) {
    plan(system, fault, calm, (steps) => {
      if (!struck.has(fault)) struck.set(fault, steps)
    })
  }
  return () => faults.filter((fault) => (struck.get(fault) ?? system.steps) >= system.steps)
}

/** Hears of a fault that has changed an actor: of the steps that were taken before, or -1 if something was left to do then. */
type OnStruck = (stepsBefore: number) => void

const stepsBefore = (system: System): number => (system.quiet ? system.steps : -1)

/** A fault that happens once, at an instant. */
export type SingleFault = Exclude<Fault, KillRandom>

function plan(system: System, fault: Fault, calm: Time, onStruck: OnStruck): void {
  if (fault.type === 'kill random') {
    requireSpan('kill random: every', fault.every)
    return killRandomly(system, fault, 1, calm, onStruck)
  }
  const act = async (): Promise<void> => {
    if (system.now >= calm) return
    const steps = stepsBefore(system)
    if (await inject(system, fault)) onStruck(steps)
    else if (fault.type === 'jump') onArrival(system, fault, onStruck)
  }
  if (!('when' in fault)) return system.at(fault.at, act)
  const { when } = fault
  if (when.type === 'at') system.at(when.time, act)
  else if (when.type === 'after') afterHandling(system, when.who ?? fault.who, when.count, when.message, act)
  else onEntering(system, when, act)
}

/**
 * Makes a fault happen now and writes it to the trace; `by` marks a fault that was not planned. Says whether it has changed an
 * actor or the network.
 */
export async function inject(system: System, fault: SingleFault, by?: 'hand'): Promise<boolean> {
  const note = (): void => system.note({ t: 'fault', at: system.now, fault: printFault(fault), by })
  if (fault.type === 'partition') {
    // refused where there are too many; then nothing has happened
    const heal = await system.partition(fault.sides)
    note()
    system.at(fault.until, heal)
    return true
  }
  if (fault.type === 'slow links') {
    const heal = await system.slowLinks(fault.sides, fault.by)
    note()
    system.at(fault.until, heal)
    return true
  }
  note()
  if (fault.type === 'jump') await jump(system, fault)
  let isStruck = false
  for (const who of matchingAddresses(fault.who, addressesOf(system))) {
    if (await strike(system, fault, who)) isStruck = true
  }
  return isStruck
}

/** The lines that tell of a change to the life or to the records of an actor. */
const CHANGES: ReadonlySet<unknown> = new Set(['died', 'ended', 'spawn', 'lost records'])

/** Makes a fault happen to one of its actors; says whether it has changed it. */
async function strike(
  system: System,
  fault: Exclude<SingleFault, Partition | SlowLinks>,
  who: Address,
): Promise<boolean> {
  const isAlive = system.actors.some(({ address, status }) => address === who && status.type === 'alive')
  if (fault.type === 'jump') return isAlive
  if (fault.type === 'pause') {
    await system.pause(who, fault.duration)
    return isAlive
  }
  if (fault.type === 'slow') {
    system.at(fault.until, await system.slowDisk(who, fault.by))
    return isAlive
  }
  let isChanged = false
  const forget = system.onLine((line) => {
    isChanged ||= CHANGES.has(line.t)
  })
  try {
    await system[fault.type](who, fault.loss)
  } finally {
    forget()
  }
  return isChanged
}

/** Makes the clock of a machine jump, and jump back at the end. */
async function jump(system: System, { who, by, until }: ClockJump): Promise<void> {
  const machine = who.slice(1)
  await system.jumpClock(machine, by)
  if (until !== undefined) system.at(until, () => system.jumpClock(machine, -by))
}

/** Reports a jump that found no living actor when an actor begins on its machine, since that actor reads the same clock. */
function onArrival(system: System, { who, until = Number.POSITIVE_INFINITY }: ClockJump, onStruck: OnStruck): void {
  const forget = system.onLine((line) => {
    if (line.t !== 'spawn' || !matchingAddresses(who, [String(line['who'])]).length) return
    forget()
    if (system.now < until) onStruck(stepsBefore(system))
  })
}

const addressesOf = ({ actors }: System): Address[] => actors.map(({ address }) => address)

/** Acts at the end of the round when the actors together have handled `count` events of a type. */
function afterHandling(system: System, who: ActorPattern, count: number, type: string, act: () => Promise<void>): void {
  let left = count
  const stop = system.onHandling((handled) => {
    if (handled.type !== type || !matchingAddresses(who, [handled.who]).length || --left > 0) return
    stop()
    system.at(system.now, act)
  })
}

type Entering = Extract<When, { type: 'enters' }>

/** Acts at the end of the round when one of the actors, or the conversation of it, first enters a state. */
function onEntering(system: System, { who, child, state }: Entering, act: () => Promise<void>): void {
  const stopWatching = system.onEntry((entered) => {
    if (!isSame(entered.child, child) || !matchingAddresses(who, [entered.who]).length) return
    if (!entered.states.some((path) => isNamed(path, state))) return
    stopWatching()
    system.at(system.now, act)
  })
}

const isSame = (one: Conversation | undefined, other: Conversation | undefined): boolean =>
  one?.chart === other?.chart && one?.key === other?.key

/** Kills one living actor after every period, while the system has anything else to do. */
function killRandomly(system: System, fault: KillRandom, n: number, calm: Time, onStruck: OnStruck): void {
  const { every, until = Number.POSITIVE_INFINITY } = fault
  if (n * every > until || n * every >= calm) return
  system.at(n * every, async () => {
    const alive = system.actors.filter(({ status }) => status.type === 'alive')
    const victim = alive[Math.floor(keyed(system.options.seed, 'kill random', n) * alive.length)]
    if (!victim || system.quiet) return
    onStruck(-1)
    system.note({ t: 'fault', at: system.now, fault: printFault(fault) })
    await system.kill(victim.address)
    killRandomly(system, fault, n + 1, calm, onStruck)
  })
}

/**
 * Checks that the machines of the actors that a fault waits for have the state, or handle the type of message. Call it
 * when they have been spawned.
 *
 * @throws UsageError for the first that is not
 */
export async function requireConditions(system: System, faults: readonly Fault[]): Promise<void> {
  for (const fault of faults) {
    if (fault.type === 'slow links' && system.options.hosts)
      throw UsageError.conflicts(
        `--fault ${quoted(printFault(fault))}`,
        '--hosts',
        'only one process can make links slow',
      )
    if (!('when' in fault) || fault.when.type === 'at') continue
    const where = `fault ${quoted(printFault(fault))}`
    if (fault.when.type === 'after') {
      await requireType(system, fault.when.who ?? fault.who, fault.when.message, where)
      continue
    }
    const { who, child, state } = fault.when
    const engines = await enginesOf(system, who)
    const charts = engines.flatMap((engine) => engine.charts)
    if (engines.length === 0) continue // a child that is yet to come
    const own = child ? charts.filter(({ name }) => name === child.chart) : engines
    if (own.length === 0) {
      const names = charts.map(({ name }) => name)
      throw UsageError.unknown(`child chart of ${who}`, child?.chart ?? '', names, { where })
    }
    const paths = [...new Set(own.flatMap(({ states }) => states))]
    if (paths.some((path) => isNamed(path, state))) continue
    throw UsageError.unknown(`state of ${[who, ...(child ? [child.chart] : [])].join(' ')}`, state, paths, { where })
  }
}

async function requireType(system: System, who: ActorPattern, type: string, where: string): Promise<void> {
  const types = (await enginesOf(system, who)).flatMap((engine) => engine.types)
  if (types.length === 0 || takes(types, type) || NEWS_TYPES.has(type)) return
  throw UsageError.unknown(`message type of ${who}`, type, [...new Set(types)], { where })
}

async function enginesOf({ actors, options }: System, who: ActorPattern): Promise<readonly Engine[]> {
  const modules = new Set(
    actors.flatMap(({ address, module }) => (matchingAddresses(who, [address]).length ? [module] : [])),
  )
  return await Promise.all([...modules].map((module) => engineOf(module, options.engine)))
}
