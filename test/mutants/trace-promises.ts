/** Promises of all actors that only the trace of a run can break: a step does nothing twice, and no answer is missed. */
import { isObject } from '../../lib/core/data.ts'
import { disturbanceOf } from '../../lib/scenario/disturbance.ts'
import type { Oracle, Violation } from '../../lib/scenario/oracle.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { System } from '../../lib/system.ts'
import { beginsStep, type Line } from '../../lib/trace/lines.ts'

/**
 * The specification with the promises that no step sends a message, persists a record or observes a fact twice, and that nobody
 * misses an answer in a calm run. Protocols tolerate repeated messages and records, and timers that should have been cancelled,
 * so no other promise is violated; but they cost mail and memory, and traces show them.
 */
export function withTracePromises({ options, open, judge: _, ...rest }: Specification): Specification {
  return {
    ...rest,
    options: { ...options, record: true },
    only: (tasks) => withTracePromises(rest.only(tasks)),
    open: async (system) => {
      const { isCalm } = disturbanceOf({ options: system.options, faults: rest.faults })
      return watching(await open(system), system, isCalm)
    },
  }
}

/** An oracle that hears a system already, with the promises. */
const watching = (oracle: Oracle, system: System, isCalm: boolean): Oracle => ({
  ...(oracle.outcome && { outcome: () => oracle.outcome?.() ?? '' }),
  ...(oracle.ends && { ends: () => oracle.ends?.() ?? new Map() }),
  ...(oracle.left && { left: () => oracle.left?.() ?? 0 }),
  violations: (outcome) => [
    ...oracle.violations(outcome),
    ...twiceIn(system.recorded()),
    ...(isCalm ? missedIn(system.recorded()) : []),
  ],
})

/** Finds the timers that fired because an answer was missing: in all families their event is `unanswered`. */
export const missedIn = (lines: Iterable<Line>): Violation[] =>
  [...lines].flatMap(({ t, at, who, event }) =>
    t === 'timer' && isObject(event) && event['type'] === 'unanswered'
      ? [{ property: 'in a calm run no answer is missed', text: `${who} at ${at}` }]
      : [],
  )

/** Finds what the steps of a recorded run do twice. */
export function twiceIn(lines: Iterable<Line>): Violation[] {
  /** The acts of the present step of each actor. */
  const steps = new Map<string, Set<string>>()
  const twice = new Set<string>()
  for (const line of lines) {
    const who = String(line['who'] ?? line['from'])
    if (beginsStep(line)) steps.set(who, new Set())
    const act = actIn(line)
    const acts = steps.get(who)
    if (act === undefined || acts === undefined) continue
    if (acts.has(act)) twice.add(`${who}: ${act}`)
    acts.add(act)
  }
  return [...twice].map((text) => ({ property: 'a step does nothing twice', text }))
}

function actIn({ t, to, copyOf, message, record, fact }: Line): string | undefined {
  const what = { send: message, persist: record, fact }[t]
  if (!isObject(what) || copyOf !== undefined || MAY_REPEAT[t]?.(what)) return undefined
  return `${t} ${to ?? ''} ${JSON.stringify(what)}`
}

/** Acts that mean something else the second time. */
const MAY_REPEAT: Readonly<Record<string, (what: object) => boolean>> = {
  // a job of a mesh tells both neighbours its size, and in a ring of two jobs they are the same
  send: (message) => 'type' in message && message.type === 'size',
}
