/**
 * The timers of one actor, in a queue for each kind. Setting an id again replaces the timer of that id. The ids of asks, whose
 * deadlines are timers, are apart from those of other timers.
 */

import type { Message } from '../core/data.ts'
import { DueQueue, type QueueEntry } from '../core/due-queue.ts'
import type { Time, TimerKind } from '../core/time.ts'
import type { Computation } from './effect.ts'
import type { EnvelopeId } from './step-report.ts'

export interface SetTimer {
  readonly id: string
  readonly kind: TimerKind
  readonly event: Message
  readonly due: Time
  /** Whether it is the deadline of an ask, which is open as long as this timer is set. */
  readonly isDeadline?: true
  /** The number of timers that this incarnation had set before. */
  readonly n: number
  /** The name of the envelope that was being handled when it was set. */
  readonly cause: EnvelopeId | null
}

/** The deadline of an ask among timers; undefined if that ask is not open. */
export const deadlineIn = <T extends Pick<SetTimer, 'id' | 'n'> & { readonly isDeadline?: true | undefined }>(
  timers: readonly T[],
  { id, n }: { readonly id: string; readonly n: number },
): T | undefined => timers.find((timer) => timer.isDeadline && timer.id === id && timer.n === n)

/** A timer as a step sets it. */
export type TimerSetting = Pick<SetTimer, 'id' | 'kind' | 'event' | 'due' | 'isDeadline'>

/** A change to the timers and computations that an actor waits for. A cancelled id may be that of either. */
export type PendingChange =
  | ({ readonly type: 'set' } & TimerSetting)
  | ({ readonly type: 'compute' } & Computation)
  | { readonly type: 'cancel'; readonly id: string }

/** What tells timers apart: the ids of asks are apart from those of other timers. */
interface Identity {
  readonly id: string
  readonly isDeadline?: true | undefined
}

const isSameKind = (one: Identity, other: Identity): boolean => one.isDeadline === other.isDeadline

/** The timers of a list after these changes; `make` makes the timer that the list has for one that was set. */
export function timersAfter<T extends Identity>(
  timers: readonly T[],
  changes: readonly PendingChange[],
  make: (setting: TimerSetting) => T,
): readonly T[] {
  let after = timers
  for (const change of changes) {
    if (change.type === 'compute') continue
    after = after.filter((timer) => timer.id !== change.id || (change.type === 'set' && !isSameKind(timer, change)))
    if (change.type === 'set') after = [...after, make(change)]
  }
  return after
}

export class Timers {
  readonly #completions = new DueQueue<SetTimer>()
  readonly #arrivals = new DueQueue<SetTimer>()
  readonly #others = new DueQueue<SetTimer>()
  readonly #set = new Map<string, QueueEntry<SetTimer>>()
  /** The deadlines of the open asks. */
  readonly #deadlines = new Map<string, QueueEntry<SetTimer>>()
  #count = 0
  #hasAsked = false

  /** The number of timers that were set so far. */
  get count(): number {
    return this.#count
  }

  set(setting: TimerSetting, cause: EnvelopeId | null): void {
    const { id, kind, event, due, isDeadline } = setting
    const set = this.#timersLike(setting)
    this.#end(set.get(id))
    const n = this.#count++
    const timer = isDeadline ? { id, kind, event, due, n, cause, isDeadline } : { id, kind, event, due, n, cause }
    if (isDeadline) this.#hasAsked = true
    set.set(id, this.#queueOf(kind).add(due, timer))
  }

  #timersLike({ isDeadline }: Pick<Identity, 'isDeadline'>): Map<string, QueueEntry<SetTimer>> {
    return isDeadline ? this.#deadlines : this.#set
  }

  #queueOf(kind: TimerKind): DueQueue<SetTimer> {
    if (kind === 'completion') return this.#completions
    return kind === 'arrival' ? this.#arrivals : this.#others
  }

  /** Cancels the timer and the ask of an id. */
  cancel(id: string): void {
    this.#end(this.#set.get(id))
    this.#end(this.#deadlines.get(id))
  }

  /** Closes the ask of a deadline that `deadlineOf` gave. */
  close({ id }: SetTimer): void {
    this.#end(this.#deadlines.get(id))
  }

  #end(entry: QueueEntry<SetTimer> | undefined): void {
    if (!entry) return
    this.#queueOf(entry.item.kind).remove(entry)
    this.#forget(entry.item)
  }

  /** Whether this incarnation has ever asked. */
  get hasAsked(): boolean {
    return this.#hasAsked
  }

  #forget(timer: SetTimer): void {
    this.#timersLike(timer).delete(timer.id)
  }

  /** The number of open asks. */
  get asks(): number {
    return this.#deadlines.size
  }

  /** The deadline of the ask that a request or an answer belongs to; undefined if that ask is not open. */
  deadlineOf({ id, n }: { readonly id: string; readonly n: number }): SetTimer | undefined {
    const deadline = this.#deadlines.get(id)?.item
    return deadline?.n === n ? deadline : undefined
  }

  /** When the next timer of a kind is due; Infinity if none is set. */
  nextDue(kind: TimerKind): Time {
    return this.#queueOf(kind).next
  }

  /** Takes all timers that are due by `now`. Each still has to `fire`, since an earlier one may cancel it. */
  takeDue(kind: TimerKind, now: Time): SetTimer[] {
    const queue = this.#queueOf(kind)
    const due: SetTimer[] = []
    for (let timer = queue.take(now); timer; timer = queue.take(now)) due.push(timer)
    return due
  }

  /** Says whether a taken timer is still set. */
  isSet(timer: SetTimer): boolean {
    return this.#timersLike(timer).get(timer.id)?.item === timer
  }

  /** Says whether a taken timer is still set. After this call it is not. */
  fire(timer: SetTimer): boolean {
    const isSet = this.isSet(timer)
    if (isSet) this.#forget(timer)
    return isSet
  }

  clear(): void {
    for (const id of [...this.#set.keys(), ...this.#deadlines.keys()]) this.cancel(id)
  }
}
