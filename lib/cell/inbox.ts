/** The inbox of the system: reads the reports of cells, mail to the system, and dead letters. */

import { type EnvelopeId, type InboxItem, isReport } from '../actor/step-report.ts'
import { isMessage, type Plain } from '../core/data.ts'
import {
  CLASS_MAIL,
  CLASS_TRACE,
  type Envelope,
  isReport as isOfReport,
  type LinkedEnvelope,
} from '../memory/envelope.ts'
import { withSends } from './step-log.ts'

/** The recorder of a trace in memory. */
export interface RecordSink {
  readonly nameOf: (slot: number) => string
  /** Records an envelope that is about to be disposed of. */
  keep(envelope: LinkedEnvelope): void
}

/**
 * Reads an envelope of the inbox, offers it to `sink`, and disposes of it.
 *
 * Returns undefined for control records, copies and receipts, and, unless lines are heard, for reports that only a trace needs.
 */
export function read(envelope: LinkedEnvelope, sink: RecordSink, isHeard = false): InboxItem | undefined {
  const { class: kind } = envelope
  // The rest makes no line, and is read at other times on threads than inline.
  if (isOfReport(kind) || kind === CLASS_MAIL) sink.keep(envelope)
  const isRead = isHeard || kind !== CLASS_TRACE
  const item = isRead ? itemIn(envelope, sink.nameOf, isHeard) : undefined
  envelope.release()
  return item
}

/** The item in an envelope; undefined for control records, copies and receipts. Unless it is `whole`, messages of a step are left out. */
export function itemIn(envelope: Envelope, nameOf: (slot: number) => string, whole = true): InboxItem | undefined {
  const { id, cause, to, sentAt, due, class: kind } = envelope
  const body = whole ? envelope.read() : envelope.readFirst()
  const what = isOfReport(kind) ? reported(body, id, nameOf) : delivered(kind, body, envelope.lost)
  return what && { id, cause, to, sentAt, due, what }
}

function reported(body: Plain, id: EnvelopeId, nameOf: (slot: number) => string): InboxItem['what'] | undefined {
  const [first = null, ...sends] = Array.isArray(body) ? body : [body]
  return isReport(first) ? withSends(first, sends, id, nameOf) : undefined
}

/** The meaning of mail. Copies and receipts have none for the system: their sender reports what is lost. */
function delivered(kind: number, body: Plain, reason: number): InboxItem['what'] | undefined {
  if (kind !== CLASS_MAIL || !isMessage(body)) return undefined
  return reason === 0 ? { type: 'mail', message: body } : { type: 'dead letter', message: body, reason }
}
