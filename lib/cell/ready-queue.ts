/**
 * The queue of events that are due at one actor. A scheduler picks the next event from it; without a scheduler it is
 * not used. Mail of one sender keeps its order whatever is held back, and so do the actor's own timers.
 */

import { HOLD_FOR_NOW, type PendingEvent, type Scheduler } from '../actor/schedule.ts'
import type { SetTimer } from '../actor/timers.ts'
import type { Time } from '../core/time.ts'
import type { LinkedEnvelope } from '../memory/envelope.ts'
import type { Order } from '../memory/mailbox.ts'

/** An event that an actor can handle: mail, or a timer. */
export type Handle = { readonly mail: LinkedEnvelope } | { readonly timer: SetTimer }

/** An event that is due. */
export interface Waiting {
  readonly event: PendingEvent
  readonly handle: Handle
  readonly due: Time
  /** The instant and the subround of sending. An event that was sent later may be an effect of this one. */
  readonly sentAt: Time
  readonly subround: number
}

interface Entry extends Waiting {
  /** The number of events that were added before it. */
  readonly place: number
  /** The event is held back until the actor has taken this many steps. */
  notBefore: number
  /** Real time: the instant that ends the hold on this event. */
  expires: Time
  /** The next event of its source; null for the last one. */
  next: Entry | null
}

export interface ReadyQueueDeps {
  readonly scheduler: Scheduler
  readonly order: Order
  readonly slot: number
  readonly incarnation: number
  /** Says whether handling an event takes a step. A cancelled timer takes none, so no schedule decides about it. */
  readonly isStep: (what: Handle) => boolean
  /** How long an event may be held back; Infinity in virtual time, where the leader releases events in the end. */
  readonly patience: () => Time
}

export class ReadyQueue {
  readonly #deps: ReadyQueueDeps
  /** The first event of each source, in the order of coming. A mailbox may be long, but few actors send to one. */
  #firsts: Entry[] = []
  /** The last event of each source that has any, by source. */
  readonly #lasts = new Map<number, Entry>()
  #added = 0

  constructor(deps: ReadyQueueDeps) {
    this.#deps = deps
  }

  /** Each field has its name here, since a spread is far slower and this is the busiest line of an exploration. */
  add({ event, handle, due, sentAt, subround }: Waiting): void {
    const place = this.#added++
    const expires = Number.POSITIVE_INFINITY
    const entry: Entry = { event, handle, due, sentAt, subround, place, notBefore: 0, expires, next: null }
    const source = sourceOf(event)
    const last = this.#lasts.get(source)
    if (last) last.next = entry
    else this.#firsts.push(entry)
    this.#lasts.set(source, entry)
  }

  /** Takes the event to be handled as step number `step`; undefined if all events are held back. */
  next(step: number, now: Time): Handle | undefined {
    const { scheduler, slot, incarnation, patience } = this.#deps
    const candidates = this.#candidates()
    const idle = candidates.find(({ handle }) => !this.#deps.isStep(handle))
    if (idle) return this.#take(idle)
    const open = candidates.filter(({ notBefore, expires }) => notBefore <= step || expires <= now)
    if (open.length === 0) return undefined
    const place = scheduler.next({ slot, incarnation, step, now, pending: open.map(({ event }) => event) })
    const chosen = open[place]
    if (chosen) return this.#take(chosen)
    if (place === HOLD_FOR_NOW) return undefined
    for (const entry of open) {
      // In real time an event is not held back for ever.
      if (entry.expires <= now) return this.#take(entry)
      entry.notBefore = step + 1
      entry.expires = Math.min(entry.expires, now + patience())
    }
    return undefined
  }

  /** Takes the first event that is held back, since nothing else is left to do. */
  release(): Handle | undefined {
    const [first] = this.#candidates()
    return first && this.#take(first)
  }

  /** The due time of the first event that is held back; Infinity if there is none. */
  get heldSince(): Time {
    return this.#candidates()[0]?.due ?? Number.POSITIVE_INFINITY
  }

  /** Real time: the earliest instant that ends the hold on an event. */
  get expires(): Time {
    return this.#candidates().reduce((first, { expires }) => Math.min(first, expires), Number.POSITIVE_INFINITY)
  }

  clear(): void {
    this.#firsts = []
    this.#lasts.clear()
  }

  #take(entry: Entry): Handle {
    const firsts = this.#firsts
    firsts.splice(firsts.indexOf(entry), 1)
    const { next } = entry
    if (next) {
      let at = firsts.length
      while (at > 0 && (firsts[at - 1]?.place ?? 0) > next.place) at--
      firsts.splice(at, 0, next)
    } else this.#lasts.delete(sourceOf(entry.event))
    return entry.handle
  }

  /** The events that may be next without breaking a promised order, in the order of coming. */
  #candidates(): readonly Entry[] {
    return this.#deps.order === 'fifo' ? this.#firsts : this.#firsts.filter((entry) => this.#isNoEffect(entry))
  }

  /**
   * Causal order: says whether no other event in the queue was sent in an earlier round, and so may be the cause of this one.
   * It is enough to ask the first event of each source, since the others of that source were sent later.
   */
  #isNoEffect({ event, sentAt, subround }: Entry): boolean {
    return (
      event.isTimer ||
      this.#firsts.every(
        (other) =>
          other.event.isTimer || other.sentAt > sentAt || (other.sentAt === sentAt && other.subround >= subround),
      )
    )
  }
}

/** Where an event comes from: timers do not queue with mail that an actor sends to itself. */
const sourceOf = ({ isTimer, from }: PendingEvent): number => (isTimer ? CLOCK : from)

/** The source of timers. It is no slot. */
const CLOCK = -1
