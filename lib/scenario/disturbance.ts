/** What disturbs a run, as far as its promises depend on it: schedules that hold events back, networks that lose, faults. */
import { isDeviations } from '../actor/schedule.ts'
import { type Address, machineOf } from '../core/address.ts'
import { complete } from '../system/options.ts'
import type { Circumstances } from './definition.ts'
import { type Fault, isBetween, machinesOf } from './faults.ts'
import type { ObservedFact, Property } from './oracle.ts'
import type { RunOutcome } from './outcome.ts'

export interface Disturbance {
  /** Whether nothing is held back: timers fire when they are due, and mail takes its delay. */
  readonly isTimed: boolean
  /** Whether, in addition, no message is lost or duplicated. */
  readonly isSafe: boolean
  /** Whether, in addition, all delays are equal and no fault is planned. */
  readonly isCalm: boolean
}

/** How far the options and the planned faults of a run disturb it. */
export function disturbanceOf({ options, faults }: Circumstances): Disturbance {
  const { network, schedule, scheduler, time } = complete(options)
  const isTimed = time === 'virtual' && scheduler === null && !isDeviations(schedule)
  const isSafe = isTimed && network.loss + network.duplicate === 0
  return { isTimed, isSafe, isCalm: isSafe && network.jitter === 0 && faults.length === 0 }
}

/** Whether a planned fault strikes the machine of an actor. */
export function isStruck(who: Address, faults: readonly Fault[]): boolean {
  const machine = machineOf(who)
  return faults.some((fault) => {
    if (fault.type === 'kill random') return true
    return 'sides' in fault ? isBetween(fault, machine) : machinesOf(fault.who).includes(machine)
  })
}

/** What ends the time in which promises are asked. */
export interface Ending {
  fact?(observed: ObservedFact): boolean
  death?(who: Address): boolean
}

/** Promises that are asked until something happens: nothing that comes later can break them. */
export const until = (ending: Ending, properties: readonly Property[]): readonly Property[] =>
  properties.map((property) => ({
    ...property,
    types: ending.fact ? undefined : property.types,
    watch: () => {
      const monitor = property.watch()
      let isOver = false
      return {
        fold: (observed) => {
          isOver ||= ending.fact?.(observed) ?? false
          if (!isOver) monitor.fold?.(observed)
        },
        died: (who, at) => {
          isOver ||= ending.death?.(who) ?? false
          if (!isOver) monitor.died?.(who, at)
        },
        broken: (outcome) => (isOver && property.eventually ? [] : monitor.broken(outcome)),
      }
    },
  }))

/** A promise that is asked only of runs with some outcomes. */
const askedIf =
  (isAsked: (outcome: RunOutcome) => boolean) =>
  (property: Property): Property => ({
    ...property,
    watch: () => {
      const monitor = property.watch()
      return {
        fold: (observed) => monitor.fold?.(observed),
        died: (who, at) => monitor.died?.(who, at),
        broken: (outcome) => (isAsked(outcome) ? monitor.broken(outcome) : []),
      }
    },
  })

/**
 * A promise about times that actors read from the clocks of their machines: it is asked only of a run in which no clock has
 * jumped.
 */
export const byTheClock = askedIf(({ clocksJumped }) => !clocksJumped)

/** A promise that actors keep by messages: it is asked only of a run in which none was lost for good. */
export const ifNothingIsLost = askedIf(({ lost }) => lost === 0)

/**
 * Promises about times, which hold as long as only the planned faults disturb a run: from the first death of an actor that none
 * of them strikes, nothing more is asked.
 */
export const whileAsPlanned = (faults: readonly Fault[], properties: readonly Property[]): readonly Property[] =>
  until({ death: (who) => !isStruck(who, faults) }, properties)
