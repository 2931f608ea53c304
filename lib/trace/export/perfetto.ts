/**
 * A run for Perfetto (ui.perfetto.dev), as Chrome's trace event JSON. An incarnation is a thread, and a step is a slice. Each
 * message is a slice within the step that sent it, with an arrow to the step that handled it. A unit of model time is
 * a second there; `args` has the instant itself, in millionths.
 */
import type { Plain } from '../../core/data.ts'
import { UsageError } from '../../core/usage-error.ts'
import { remarksOf, stateName, systemEventName } from '../names.ts'
import { eventOf, type Incarnation, incarnationName, type Run, type Step, thingOf } from '../run.ts'
import { type GridPlace, NS, placesOf } from './layout.ts'
import type { Limit } from './limit.ts'

/** An event for Perfetto: times in microseconds, ids as integers (texts would be read as hexadecimal). */
type TraceEvent = { readonly ph: string; readonly name: string } & { readonly [key: string]: Plain | undefined }

/** One process per run. */
const PID = 1
/** A thread 0 would be taken for the process. */
const SYSTEM_TID = 1

/**
 * Exports a run in the JSON format that Perfetto reads.
 *
 * @throws UsageError for a run with more steps than the limit allows
 */
export function toPerfetto(run: Run, { most }: Limit): string {
  if (run.steps.length > most) throw UsageError.tooMany(run.where, `${most} steps (--most)`, `${run.steps.length}`)
  const picture = new Picture(run)
  const events = picture.events().map((event) => JSON.stringify(event))
  const metadata = JSON.stringify(run.head)
  return `{"traceEvents":[\n${events.join(',\n')}\n],"displayTimeUnit":"ms","metadata":${metadata}}\n`
}

class Picture {
  readonly #run: Run
  readonly #places: readonly GridPlace[]
  readonly #end: number
  /** The threads of incarnations, in spawn order. */
  readonly #tids: ReadonlyMap<string, number>
  /** The flows of messages that were handled. */
  readonly #flows = new Map<string, number>()

  constructor(run: Run) {
    this.#run = run
    this.#places = placesOf(run)
    this.#end = this.#places.reduce((end, { start, length }) => Math.max(end, start + length), 0)
    this.#tids = new Map(run.incarnations.map((incarnation, i) => [incarnationName(incarnation), SYSTEM_TID + 1 + i]))
    for (const { on } of run.steps) {
      if (on.what === 'mail' && run.sends.has(on.id) && !this.#flows.has(on.id)) {
        this.#flows.set(on.id, this.#flows.size + 1)
      }
    }
  }

