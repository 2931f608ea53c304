/** The timers of one actor, in a queue for each kind. Setting an id again replaces the timer of that id. */

import type { Message } from '../core/data.ts'
import { DueQueue } from '../core/due-queue.ts'
import { instantAfter, type Time, type TimerKind } from '../core/time.ts'
import type { Timer } from './effect.ts'
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

export class Timers {
  readonly #queues: Record<TimerKind, DueQueue<SetTimer>> = {
    completion: new DueQueue(),
    arrival: new DueQueue(),
    protocol: new DueQueue(),
  }
  readonly #set = new Map<string, { readonly timer: SetTimer; readonly remove: () => void }>()
  #count = 0

  /** @throws RangeError for a timer that would be due after the largest time */
  set({ id, kind, delay, event }: Timer, now: Time, cause: EnvelopeId | null): void {
    const due = instantAfter(now, delay, `timer ${id}`)
    this.cancel(id)
    const timer = { id, kind, event, due, n: this.#count++, cause }
    this.#set.set(id, { timer, remove: this.#queues[kind].add(timer.due, timer) })
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
