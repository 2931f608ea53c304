/** What a replay takes from a trace, and what it compares with: the lines of each step, and the fates of what was sent. */

import type { EnvelopeId } from '../actor/step-report.ts'
import type { Plain } from '../core/data.ts'
import { FieldError, textIn } from '../core/decode.ts'
import { LOST_REASONS } from '../memory/envelope.ts'
import { beginsStep, type Line } from '../trace/lines.ts'
import type { Trace } from '../trace/read.ts'

/** What became of an envelope on its way out: as in `Send`. */
export interface RecordedSend {
  readonly due?: number
  readonly lost?: number
  readonly missed?: number
  readonly copyOf?: EnvelopeId
}

export interface Recording {
  /** By the index of the line that begins a step, its lines in order. */
  readonly steps: ReadonlyMap<number, readonly Line[]>
  /** By envelope. */
  readonly fates: ReadonlyMap<string, RecordedSend>
  /** By slot. */
  readonly addresses: readonly string[]
}

/** Lines that say what came of a step, and under which key they have its actor. */
const OUTPUTS: ReadonlyMap<string, string> = new Map([
  ...['unhandled', 'state', 'fact', 'compute', 'end computation', 'persist', 'stopped', 'crash'].map(
    (t) => [t, 'who'] as const,
  ),
  ['send', 'from'],
])

export function recordingOf({ lines }: Trace): Recording {
  const steps = new Map<number, Line[]>()
  const fates = new Map<string, RecordedSend>()
  const addresses: string[] = ['system']
  /** The step under way of each actor. */
  const open = new Map<string, Line[]>()
  /** Lost on the way out, which the next line is to say. */
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
  if (code < 1) throw new FieldError(`a reason as "${key}"`, JSON.stringify(line[key]) ?? 'nothing')
  return code
}

/** @throws FieldError for what is no `slot.incarnation.seq` */
export function envelopeOf(name: string): EnvelopeId {
  const [slot, incarnation, seq, ...more] = name.split('.').map(Number)
  if (![slot, incarnation, seq].every(Number.isSafeInteger) || more.length > 0) {
    throw new FieldError('an envelope (slot.incarnation.seq)', JSON.stringify(name))
  }
  return [slot ?? 0, incarnation ?? 0, seq ?? 0]
}
