/** The timers of one actor, in a queue for each kind. Setting an id again replaces the timer of that id. */

import type { Message } from '../core/data.ts'
import { DueQueue } from '../core/due-queue.ts'
import type { Time, TimerKind } from '../core/time.ts'
import type { Computation } from './effect.ts'
import type { EnvelopeId } from './step-report.ts'

export interface SetTimer {
  readonly id: string
  readonly kind: TimerKind
  readonly event: Message
  readonly due: Time
  /** The number of timers that this incarnation had set before. */
  readonly n: number
  /** The name of the envelope that was being handled when it was set. */
  readonly cause: EnvelopeId | null
}

/** A timer as a step sets it. */
export type TimerSetting = Pick<SetTimer, 'id' | 'kind' | 'event' | 'due'>

/** A change to the timers and computations that an actor waits for. A cancelled id may be that of either. */
export type PendingChange =
  | ({ readonly type: 'set' } & TimerSetting)
  | ({ readonly type: 'compute' } & Computation)
  | { readonly type: 'cancel'; readonly id: string }

/** The timers of a list after these changes; `make` makes the timer that the list has for one that was set. */
export function timersAfter<T extends { readonly id: string }>(
  timers: readonly T[],
  changes: readonly PendingChange[],
  make: (setting: TimerSetting) => T,
): readonly T[] {
  let after = timers
  for (const change of changes) {
    if (change.type === 'compute') continue
    after = after.filter(({ id }) => id !== change.id)
    if (change.type === 'set') after = [...after, make(change)]
  }
  return after
}

export class Timers {
  readonly #queues: Record<TimerKind, DueQueue<SetTimer>> = {
    completion: new DueQueue(),
    arrival: new DueQueue(),
    protocol: new DueQueue(),
  }
  readonly #set = new Map<string, { readonly timer: SetTimer; readonly remove: () => void }>()
  #count = 0

  set({ id, kind, event, due }: TimerSetting, cause: EnvelopeId | null): void {
    this.cancel(id)
    const timer = { id, kind, event, due, n: this.#count++, cause }
    this.#set.set(id, { timer, remove: this.#queues[kind].add(due, timer) })
  }

  cancel(id: string): void {
    this.#set.get(id)?.remove()
    this.#set.delete(id)
  }

  /** When the next timer of a kind is due; Infinity if none is set. */
  nextDue(kind: TimerKind): Time {
    return this.#queues[kind].next
  }

  /** Takes all timers that are due by `now`. Each still has to `fire`, since an earlier one may cancel it. */
  takeDue(kind: TimerKind, now: Time): SetTimer[] {
    const due: SetTimer[] = []
    for (let timer = this.#queues[kind].take(now); timer; timer = this.#queues[kind].take(now)) due.push(timer)
    return due
  }

  /** Says whether a taken timer is still set. */
  isSet(timer: SetTimer): boolean {
    return this.#set.get(timer.id)?.timer === timer
  }

  /** Says whether a taken timer is still set. After this call it is not. */
  fire(timer: SetTimer): boolean {
    const isSet = this.isSet(timer)
    if (isSet) this.#set.delete(timer.id)
    return isSet
  }

  clear(): void {
    for (const id of [...this.#set.keys()]) this.cancel(id)
  }
}