  events(): TraceEvent[] {
    const { steps, incarnations } = this.#run
    return [
      { ph: 'M', name: 'process_name', pid: PID, args: { name: this.#run.where } },
      ...[['system', SYSTEM_TID] as const, ...this.#tids].flatMap(([name, tid]) => [
        { ph: 'M', name: 'thread_name', pid: PID, tid, args: { name } },
        { ph: 'M', name: 'thread_sort_index', pid: PID, tid, args: { sort_index: tid } },
      ]),
      ...steps.flatMap((step) => this.#slices(step)),
      ...incarnations.flatMap((incarnation) => [...this.#states(incarnation), ...this.#mailbox(incarnation)]),
      ...this.#instants(),
    ]
  }

  #tid(incarnation: { readonly who: string; readonly incarnation: number }): number {
    return this.#tids.get(incarnationName(incarnation)) ?? SYSTEM_TID
  }

  #place({ index }: Step): GridPlace {
    return this.#places[index] ?? { start: 0, length: 0 }
  }

  /** A slice can end one flow or begin one: what a step sent has slices of its own within it. */
  #slices(step: Step): TraceEvent[] {
    const { on, sends } = step
    const own = { ph: 'X', pid: PID, tid: this.#tid(step) }
    const { start, length } = this.#place(step)
    const flow = on.what === 'mail' && !on.again ? this.#flows.get(on.id) : undefined
    const handled = flow === undefined ? {} : { bind_id: flow, flow_in: true }
    const each = Math.floor(length / Math.max(1, sends.length))
    return [
      { ...own, name: eventOf(step), cat: on.what, ts: start / NS, dur: length / NS, ...handled, args: argsOf(step) },
      ...sends.map(({ id, to, message, due }, i) => ({
        ...own,
        name: `send ${message.type}`,
        cat: 'send',
        ts: (start + i * each) / NS,
        dur: each / NS,
        ...this.#begins(id),
        args: { id, to, message, due },
      })),
    ]
  }

  #begins(id: string) {
    const flow = this.#flows.get(id)
    return flow === undefined ? {} : { bind_id: flow, flow_out: true }
  }

  /** Asynchronous, since a state lasts from step to step. */
  #states(incarnation: Incarnation): TraceEvent[] {
    const own = { cat: 'state', id: this.#tid(incarnation), pid: PID, tid: this.#tid(incarnation) }
    const events: TraceEvent[] = []
    let state: string | undefined
    const leave = (ns: number) => {
      if (state !== undefined) events.push({ ph: 'e', name: state, ...own, ts: ns / NS })
    }
    for (const step of incarnation.steps) {
      const next = stateName(step.state)
      if (next === state) continue
      const { start } = this.#place(step)
      leave(start)
      events.push({ ph: 'b', name: next, ...own, ts: start / NS })
      state = next
    }
    const last = incarnation.steps[incarnation.steps.length - 1]
    leave(incarnation.end && last ? Math.max(incarnation.end.at * NS, this.#place(last).start) : this.#end)
    return events
  }

  /** The length of an incarnation's mailbox over time: mail counts from when it is due until it is handled. */
  #mailbox(incarnation: Incarnation): TraceEvent[] {
    const changes = new Map<number, number>()
    const change = (ns: number, by: number) => changes.set(ns, (changes.get(ns) ?? 0) + by)
    for (const step of incarnation.steps) {
      const due = step.on.what === 'mail' && !step.on.again ? this.#run.sends.get(step.on.id)?.due : undefined
      const { start } = this.#place(step)
      if (typeof due !== 'number' || due * NS >= start) continue
      change(due * NS, 1)
      change(start, -1)
    }
    const name = `mailbox of ${incarnationName(incarnation)}`
    let depth = 0
    return [...changes]
      .sort(([one], [other]) => one - other)
      .map(([ns, by]) => {
        depth += by
        return { ph: 'C', name, pid: PID, ts: ns / NS, args: { messages: depth } }
      })
  }

  /** Faults, deaths, broken promises, what is lost and timers that fire, across all threads; what the system sends is on its own. */
  #instants(): TraceEvent[] {
    const { steps, system, deadLetters } = this.#run
    const mark = (name: string, cat: string, ns: number, tid = SYSTEM_TID): TraceEvent => {
      return { ph: 'i', s: 'p', name, cat, pid: PID, tid, ts: ns / NS }
    }
    return [
      ...steps.flatMap((step) =>
        step.on.what === 'timer'
          ? [mark(`timer ${step.on.id}`, 'timer', this.#place(step).start, this.#tid(step))]
          : [],
      ),
      ...steps.flatMap((step) =>
        step.broken.map((promise) =>
          mark(`breaks the promise '${promise}'`, 'broken promise', this.#place(step).start, this.#tid(step)),
        ),
      ),
      ...system.flatMap((event) => {
        if (event.type !== 'send') return [mark(systemEventName(event), event.type, event.at * NS)]
        const { id, message } = event.sent
        const slice = { ph: 'X', pid: PID, tid: SYSTEM_TID, ts: event.at, dur: 0 }
        return [{ ...slice, name: `send ${message.type}`, cat: 'send', ...this.#begins(id), args: { id, message } }]
      }),
      ...deadLetters.map(({ type, to, reason, at }) => mark(`${type} to ${to} lost: ${reason}`, 'drop', at * NS)),
    ]
  }
}

function argsOf(step: Step): Plain {
  const { on, n, at, before, state, facts } = step
  const remarks = remarksOf(step)
  return {
    thing: thingOf(step),
    step: n,
    at,
    before: stateName(before),
    after: stateName(state),
    ...(on.what === 'mail' && { from: on.from, message: on.message }),
    ...(on.what === 'timer' && { timer: on.id, event: on.event }),
    ...(facts.length > 0 && { facts }),
    ...(remarks.length > 0 && { remarks }),
  }
}
