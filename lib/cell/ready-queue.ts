/**
 * What has come to one actor and is due, one at a time: where a scheduler decides, nothing is handled but through here.
 * Mail of one sender keeps its order whatever is held back; so do the actor's own timers, which go by one clock.
 */

import type { PendingEvent, Scheduler } from '../actor/schedule.ts'
import type { SetTimer } from '../actor/timers.ts'
import type { Time } from '../core/time.ts'
import type { Order } from '../memory/mailbox.ts'

/** A record's address, or a timer. */
export type Handle = { readonly record: number } | { readonly timer: SetTimer }

export interface Waiting {
  readonly event: PendingEvent
  readonly handle: Handle
  readonly due: Time
  /** When and in which round of its instant it was sent: what was sent later may be its effect. */
  readonly sentAt: Time
  readonly subround: number
}

interface Entry extends Waiting {
  /** Not before so many steps. */
  notBefore: number
  /** Real time: nor is it held back for longer than until then. */
  expires: Time
}

export interface ReadyQueueDeps {
  readonly scheduler: Scheduler
  readonly order: Order
  readonly slot: number
  readonly incarnation: number
  /** Is a step taken when it is handled? What takes none, such as a timer that was called off, has no place in a schedule. */
  readonly isStep: (what: Handle) => boolean
  /** For how long at most anything is held back; Infinity where somebody sees to it that all is released in the end. */
  readonly patience: () => Time
}

export class ReadyQueue {
  readonly #deps: ReadyQueueDeps
  #entries: Entry[] = []

  constructor(deps: ReadyQueueDeps) {
    this.#deps = deps
  }

  add({ event: thing, handle: what, due, sentAt, subround }: Waiting): void {
    this.#entries.push({
      event: thing,
      handle: what,
      due,
      sentAt,
      subround,
      notBefore: 0,
      expires: Number.POSITIVE_INFINITY,
    })
  }

  /** What is to be handled as the actor's step number `step`; undefined if nothing is, for now. */
  next(step: number, now: Time): Handle | undefined {
    const { scheduler, slot, incarnation, patience } = this.#deps
    const candidates = this.#candidates()
    const idle = candidates.find(({ handle: what }) => !this.#deps.isStep(what))
    if (idle) return this.#take(idle)
    const open = candidates.filter(({ notBefore, expires }) => notBefore <= step || expires <= now)
    if (open.length === 0) return undefined
    const place = scheduler.next({ slot, incarnation, step, now, pending: open.map(({ event: thing }) => thing) })
    const chosen = open[place]
    if (chosen) return this.#take(chosen)
    for (const entry of open) {
      // What has been held back for long enough in real time is held back no more.
      if (entry.expires <= now) return this.#take(entry)
      entry.notBefore = step + 1
      entry.expires = Math.min(entry.expires, now + patience())
    }
    return undefined
  }

  /** Nothing else is left to do anywhere: the first that is held back is not any more. */
  release(): Handle | undefined {
    const [first] = this.#candidates()
    return first && this.#take(first)
  }

  /** Since when the first of what is held back has been due; Infinity if nothing is. */
  get heldSince(): Time {
    return this.#candidates()[0]?.due ?? Number.POSITIVE_INFINITY
  }

  /** Real time: when anything must be let through. */
  get expires(): Time {
    return this.#candidates().reduce((first, { expires }) => Math.min(first, expires), Number.POSITIVE_INFINITY)
  }

  clear(): void {
    this.#entries = []
  }

  #take(entry: Entry): Handle {
    this.#entries.splice(this.#entries.indexOf(entry), 1)
    return entry.handle
  }

  /** What no order that is promised keeps back, as it came. */
  #candidates(): readonly Entry[] {
    if (this.#entries.length < 2) return this.#entries
    const senders = new Set<number>()
    const firsts = this.#entries.filter(({ event: thing }) => {
      const isFirst = !senders.has(thing.isTimer ? CLOCK : thing.from)
      senders.add(thing.isTimer ? CLOCK : thing.from)
      return isFirst
    })
    return this.#deps.order === 'fifo' ? firsts : firsts.filter((entry) => this.#isNoEffect(entry))
  }

  /** Causal order: was nothing that waits here sent in an earlier round? It may be the cause of this. */
  #isNoEffect({ event: thing, sentAt, subround }: Entry): boolean {
    return (
      thing.isTimer ||
      this.#entries.every(
        (other) =>
          other.event.isTimer || other.sentAt > sentAt || (other.sentAt === sentAt && other.subround >= subround),
      )
    )
  }
}

/** No slot: timers are of the actor itself, but do not queue with mail that it may send to itself. */
const CLOCK = -1
