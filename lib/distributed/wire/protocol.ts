/// <reference path="./msgpackr.d.ts" />
/**
 * What the nodes of one run say to each other: the scenario's process, which is node 0, and the hosts that have its
 * actors, each named by its epoch. MessagePack on these subjects, below bourse.live.RUN.NODE:
 *
 *   SLOT         mail to the actor in that slot, from another host: at most once
 *   flow         notes between a host and node 0: each once and in order, sent again until they are
 *   tally        how much one sent and heard
 *   time         a request to node 0: what does your clock say?
 *   over         from node 0: nobody waits for the run any more
 *
 * and bourse.enlist.HOST, a request to the host of that id: take part in a run. All of it is sealed (see `Channel`), and is of
 * the node that has sealed it.
 *
 * A broadcast to a group is an envelope for each member, as on threads: each has a name of its own in the trace.
 */
import type { CellOptions } from '../../cell/actor-cell.ts'
import { isObject } from '../../core/data.ts'
import { UsageError } from '../../core/usage-error.ts'
import { ENGINES, type EngineName } from '../../engine/engine.ts'
import type { Before } from './version-vector.ts'
import { isParcel, type Parcel } from './wire-envelope.ts'

export const COORDINATOR = 0

export const SUBJECTS = {
  /** By the id of a host's process. */
  enlist: (id: string) => `bourse.enlist.${id}`,
  at: (run: string, node: number, what: string | number) => `bourse.live.${run}.${node}.${what}`,
} as const

type Guard<T> = (value: unknown) => value is T

const integer: Guard<number> = (value): value is number => Number.isSafeInteger(value)
/** An integer from `least` to `most`. */
const within =
  (least: number, most: number): Guard<number> =>
  (value): value is number =>
    integer(value) && value >= least && value <= most
const number: Guard<number> = (value): value is number => typeof value === 'number'
const INT_MAX = 2_147_483_647
/** Milliseconds that a timer of Node can wait. */
const patience: Guard<number> = (value): value is number => number(value) && value > 0 && value <= INT_MAX
const text: Guard<string> = (value): value is string => typeof value === 'string'
const flag: Guard<boolean> = (value): value is boolean => typeof value === 'boolean'
const list =
  <T>(guard: Guard<T>): Guard<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(guard)
const optional =
  <T>(guard: Guard<T>): Guard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || guard(value)
const fields = <S extends Shape>(shape: S): Guard<Shaped<S>> => {
  const entries = Object.entries(shape)
  return (value): value is Shaped<S> => isObject(value) && entries.every(([key, guard]) => guard(value[key]))
}
const parcel: Guard<Parcel> = isParcel
const before: Guard<Before> = list(integer)
const bytes: Guard<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array

type Shape = { readonly [key: string]: Guard<unknown> }
type Shaped<S> = { readonly [F in keyof S]: S[F] extends Guard<infer T> ? T : never }

const gap = { first: integer, last: integer }
const cause = fields({ name: text, message: text, stack: text })
const letters = { before, parcels: list(parcel) }
const engine: Guard<EngineName> = (value): value is EngineName => ENGINES.some((name) => name === value)

const cells: Guard<CellOptions> = (value): value is CellOptions =>
  isObject(value) &&
  integer(value['seed']) &&
  value['time'] === 'real' &&
  text(value['order']) &&
  flag(value['trace']) &&
  isObject(value['network']) &&
  list(text)(value['count'])

/** A note's fields, by its type. */
const NOTES = {
  // both ways: records that begin or end at the system
  letters,
  // from node 0: another node takes part
  come: { node: integer },
  // or no more
  gone: { node: integer },
  // its words of slots (see Words), and of the run
  words: { slots: list(list(number)), slotCount: integer, watching: integer },
  /** Its clock's zero, in milliseconds, and milliseconds per unit. */
  clock: { zero: number, scale: number },
  /** An incarnation begins; `sums` is what earlier incarnations of the slot counted. `path` is of a module of this project. */
  start: {
    slot: integer,
    incarnation: integer,
    address: text,
    path: text,
    engine,
    sums: list(number),
    heapMB: optional(number),
  },
  kill: { slot: integer },
  probe: { n: integer },
  /** Mail from the reader that did not arrive at node `at`. */
  lost: { at: integer, ...gap },
  // from a host
  started: { slot: integer, incarnation: integer, engine: text },
  failed: { slot: integer, incarnation: integer, cause },
  killed: { slot: integer },
  died: { slot: integer, incarnation: integer, cause },
  /** The answer to a probe: is nobody at work, how much mail was sent to and heard of living hosts, and the sums that changed. */
  state: { n: integer, isQuiet: flag, steps: number, sent: integer, heard: integer, sums: list(list(number)) },
  /** Mail of node `from` did not arrive. */
  missed: { from: integer, ...gap },
  /** The run cannot go on. */
  broken: { cause },
  /** The host takes part no more. */
  left: {},
} as const

type Notes = { readonly [K in keyof typeof NOTES]: { readonly type: K } & Shaped<(typeof NOTES)[K]> }
export type Note = Notes[keyof Notes]

const GUARDS = new Map<unknown, Guard<unknown>>(Object.entries(NOTES).map(([type, shape]) => [type, fields(shape)]))

const isNote = (value: unknown): value is Note => isObject(value) && (GUARDS.get(value['type'])?.(value) ?? false)

const FRAMES = {
  /** A note, or a part of one, from byte `at` of all notes on; `isLast` of its parts. */
  flow: fields({ at: integer, isLast: flag, bytes }),
  tally: fields({ sent: integer, heard: integer }),
  mail: fields({ n: integer, ...letters }),
  /** Milliseconds of the clock of node 0. */
  time: fields({ at: number }),
  /** To a host: will you have actors of this run? With all that a thread of theirs is given. */
  enlist: fields({
    digest: text,
    watchdogMs: patience,
    size: fields({
      slots: within(2, 16_384),
      definitionWords: within(1, 16_777_216),
      pages: within(1, 1_048_576),
      mailbox: within(1, INT_MAX),
    }),
    cells,
  }),
  /** The answer: its epoch, or why not. */
  enlisted: fields({ node: optional(integer), refused: optional(text) }),
}
export type Frames = { readonly [K in keyof typeof FRAMES]: (typeof FRAMES)[K] extends Guard<infer T> ? T : never }

/** Reads and writes what travels. Whatever is no such thing is undefined: who speaks here need not be one of us. */
export interface Packing {
  pack(value: unknown): Uint8Array
  note(bytes: Uint8Array): Note | undefined
  read<K extends keyof Frames>(kind: K, bytes: Uint8Array): Frames[K] | undefined
}

/** @throws UsageError if the package is not installed */
export async function packing(where: string): Promise<Packing> {
  const packr = await import('msgpackr/index-no-eval')
    .then(({ Packr }) => new Packr({ mapsAsObjects: true }))
    .catch(() => undefined)
  if (!packr) throw UsageError.requires(where, 'the package msgpackr (npm install)')
  const read = <T>(guard: Guard<T>, data: Uint8Array): T | undefined => {
    try {
      const value: unknown = packr.unpack(data)
      return guard(value) ? value : undefined
    } catch {
      return undefined
    }
  }
  // typed by key, so that a kind and its guard stay together
  const guards: { readonly [K in keyof Frames]: Guard<Frames[K]> } = FRAMES
  return {
    pack: (value) => packr.pack(value),
    note: (data) => read(isNote, data),
    read: (kind, data) => read(guards[kind], data),
  }
}
