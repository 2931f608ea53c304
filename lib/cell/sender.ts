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
  /** The routes that `#routedBy` gave. */
  readonly #routes = new Map<Address, Route>()
  #routedBy = Directory.EMPTY
  readonly #trace: boolean
  readonly #count: readonly string[]
  #now: Time = 0
  /** The counts since the last publication. */
  #sent = 0
  #sentNear = 0
  /** For each message of a counted type the place of that type in `count`. */
  readonly #counted: number[] = []
  /** Where the step under way began; it is rolled back to that if it fails. */
  readonly #savepoint = { posted: 0, sent: 0, sentNear: 0, counted: 0, events: 0 }

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
    const { recipients, isUnknown } = this.#routeTo(to)
    if (isUnknown) this.misaddressed.push({ type: 'misaddressed', to, message: contentsOf(message).type })
    for (const { slot, address, isNear } of recipients) {
      if (slot === undefined) this.#lose(address, LOST_NO_SUCH_ACTOR)
      else if (isNear) this.#sendNear(slot)
      else this.#sendFar(slot, address, message)
    }
  }

  /** The way to an address or group. It is the same as long as the directory is, and most messages go where others went. */
  #routeTo(to: Address): Route {
    const { directory } = this
    if (this.#routedBy !== directory || this.#routes.size === ROUTES_MAX) {
      this.#routes.clear()
      this.#routedBy = directory
    }
    const known = this.#routes.get(to)
    if (known) return known
    const recipients = recipientsOf(to, this.#me, directory)
    const isUnknown = isNobody(recipients) && (!isGroup(to) || directory.membersOf(to).size === 0)
    const route = { recipients, isUnknown }
    this.#routes.set(to, route)
    return route
  }

  #sendNear(slot: number): void {
    this.#sentNear++
    this.#mail(slot, this.#now)
  }

  #sendFar(slot: number, to: Address, message: Message): void {
    this.#sent++
    const type = this.#count.length === 0 ? -1 : this.#count.indexOf(contentsOf(message).type)
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

  /** Begins a step. */
  begin(): void {
    const savepoint = this.#savepoint
    savepoint.posted = this.#endpoint.savepoint
    savepoint.sent = this.#sent
    savepoint.sentNear = this.#sentNear
    savepoint.counted = this.#counted.length
    savepoint.events = this.reliable?.mark ?? 0
    if (this.misaddressed.length > 0) this.misaddressed = []
  }

  /** Takes everything since `begin` back: the step failed, and with it the incarnation. */
  rollback(): void {
    const { posted, sent, sentNear, counted, events } = this.#savepoint
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
    if (this.#counted.length > 0) {
      for (const type of this.#counted) this.#add(counts + COUNTS * this.#slot + type, 1)
      this.#counted.length = 0
    }
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

/** Where mail to an address or group goes. */
interface Route {
  readonly recipients: readonly Recipient[]
  /** Whether no actor has the address, or no actor is a member of the group. */
  readonly isUnknown: boolean
}

/** The most routes that an actor remembers, since there may be any number of addresses. */
const ROUTES_MAX = 256

const isNobody = (recipients: readonly Recipient[]): boolean =>
  recipients.length === 0 || (recipients.length === 1 && recipients[0]?.slot === undefined)
