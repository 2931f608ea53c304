/** A run as lines: what the system read from its inbox, one JSON record per event. Times are in millionths. */

import { LOST_REASONS } from '../memory/record.ts'
import type { Plain } from '../plain.ts'
import type { EnvelopeId, Handled, Item, Send, StepReport } from '../report.ts'

/** Grows with every change that an older reader could not read. */
export const TRACE_VERSION = 1

/** One record of a trace; `t` says what it is. */
export type Line = { readonly t: string } & { readonly [key: string]: Plain | undefined }

/** `slot.life.seq`. */
const name = (id: EnvelopeId | null): string | null => (id === null ? null : id.join('.'))

export function linesOf(item: Item, nameOf: (slot: number) => string): Line[] {
  const { what, sentAt: at } = item
  const who = nameOf(item.id[0])
  switch (what.type) {
    case 'mail':
      return [{ t: 'deliver', at: item.due, who: 'system', id: name(item.id), from: who, type: what.message.type }]
    case 'dead letter':
      return [
        {
          t: 'dead',
          id: name(item.id),
          from: who,
          to: nameOf(item.to),
          type: what.message.type,
          reason: LOST_REASONS[what.reason] ?? '',
        },
      ]
    case 'report': {
      if (what.report.type === 'step') return step(what.report, at, who, item.cause)
      const { name: error, message, on } = what.report
      return [handled(on, at, who), { t: 'crash', at, who, error, message }]
    }
  }
}

function step(report: StepReport, at: number, who: string, cause: EnvelopeId | null): Line[] {
  const lines: Line[] = []
  if (report.on) lines.push(handled(report.on, at, who))
  if (report.unhandled !== undefined) lines.push({ t: 'unhandled', at, who, type: report.unhandled })
  for (const sent of report.sends ?? []) lines.push(...send(sent, at, who, cause))
  if (report.state !== undefined) lines.push({ t: 'state', at, who, value: report.state })
  for (const fact of report.facts ?? []) lines.push({ t: 'fact', at, who, fact })
  for (const record of report.records ?? []) lines.push({ t: 'persist', at, who, record })
  if (report.stopped) lines.push({ t: 'stopped', at, who })
  return lines
}

function handled(on: Handled, at: number, who: string): Line {
  if ('mail' in on) return { t: 'deliver', at, who, id: name(on.mail), type: on.type }
  if ('timer' in on) return { t: 'timer', at, who, id: on.timer, kind: on.kind, event: on.event, cause: name(on.cause) }
  return { t: 'start', at, who }
}

function send({ id, to, message, due, lost }: Send, at: number, from: string, cause: EnvelopeId | null): Line[] {
  const sent = { t: 'send', at, id: name(id), from, to, cause: name(cause), due, message }
  if (lost === undefined) return [sent]
  return [sent, { t: 'dead', id: name(id), from, to, type: message.type, reason: LOST_REASONS[lost] ?? '' }]
}
