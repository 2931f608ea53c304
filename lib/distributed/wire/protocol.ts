/// <reference path="./msgpackr.d.ts" />
/**
 * The protocol between the nodes of one run: node 0 is the scenario's process, and each host is a node that is named by its
 * epoch. Messages are MessagePack on these subjects, below bourse.live.RUN.NODE:
 *
 *   SLOT         mail to the actor in that slot, from another host: at most once
 *   flow         notes between a host and node 0: each once and in order, retransmitted if needed
 *   tally        how much the sender has sent and received
 *   time         a request to node 0 for the time of its clock
 *   over         from node 0: the run has ended
 *
 * An invitation to a run is a request on bourse.enlist.HOST to the host with that id. All messages are sealed (see
 * `Channel`); the sender of a message is the node that sealed it.
 *
 * A broadcast to a group is an envelope for each member, as on threads: each has its own name in the trace.
 */
import * as v from 'valibot'
import type { CellOptions } from '../../cell/actor-cell.ts'
import { isObject } from '../../core/data.ts'
import { UsageError } from '../../core/usage-error.ts'
import { ENGINES } from '../../engine/engine.ts'
import { isWireEnvelope, type WireEnvelope } from './wire-envelope.ts'

export const COORDINATOR = 0

export const SUBJECTS = {
  /** The subject of invitations to the host whose process has this id. */
  enlist: (id: string) => `bourse.enlist.${id}`,
  at: (run: string, node: number, what: string | number) => `bourse.live.${run}.${node}.${what}`,
} as const

const number = v.number()
const integer = v.pipe(number, v.safeInteger())
const within = (least: number, most: number) => v.pipe(integer, v.minValue(least), v.maxValue(most))
const INT_MAX = 2_147_483_647
const text = v.string()
const flag = v.boolean()
const bytes: v.GenericSchema<unknown, Uint8Array> = v.instance(Uint8Array)
const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly())

const gap = { first: integer, last: integer }
const cause = v.object({ name: text, message: text, stack: text })
/** A frame may carry thousands of records, so `isParcel` checks each in a plain loop and not by a schema. */
const letters = { before: list(integer), parcels: list(v.custom<WireEnvelope>(isWireEnvelope)) }

const cells = v.object({
  seed: integer,
  run: v.optional(integer),
  time: v.literal('real'),
  order: text,
  trace: flag,
  network: v.looseObject({}),
  count: list(text),
  asks: integer,
  deferred: integer,
  strict: v.optional(flag),
})
const isCells = (value: unknown): value is CellOptions => v.is(cells, value)

const note = <T extends string, E extends v.ObjectEntries>(type: T, entries: E) =>
  v.object({ type: v.literal(type), ...entries })

const NOTES = [
  // both ways: envelopes from or to the system
  note('letters', letters),
  // from node 0: another node has joined
  note('come', { node: integer }),
  // from node 0: a node is gone
  note('gone', { node: integer }),
  // from node 0: the state of slots (see SlotState) and of the run
  note('words', { slots: list(list(number)), slotCount: integer, watching: integer }),
  /** The zero of the clock of node 0, in milliseconds, and the milliseconds per unit. */
  note('clock', { zero: number, scale: number }),
  /** Starts an incarnation; `sums` has the counters of earlier incarnations of the slot, `path` is a module of this project. */
  note('start', {
    slot: integer,
    incarnation: integer,
    address: text,
    path: text,
    engine: v.picklist(ENGINES),
    sums: list(number),
    heapMB: v.optional(number),
  }),
  note('kill', { slot: integer }),
  note('probe', { n: integer }),
  /** Mail of this note's recipient that did not arrive at node `at`. */
  note('lost', { at: integer, ...gap }),
  // from a host: an incarnation has started
  note('started', { slot: integer, incarnation: integer, engine: text }),
  note('failed', { slot: integer, incarnation: integer, cause }),
  note('killed', { slot: integer }),
  note('died', { slot: integer, incarnation: integer, cause }),
  /** The answer to a probe: whether all actors are idle, how much mail was exchanged with living hosts, and the sums that changed. */
  note('state', {
    n: integer,
    isQuiet: flag,
    steps: number,
    sent: integer,
    heard: integer,
    sums: list(list(number)),
  }),
  /** Mail of node `from` that did not arrive. */
  note('missed', { from: integer, ...gap }),
  /** The run cannot go on. */
  note('broken', { cause }),
  /** The host has left the run. */
  note('left', {}),
] as const

export type Note = v.InferOutput<(typeof NOTES)[number]>

/** The schema of each type of note. A `v.variant` would try one schema after another. */
const NOTE_SCHEMAS: ReadonlyMap<unknown, v.GenericSchema<unknown, Note>> = new Map(
  NOTES.map((schema) => [schema.entries.type.literal, schema]),
)

const FRAMES = {
  /** A note or a part of one: it begins at byte `at` of all notes; `isLast` marks the last part of a note. */
  flow: v.object({ at: integer, isLast: flag, bytes }),
  tally: v.object({ sent: integer, heard: integer }),
  mail: v.object({ n: integer, ...letters }),
  /** The time of the clock of node 0, in milliseconds. */
  time: v.object({ at: number }),
  /** An invitation to a host, with everything that its threads need to run actors. */
  enlist: v.object({
    digest: text,
    /** The watchdog's limit in milliseconds, which a timer of Node must be able to wait. */
    watchdogMs: v.pipe(number, v.gtValue(0), v.maxValue(INT_MAX)),
    size: v.object({
      slots: within(2, 16_384),
      definitionWords: within(1, 16_777_216),
      pages: within(1, 1_048_576),
      mailbox: within(1, INT_MAX),
    }),
    cells: v.custom<CellOptions>(isCells),
  }),
  /** The answer to an invitation: the host's epoch, or the reason of its refusal. */
  enlisted: v.object({ node: v.optional(integer), refused: v.optional(text) }),
}
export type Frames = { readonly [K in keyof typeof FRAMES]: v.InferOutput<(typeof FRAMES)[K]> }

/** Encodes and decodes messages. Decoding anything else gives undefined, since a sender may be faulty or hostile. */
export interface Packing {
  pack(value: unknown): Uint8Array
  note(bytes: Uint8Array): Note | undefined
  read<K extends keyof Frames>(kind: K, bytes: Uint8Array): Frames[K] | undefined
}

/**
 * Loads the package that encodes messages.
 *
 * @throws UsageError if the package is not installed
 */
export async function packing(where: string): Promise<Packing> {
  const packr = await import('msgpackr/index-no-eval')
    .then(({ Packr }) => new Packr({ mapsAsObjects: true }))
    .catch(() => undefined)
  if (!packr) throw UsageError.requires(where, 'the package msgpackr (npm install)')
  const unpacked = (data: Uint8Array): unknown => {
    try {
      return packr.unpack(data)
    } catch {
      return undefined
    }
  }
  // typed by key, so that each kind has its own schema
  const frames: { readonly [K in keyof Frames]: v.GenericSchema<unknown, Frames[K]> } = FRAMES
  return {
    pack: (value) => packr.pack(value),
    note: (data) => {
      const value = unpacked(data)
      const schema = isObject(value) ? NOTE_SCHEMAS.get(value['type']) : undefined
      return schema && checked(schema, value)
    },
    read: (kind, data) => checked(frames[kind], unpacked(data)),
  }
}

/** The value with the fields of a schema; undefined for a value that does not fit it. */
function checked<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T | undefined {
  const { success, output } = v.safeParse(schema, value, { abortEarly: true })
  return success ? output : undefined
}
