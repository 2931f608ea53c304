/**
 * Sends the messages of one cell, within its machine or over the network, and its reports to the system. What a step
 * posts leaves when the step succeeds; if it fails, the sender rolls back to the savepoint before it.
 */

import { Directory } from '../actor/directory.ts'
import type { NetworkOptions } from '../actor/network.ts'
import type { ReliableOptions } from '../actor/reliable-options.ts'
import { contentsOf } from '../actor/requests.ts'
import type { Scheduler } from '../actor/schedule.ts'
import type { EnvelopeId, Misaddressed } from '../actor/step-report.ts'
import { type Address, isGroup, machineOf } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import { type Recipient, recipientsOf } from '../engine/step.ts'
import { CLASS_MAIL, LOST_NO_SUCH_ACTOR } from '../memory/envelope.ts'
import { type Board, COUNTS } from '../memory/layout.ts'
import type { Endpoint } from '../memory/mail.ts'
import { Links } from './links.ts'
import { ReliableDelivery } from './reliable/delivery.ts'
import { lossIn, type SendOutcome, StepLog } from './step-log.ts'

export interface SenderOptions {
  readonly seed: number
  readonly network: NetworkOptions
  readonly reliable: ReliableOptions | null
  readonly trace: boolean
  /** Types of messages to count. */
  readonly count: readonly string[]
}

/** The state of a sender before a step; a failed step is rolled back to it. */
export interface Savepoint {
  readonly posted: number
  readonly sent: number
  readonly sentNear: number
  readonly counted: number
  readonly events: number
}

export class Sender {
  /** Acknowledges and retransmits mail between machines; undefined without option `reliable`. */
  readonly reliable: ReliableDelivery | undefined
  /** The records of the actor's steps. */
  readonly log: StepLog
  /** The addresses and groups that the actor has been told of. */
  directory = Directory.EMPTY
  /** The messages of the step under way that the actor knows no recipient of. */
  misaddressed: Misaddressed[] = []
  readonly #board: Board
  readonly #slot: number
  readonly #me: { readonly slot: number; readonly machine: string }
  readonly #endpoint: Endpoint
  readonly #links: Links
  readonly #trace: boolean
  readonly #count: readonly string[]
  #now: Time = 0
  /** The counts since the last publication. */
  #sent = 0
  #sentNear = 0
  /** For each message of a counted type the place of that type in `count`. */
  readonly #counted: number[] = []

  constructor(
    board: Board,
    endpoint: Endpoint,
    who: { readonly slot: number; readonly incarnation: number; readonly address: Address },
    { seed, network, reliable, trace, count }: SenderOptions,
    scheduler?: Scheduler,
  ) {
    this.#board = board
    this.#slot = who.slot
    this.#me = { slot: who.slot, machine: machineOf(who.address) }
    this.#endpoint = endpoint
    this.#links = new Links(board, network, seed, who, scheduler)
    this.log = new StepLog(endpoint)
    this.#trace = trace
    this.#count = count
    if (!reliable) return
    const addressOf = (slot: number) => this.directory.addressOf(slot)
    const { incarnation } = who
    this.reliable = new ReliableDelivery(reliable, {
      board,
      endpoint,
      links: this.#links,
      addressOf,
      incarnation,
      trace,
    })
  }

  /** Sets the instant and the subround of what is sent next. */
  moveTo(now: Time, subround: number): void {
    this.#now = now
    this.#endpoint.moveTo(now, subround)
    this.reliable?.moveTo(now)
  }

  /**
   * Checks that a value can travel, without sending it.
   *
   * @throws NotPlainError with the path of what cannot travel
   */
  check(value: Plain): void {
    this.#endpoint.pack(value)
  }

