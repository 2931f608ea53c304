/** The parts of a trace that a replay needs: the lines of each step, and the fate of each message. */

import type { EnvelopeId } from '../actor/step-report.ts'
import type { Plain } from '../core/data.ts'
import { FieldError, textIn } from '../core/decode.ts'
import { LOST_REASONS } from '../memory/envelope.ts'
import { beginsStep, type Line } from '../trace/lines.ts'
import type { Trace } from '../trace/read.ts'

/** The fate of an envelope on its way out, as in `Send`. */
export interface RecordedSend {
  readonly due?: number
  readonly lost?: number
  readonly missed?: number
  readonly copyOf?: EnvelopeId
}

export interface Recording {
  /** The lines of each step in order, by the index of its first line. */
  readonly steps: ReadonlyMap<number, readonly Line[]>
  /** The fates of messages, by envelope. */
  readonly fates: ReadonlyMap<string, RecordedSend>
  /** The addresses by slot. */
  readonly addresses: readonly string[]
}

/** The kinds of lines that a step produces, and the key under which each has its actor. */
const OUTPUTS: ReadonlyMap<string, string> = new Map([
  ...[
    'unhandled',
    'state',
    'entered',
    'fact',
    'compute',
    'end computation',
    'persist',
    'order',
    'deferred',
    'stopped',
    'crash',
  ].map((t) => [t, 'who'] as const),
  ['send', 'from'],
])

export function recordingOf({ lines }: Trace): Recording {
  const steps = new Map<number, Line[]>()
  const fates = new Map<string, RecordedSend>()
  const addresses: string[] = ['system']
  /** The current step of each actor. */
  const open = new Map<string, Line[]>()
  /** A message without a due time; the next line should report its loss. */
  let lost: { readonly id: string; readonly step: Line[] } | undefined
  for (const [index, line] of lines.entries()) {
    if (line.t === 'spawn') addresses[Number(line['slot'])] = textIn(line, 'who')
    if (beginsStep(line)) {
      const step = [line]
      steps.set(index, step)
      open.set(textIn(line, 'who'), step)
      continue
    }
    if (line.t === 'dead' && lost && line['id'] === lost.id) {
      lost.step.push(line)
      fates.set(lost.id, { lost: reasonIn(line, 'reason') })
      lost = undefined
      continue
    }
    const actor = OUTPUTS.get(line.t)
    if (actor === undefined) continue
    const step = open.get(textIn(line, actor))
    step?.push(line)
    if (line.t !== 'send' || !step) continue
    const id = textIn(line, 'id')
    const { due, missed, copyOf } = line
    fates.set(id, {
      ...(typeof due === 'number' && { due }),
      ...(missed !== undefined && { missed: reasonIn(line, 'missed') }),
      ...(typeof copyOf === 'string' && { copyOf: envelopeOf(copyOf) }),
    })
    lost = due === undefined && missed === undefined ? { id, step } : undefined
  }
  return { steps, fates, addresses }
}

const REASONS: readonly (Plain | undefined)[] = LOST_REASONS

function reasonIn(line: Line, key: string): number {
  const code = REASONS.indexOf(line[key])
  if (code < 1) throw FieldError.invalid(key, 'the reason of a loss', line[key])
  return code
}

/**
 * Parses the name of an envelope, `slot.incarnation.seq`.
 *
 * @throws FieldError for any other name
 */
export function envelopeOf(name: string): EnvelopeId {
  const [slot, incarnation, seq, ...more] = name.split('.').map(Number)
  if (![slot, incarnation, seq].every(Number.isSafeInteger) || more.length > 0) {
    throw new FieldError(`an envelope is named slot.incarnation.seq, not ${JSON.stringify(name)}`)
  }
  return [slot ?? 0, incarnation ?? 0, seq ?? 0]
}
