/** Publishes the events of a run to listeners and to the trace, and counts dead letters. */

import type { InboxItem } from '../actor/step-report.ts'
import type { RecordSink } from '../cell/inbox.ts'
import type { Address } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import { type LinkedEnvelope, LOST_REASONS } from '../memory/envelope.ts'
import type { Cause } from '../runtime/runtime.ts'
import { type Line, linesOf } from '../trace/lines.ts'
import type { Recorder } from '../trace/recorder.ts'
import type { TraceWriter } from '../trace/writer.ts'

/** The actor that observed a fact, and the instant. */
export interface FactAbout {
  readonly who: Address
  readonly at: Time
}

/** The death of an actor: when, and why. */
export interface Death {
  readonly address: Address
  readonly at: Time
  readonly cause: Cause
}

type Listener<A extends readonly unknown[]> = (...about: A) => void
/** Removes a listener. */
export type Unlisten = () => void

class Listeners<A extends readonly unknown[]> {
  readonly #all = new Set<{ readonly listener: Listener<A> }>()

  add(listener: Listener<A>): Unlisten {
    const entry = { listener }
    this.#all.add(entry)
    return () => this.#all.delete(entry)
  }

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  tell(...about: A): void {
    for (const { listener } of [...this.#all]) listener(...about)
  }
}

/** The event bus of a system. */
export class EventBus implements RecordSink {
  readonly #trace: TraceWriter | undefined
  readonly #recorder: Recorder | undefined
  readonly nameOf: (slot: number) => string
  readonly #facts = new Listeners<[fact: Message, about: FactAbout]>()
  readonly #deaths = new Listeners<[death: Death]>()
  readonly #lines = new Listeners<[line: Line]>()
  /** The number of dead letters by reason. */
  readonly deadLetters = new Map<string, number>()
  #telling = 0
  #isHeard = false

  constructor(trace: TraceWriter | undefined, recorder: Recorder | undefined, nameOf: (slot: number) => string) {
    this.#trace = trace
    this.#recorder = recorder
    this.nameOf = nameOf
  }

  /** Records an envelope, if the trace is kept in memory. */
  keep(envelope: LinkedEnvelope): void {
    this.#recorder?.keep(envelope)
  }

  /** Records the reports that only a trace needs and that came before now, if the trace is kept in memory. */
  keepReports(): void {
    this.#recorder?.keepReports()
  }

  /**
   * Says whether the lines of this turn of the actors are written or listened to. A listener that joins in the middle of a turn
   * hears the steps of the next one, since the reports of this one may lack their messages.
   */
  get isHeard(): boolean {
    return this.#isHeard
  }

  /** Called before each turn of the actors, to decide whether its lines are heard. */
  beginTurn(): void {
    this.#isHeard = this.#hasListeners
  }

  get #hasListeners(): boolean {
    return this.#trace !== undefined || !this.#lines.isEmpty
  }

  /** The lines of the trace in memory; none without option `record`. */
  recorded(): Iterable<Line> {
    return this.#recorder?.lines(this.nameOf) ?? []
  }

  /** Says whether a listener is being called. Its calls to the system wait until the inbox has been read. */
  get isTelling(): boolean {
    return this.#telling > 0
  }

  onFact(listener: Listener<[fact: Message, about: FactAbout]>): Unlisten {
    return this.#facts.add(listener)
  }
  onDeath(listener: Listener<[death: Death]>): Unlisten {
    return this.#deaths.add(listener)
  }
  onLine(listener: Listener<[line: Line]>): Unlisten {
    return this.#lines.add(listener)
  }

  /** Adds a line that no step reported; `lineOf` is called if there is a trace or a listener. */
  note(lineOf: () => Line): void {
    if (!this.#recorder && !this.#hasListeners) return
    const line = lineOf()
    this.#recorder?.note(line)
    this.#write(line)
  }

  #write(line: Line): void {
    this.#trace?.write(line)
    this.#tell(() => this.#lines.tell(line))
  }

  fact(fact: Message, about: FactAbout): void {
    this.#tell(() => this.#facts.tell(fact, about))
  }

  died(death: Death): void {
    const { address, at, cause } = death
    this.note(() => ({ t: 'died', at, who: address, cause: cause.name, message: cause.message }))
    if (cause.name !== 'Killed' && this.#deaths.isEmpty) {
      process.stderr.write(`bourse: ${address} died: ${cause.stack || `${cause.name}: ${cause.message}`}\n`)
    }
    this.#tell(() => this.#deaths.tell(death))
  }

  item(item: InboxItem): void {
    if (item.what.type === 'dead letter') this.lost(item.what.reason)
    if (!this.isHeard) return
    for (const line of linesOf(item, this.nameOf)) this.#write(line)
  }

  /** Counts a dead letter; `reason` is a LOST_* code. */
  lost(reason: number): void {
    const text = LOST_REASONS[reason] ?? ''
    this.deadLetters.set(text, (this.deadLetters.get(text) ?? 0) + 1)
  }

  /** Ends the trace and returns its SHA-256; '' without a trace. */
  close(): string {
    this.note(() => ({ t: 'end' }))
    return this.#trace?.close() ?? ''
  }

  #tell(tell: () => void): void {
    this.#telling++
    try {
      tell()
    } finally {
      this.#telling--
    }
  }
}