  /** Sends a message to one actor, or a copy to each other member of a group. */
  tell(to: Address, message: Message): void {
    this.#endpoint.pack(message)
    this.log.notePacked()
    const recipients = recipientsOf(to, this.#me, this.directory)
    if (isNobody(recipients) && (!isGroup(to) || this.directory.membersOf(to).size === 0)) {
      this.misaddressed.push({ type: 'misaddressed', to, message: message.type })
    }
    for (const { slot, address, isNear } of recipients) {
      if (slot === undefined) this.#lose(address, LOST_NO_SUCH_ACTOR)
      else if (isNear) this.#sendNear(slot)
      else this.#sendFar(slot, address, message)
    }
  }

  #sendNear(slot: number): void {
    this.#sentNear++
    this.#mail(slot, this.#now)
  }

  #sendFar(slot: number, to: Address, message: Message): void {
    this.#sent++
    const type = this.#count.indexOf(contentsOf(message).type)
    if (type >= 0) this.#counted.push(type)
    if (this.reliable) {
      const { id, ...outcome } = this.reliable.send(slot, to, message)
      return this.#recordSend(id, slot, outcome)
    }
    const result = this.#links.transmit(slot, this.#now)
    if ('lost' in result) return this.#lose(slot, result.lost)
    const [due, second] = result.dues
    const copyOf = this.#mail(slot, due)
    if (second !== undefined) this.#mail(slot, second, copyOf)
  }

  #mail(slot: number, due: Time, copyOf?: EnvelopeId): EnvelopeId {
    const id = this.#endpoint.post(slot, CLASS_MAIL, due)
    if (this.#trace) this.log.addSend(id, slot, copyOf ? { due, copyOf } : due)
    return id
  }

  #lose(to: number | Address, lost: number): void {
    this.#recordSend(this.#endpoint.nextId(), to, { lost })
  }

  /** Records a send for the trace; without a trace only a message that did not leave. */
  #recordSend(id: EnvelopeId, to: number | Address, outcome: SendOutcome): void {
    if (this.#trace || lossIn(outcome) !== undefined) this.log.addSend(id, to, outcome)
  }

  /** A savepoint before a step; `rollback` returns to it if the step fails. */
  get savepoint(): Savepoint {
    const events = this.reliable?.mark ?? 0
    const counted = this.#counted.length
    return {
      posted: this.#endpoint.savepoint,
      sent: this.#sent,
      sentNear: this.#sentNear,
      counted,
      events,
    }
  }

  /** Takes back everything since a savepoint: the step failed, and with it the incarnation. */
  rollback({ posted, sent, sentNear, counted, events }: Savepoint): void {
    this.#endpoint.rollback(posted)
    this.#sent = sent
    this.#sentNear = sentNear
    this.#counted.length = counted
    this.reliable?.end(events)
  }

  /** Sends the acknowledgements of a round and reports what reliable delivery did. Called once a round, before `publish`. */
  settle(): void {
    if (!this.reliable) return
    this.#endpoint.cause = null
    this.reliable.acknowledge()
    const events = this.reliable.takeEvents()
    if (events.length > 0) this.log.add({ type: 'wire', events })
  }

  /** Publishes what was sent, and writes the counters to the slot's words. The caller's store of `done` makes them valid. */
  publish(): void {
    const { sent, sentNear, counts } = this.#board
    this.#endpoint.publish()
    this.#add(sent + this.#slot, this.#sent)
    this.#add(sentNear + this.#slot, this.#sentNear)
    for (const type of this.#counted) this.#add(counts + COUNTS * this.#slot + type, 1)
    this.#counted.length = 0
    this.#sent = 0
    this.#sentNear = 0
    if (!this.reliable) return
    const { again, receipts } = this.reliable.takeCounts()
    this.#add(this.#board.again + this.#slot, again)
    this.#add(this.#board.receipts + this.#slot, receipts)
  }

  #add(at: number, more: number): void {
    const { f64 } = this.#board
    f64[at] = (f64[at] ?? 0) + more
  }
}

const isNobody = (recipients: readonly Recipient[]): boolean =>
  recipients.length === 0 || (recipients.length === 1 && recipients[0]?.slot === undefined)
