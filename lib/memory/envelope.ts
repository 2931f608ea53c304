/** An envelope: a message with its sender, its recipient and its times, however it travels. */
import type { EnvelopeId } from '../actor/step-report.ts'
import { SYSTEM } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import type { Tape } from './tape.ts'

/** An envelope on its way, or in a recording. */
export interface Envelope {
  /** The name of the envelope; it also orders the mail of a pair of actors. */
  readonly id: EnvelopeId
  /** A CLASS_* code. */
  readonly class: number
  readonly to: number
  readonly toIncarnation: number
  /** The envelope that was being handled when this one was sent; null if there was none. */
  readonly cause: EnvelopeId | null
  readonly sentAt: Time
  /** The subround of sending. */
  readonly subround: number
  readonly due: Time
  /** Why it could not be delivered, a LOST_* code; 0 if it could. */
  readonly lost: number
  /** Reliable delivery: the number of the message on its link, and the smallest number that its sender has not settled. */
  readonly place: SequencePlace
  /** Reads the message. */
  read(): Plain
  /** Reads the first item of a report, or any other message whole. */
  readFirst(): Plain
}

/** An envelope that is linked, in the hands of its recipient or of the system. */
export interface LinkedEnvelope extends Envelope {
  /** The order of collecting, which has a meaning in real time only. */
  readonly arrival: number
  /** Disposes of the envelope, once its message has been read. */
  release(): void
  /** Makes the envelope a dead letter, since it is for an earlier incarnation. */
  refuse(): void
  addTo(tape: Tape): void
}

/** The place of a copy in the sequence of a link; see Packet (lib/cell/reliable/outgoing.ts). */
export interface SequencePlace {
  readonly n: number
  readonly base: number
}

type Sending = Pick<Envelope, 'id' | 'sentAt' | 'due'>

/** Compares two envelopes by the order of sending, for `sort`. */
export const bySending = (one: Sending, other: Sending): number =>
  one.sentAt - other.sentAt ||
  one.due - other.due ||
  one.id[0] - other.id[0] ||
  one.id[1] - other.id[1] ||
  one.id[2] - other.id[2]

/** The slot that sent an envelope. */
export const senderOf = ({ id, class: kind }: Envelope): number => (kind === CLASS_NEWS ? SYSTEM : id[0])

/** For each slot the instant when the last of this mail that slot `from` has sent to it is due. */
export function lastDuesOf(mail: readonly Envelope[], from: number): ReadonlyMap<number, Time> {
  const dues = new Map<number, Time>()
  for (const envelope of mail) {
    if (senderOf(envelope) === from) dues.set(envelope.to, Math.max(dues.get(envelope.to) ?? 0, envelope.due))
  }
  return dues
}

/** A message between actors, or to or from the outside. */
export const CLASS_MAIL = 0
/** An order of the system to a cell: start, joined, left, computed. */
export const CLASS_CONTROL = 1
/** A report of a cell to the system: what happened in a step. */
export const CLASS_REPORT = 2
/** Reliable delivery: one copy of a message. If the copy is lost, the message is not. */
export const CLASS_DATA = 3
/** Reliable delivery: an acknowledgement or a refusal, from a cell to a cell. */
export const CLASS_RECEIPT = 4

/** A report that only a trace needs. */
export const CLASS_TRACE = 5
/**
 * News of one incarnation, which the system sends in its name: its cause is the name of the envelope. So it keeps its place
 * behind all mail of that incarnation, under every schedule.
 */
export const CLASS_NEWS = 6
/** The sequence numbers from here on name the news of an incarnation; those below name what it sent. */
export const NEWS_FROM = 0x7fff_0000

export const isReport = (kind: number | undefined): boolean => kind === CLASS_REPORT || kind === CLASS_TRACE

/** The most messages of actors from one host to another that may be unacknowledged. */
export const UNHEARD_MAX = 100_000

export const LOST_REASONS = [
  '',
  'the recipient is dead',
  'sent to an earlier incarnation',
  'the mailbox is full',
  'lost on the network',
  'a partition separates the machines',
  'no such actor',
  'the actor has stopped',
  'the answer came too late',
  'no acknowledgement came (options reliable.attempts, reliable.timeout)',
  'too many messages to one actor are unacknowledged (option reliable.window)',
  'lost between two hosts',
  'no host listens for the recipient',
  'longer than the NATS server takes (max_payload)',
  `more than ${UNHEARD_MAX} messages to one host are unacknowledged`,
] as const
export const LOST_DEAD = 1
export const LOST_EARLIER_INCARNATION = 2
export const LOST_MAILBOX_FULL = 3
export const LOST_NETWORK = 4
export const LOST_PARTITION = 5
export const LOST_NO_SUCH_ACTOR = 6
export const LOST_STOPPED = 7
export const LOST_LATE_ANSWER = 8
export const LOST_UNACKNOWLEDGED = 9
export const LOST_WINDOW = 10
export const LOST_BETWEEN_HOSTS = 11
export const LOST_NO_HOST = 12
export const LOST_TOO_LONG = 13
export const LOST_UNHEARD = 14
