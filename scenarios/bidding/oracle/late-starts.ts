/** The promise of eager machines about starts: one that cannot keep the start of a reservation says so. */

import { PATIENCE } from '../../../actors/bidding/eager/rules.ts'
import { machineOf, type Time } from '../../../lib/actor.ts'
import type { ObservedFact, Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import type { Market } from '../model.ts'
import { isOver, isStart, placedOn, taskOf } from './facts.ts'

/** A task that waits at a machine. */
interface Reservation {
  readonly machine: string
  readonly since: Time
  /** The promised start. */
  readonly start: Time
  readonly isBumped: boolean
  /** When it began, if that was too late. */
  readonly began: Time | null
}

/** A task that its machine bumped, and when its client heard of it. */
interface Bump {
  readonly task: number
  readonly at: Time
}

/**
 * A reservation that begins later than promised was bumped before, unless another one of its machine was: a machine awaits the answer
 * to one bump at a time. A task that begins as soon as its award arrives was no reservation.
 */
export const lateStarts = ({ terms: { tolerance, wait } }: Pick<Market, 'terms'>, latency: Time): Property =>
  safety('a machine bumps a task that it begins late', () => {
    const placed = new Map<number, Reservation>()
    /** The bumps of each machine, in the order of time. */
    const bumps = new Map<string, Bump[]>()

    /** Whether the machine awaited the answer to the bump of another task while this one waited. */
    function isOther({ machine, since, began }: Reservation, task: number): boolean {
      const all = bumps.get(machine) ?? []
      // from the last one on, so that the bumps of a long run are not read again for each task
      for (let i = all.length - 1; i >= 0; i--) {
        const bump = all[i]
        if (!bump || bump.at + wait + 2 * latency < since) return false
        if (bump.task !== task && bump.at - latency <= (began ?? since)) return true
      }
      return false
    }

    function change(task: number, after: (before: Reservation) => Reservation): void {
      const before = placed.get(task)
      if (before) placed.set(task, after(before))
    }

    return {
      fold: (observed: ObservedFact) => {
        const { fact, who, at } = observed
        const task = taskOf(observed)
        const machine = placedOn(observed)
        if (machine !== undefined) {
          placed.set(task, { machine, since: at, start: Number(fact['start']), isBumped: false, began: null })
        } else if (fact.type === 'bumped') {
          const on = machineOf(String(fact['contractor']))
          const all = bumps.get(on)
          if (all) all.push({ task, at })
          else bumps.set(on, [{ task, at }])
          change(task, (before) => ({ ...before, isBumped: true }))
        } else if (isStart(observed)) {
          change(task, (before) => {
            const isHeld = machineOf(who) === before.machine && at > before.since + latency
            return isHeld && at > before.start + tolerance + PATIENCE ? { ...before, began: at } : before
          })
        } else if (isOver(observed)) {
          const before = placed.get(task)
          placed.delete(task)
          if (before && before.began !== null && !before.isBumped && !isOther(before, task))
            return `task ${task} began on ${before.machine} at ${instant(before.began)}, and ${instant(before.start)} was promised`
        }
        return undefined
      },
    }
  })
