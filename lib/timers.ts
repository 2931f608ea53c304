/** The timers of one actor, earliest first by kind; setting an id again replaces it. */
import TinyQueue from 'tinyqueue'
import type { Timer } from './actor.ts'
import type { Message } from './plain.ts'
import type { EnvelopeId } from './report.ts'
import type { Time, TimerKind } from './time/model.ts'

export interface SetTimer {
  readonly id: string
  readonly kind: TimerKind
  readonly due: Time
  readonly event: Message
  /** What was being handled when it was set. */
  readonly cause: EnvelopeId | null
  readonly order: number
  live: boolean
}

const earlier = (a: SetTimer, b: SetTimer): number => a.due - b.due || a.order - b.order

export class Timers {
  readonly #queues: Record<TimerKind, TinyQueue<SetTimer>> = {
    completion: new TinyQueue<SetTimer>([], earlier),
    arrival: new TinyQueue<SetTimer>([], earlier),
    protocol: new TinyQueue<SetTimer>([], earlier),
  }
  readonly #live = new Map<string, SetTimer>()
  #order = 0

  set({ id, kind, delay, event }: Timer, now: Time, cause: EnvelopeId | null): void {
    this.cancel(id)
    const timer = { id, kind, due: now + delay, event, cause, order: this.#order++, live: true }
    this.#live.set(id, timer)
    this.#queues[kind].push(timer)
  }

  cancel(id: string): void {
    const timer = this.#live.get(id)
    if (timer) {
      timer.live = false
      this.#live.delete(id)
    }
  }

  /** When the next timer of a kind is due; Infinity if none is set. */
  nextDue(kind: TimerKind): Time {
    return this.#top(kind)?.due ?? Number.POSITIVE_INFINITY
  }

  /** Takes all that are due by `now`. One that an earlier one cancels is still among them, no longer `live`. */
  takeDue(kind: TimerKind, now: Time): SetTimer[] {
    const due: SetTimer[] = []
    for (let timer = this.#top(kind); timer && timer.due <= now; timer = this.#top(kind)) {
      this.#queues[kind].pop()
      due.push(timer)
    }
    return due
  }

  /** Call when a taken timer fires. */
  fired(timer: SetTimer): void {
    this.#live.delete(timer.id)
  }

  clear(): void {
    for (const id of [...this.#live.keys()]) this.cancel(id)
  }

  #top(kind: TimerKind): SetTimer | undefined {
    const queue = this.#queues[kind]
    for (let top = queue.peek(); top; top = queue.peek()) {
      if (top.live) return top
      queue.pop()
    }
    return undefined
  }
}
