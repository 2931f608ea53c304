/** A checker of Chrome's trace events, which finds what Perfetto would not draw (json_trace_tokenizer, json_trace_parser, flow_tracker). */
import * as v from 'valibot'

const ID = v.pipe(v.number(), v.integer(), v.minValue(1))
const TS = v.pipe(v.number(), v.minValue(0))
const track = { name: v.string(), pid: ID, tid: ID }
const FLOW = { bind_id: v.optional(ID), flow_in: v.optional(v.literal(true)), flow_out: v.optional(v.literal(true)) }
const ASYNC = { ...track, cat: v.string(), id: ID, ts: TS }

const Slice = v.looseObject({ ph: v.literal('X'), ...track, ts: TS, dur: v.pipe(v.number(), v.minValue(0)), ...FLOW })
const Event = v.variant('ph', [
  Slice,
  v.looseObject({ ph: v.literal('b'), ...ASYNC }),
  v.looseObject({ ph: v.literal('e'), ...ASYNC }),
  v.looseObject({ ph: v.literal('i'), ...track, ts: TS, s: v.picklist(['t', 'p', 'g']) }),
  v.looseObject({ ph: v.literal('C'), name: v.string(), pid: ID, ts: TS, args: v.record(v.string(), v.number()) }),
  v.looseObject({
    ph: v.literal('M'),
    name: v.picklist(['process_name', 'thread_name', 'process_sort_index', 'thread_sort_index']),
    pid: ID,
    tid: v.optional(ID),
    args: v.union([v.object({ name: v.string() }), v.object({ sort_index: v.pipe(v.number(), v.integer()) })]),
  }),
])
const File = v.looseObject({
  traceEvents: v.array(Event),
  displayTimeUnit: v.optional(v.string()),
  metadata: v.optional(v.looseObject({})),
})

type Slices = readonly v.InferOutput<typeof Slice>[]

/** The faults of a file, as sentences. */
export function perfettoFaults(text: string): string[] {
  const read = v.safeParse(File, JSON.parse(text))
  if (!read.success) {
    return read.issues.map((issue) => `${v.getDotPath(issue) ?? 'file'}: ${issue.message}`)
  }
  const { traceEvents } = read.output
  const slices = traceEvents.flatMap((event) => (event.ph === 'X' ? [event] : []))
  return [...nesting(slices), ...flows(slices), ...pairs(traceEvents)]
}

/** Perfetto counts in nanoseconds. */
const ns = (us: number): number => Math.round(us * 1000)

/** On one thread a slice that begins within another ends within it. */
function nesting(slices: Slices): string[] {
  const faults: string[] = []
  const open = new Map<number, number[]>()
  // slices that begin together keep the order of the file
  for (const { tid, ts, dur, name } of [...slices].sort((one, other) => one.ts - other.ts)) {
    const ends = (open.get(tid) ?? []).filter((end) => end > ns(ts))
    const end = ns(ts) + ns(dur)
    if (ends.some((outer) => end > outer)) faults.push(`slice ${name} at ${ts} on thread ${tid} overlaps another`)
    open.set(tid, [...ends, end])
  }
  return faults
}

/** Every end of a flow has one begin, not later; a begin that is repeated is another flow to Perfetto. */
function flows(slices: Slices): string[] {
  const faults: string[] = []
  const begins = new Map<number, number>()
  const ends = new Set<number>()
  for (const { bind_id, flow_in, flow_out, ts } of slices) {
    if (bind_id === undefined) {
      if (flow_in || flow_out) faults.push(`a flow without bind_id at ${ts}`)
    } else if (flow_out) {
      if (begins.has(bind_id)) faults.push(`flow ${bind_id} begins twice`)
      begins.set(bind_id, ts)
    } else if (flow_in) ends.add(bind_id)
    else faults.push(`bind_id ${bind_id} of a slice that neither begins nor ends a flow`)
  }
  for (const id of begins.keys()) if (!ends.has(id)) faults.push(`flow ${id} never ends`)
  for (const { bind_id, flow_in, ts } of slices) {
    if (bind_id === undefined || !flow_in) continue
    const begin = begins.get(bind_id)
    if (begin === undefined) faults.push(`flow ${bind_id} never begins`)
    else if (begin > ts) faults.push(`flow ${bind_id} ends before it begins`)
  }
  return faults
}

/** Asynchronous slices of one id follow each other. */
function pairs(events: readonly v.InferOutput<typeof Event>[]): string[] {
  const faults: string[] = []
  const open = new Map<string, { readonly name: string; readonly ts: number }>()
  for (const event of events) {
    if (event.ph !== 'b' && event.ph !== 'e') continue
    const { cat, id, name, ts } = event
    const key = `${cat} ${id}`
    const begun = open.get(key)
    if (event.ph === 'b') {
      if (begun) faults.push(`${key}: ${name} begins within ${begun.name}`)
      open.set(key, { name, ts })
    } else {
      if (begun?.name !== name || begun.ts > ts) faults.push(`${key}: ${name} ends without its begin`)
      open.delete(key)
    }
  }
  return [...faults, ...[...open].map(([key, { name }]) => `${key}: ${name} never ends`)]
}
