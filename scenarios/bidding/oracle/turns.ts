/**
 * The promise about the order on a machine: an awarded task starts when it arrives at a free machine, or when the machine
 * becomes free, and then the best of the tasks that wait there starts. It holds in runs without faults and with equal delays.
 */
import { type Address, machineOf, type Time } from '../../../lib/actor.ts'
import type { ObservedFact, Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import type { Market, MarketTask } from '../model.ts'
import { isEnd, isOver, isStart, leftBy, placedOn, placeOf, taskIn, taskOf } from './facts.ts'

/** The rank of a task by the policy; undefined if it depends on more than the task. The smaller rank goes first. */
function rankOf({ estimate, arrival, work }: MarketTask, { terms: { priority } }: Market): number | undefined {
  if (typeof work !== 'number') return undefined
  if (priority === 'spt') return estimate
  if (priority === 'lpt') return -estimate
  return priority === 'fcfs' ? arrival : undefined
}

interface Award {
  readonly task: number
  readonly machine: string
  /** When it arrived there. A task may have been awarded there more than once. */
  readonly arrivals: readonly Time[]
}

const isDone = taskIn('client', 'done')
const isStop = taskIn('processor', 'aborted')
const isBumped = taskIn('client', 'bumped', 'failed', 'announced')

export const startsInTurn = (market: Market, delayTo: (one: Address, other: Address) => Time): Property =>
  safety('an awarded task starts as soon as its machine is free, the best first', () => {
    /** The awards that have not started, by attempt and machine. */
    const awards = new Map<string, Award>()
    /** The arrivals of all awards by attempt and machine, which stay after the start. */
    const arrived = new Map<string, readonly Time[]>()
    /** The attempts that have begun on a machine, and were not stopped there: a client may renew their awards, but they do not wait. */
    const begun = new Set<string>()
    /** When each machine last became free. */
    const freed = new Map<string, Time>()

    const forget = (task: number): void => {
      for (const [key, award] of awards) if (award.task === task) awards.delete(key)
    }

    /** Forgets a place whose task is done: nothing can start there any more. */
    function close(key: string): void {
      arrived.delete(key)
      begun.delete(key)
    }

    function place(observed: ObservedFact, machine: string): void {
      const key = placeOf(observed, machine)
      const arrivals = [...(arrived.get(key) ?? []), observed.at + delayTo(observed.who, `contractor@${machine}`)]
      arrived.set(key, arrivals)
      if (!begun.has(key)) awards.set(key, { task: taskOf(observed), machine, arrivals })
    }

    function started(observed: ObservedFact, machine: string): string | undefined {
      const { at } = observed
      const key = placeOf(observed, machine)
      const arrivals = arrived.get(key) ?? []
      awards.delete(key)
      begun.add(key)
      if (arrivals.includes(at)) return undefined
      if (freed.get(machine) !== at || !arrivals.some((arrival) => arrival < at))
        return `${key} starts at ${instant(at)}; awarded at ${arrivals.map(instant).join(', ') || 'no time'}, free since ${instant(freed.get(machine) ?? 0)}`
      const better = betterThan(taskOf(observed), machine, at)
      return better && `${key} starts at ${instant(at)}, before task ${better.task}, which waits there`
    }

    function betterThan(task: number, machine: string, at: Time): Award | undefined {
      const own = market.jobs[task]
      const rank = own && rankOf(own, market)
      if (rank === undefined) return undefined
      return [...awards.values()].find((award) => {
        const job = market.jobs[award.task]
        const other = job && rankOf(job, market)
        if (award.machine !== machine || other === undefined) return false
        return other < rank && award.arrivals.every((arrival) => arrival < at)
      })
    }

    return {
      fold: (observed) => {
        const machine = machineOf(observed.who)
        if (isStart(observed)) return started(observed, machine)
        if (isEnd(observed)) freed.set(machine, observed.at)
        if (isStop(observed)) begun.delete(placeOf(observed, machine))
        if (isOver(observed) || isBumped(observed)) forget(taskOf(observed))
        if (isDone(observed)) close(placeOf(observed, machineOf(String(observed.fact['contractor']))))
        const left = leftBy(observed)
        if (left !== undefined) awards.delete(placeOf(observed, left))
        const placed = placedOn(observed)
        if (placed !== undefined) place(observed, placed)
        return undefined
      },
    }
  })
