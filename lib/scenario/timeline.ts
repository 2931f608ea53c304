/** A timeline: bars over time, made from facts that actors observe. Each protocol defines what its facts mean. */
import type { Address } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'

/** A rectangle of a grid. */
export interface Area {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

/** The look of a bar; bars of one tone have one colour. */
export interface BarLook {
  readonly label: string
  readonly tone: string
  /** The name of the object that the bar is about, such as `task 15`. */
  readonly object?: string
  readonly area?: Area
}

/** The meaning of a fact. A row has at most one open bar: a bar that begins ends the one before. */
export type Mark =
  | ({ readonly type: 'begins'; readonly row: string } & BarLook)
  /** The open bar ends; `tone` replaces its tone, if the ending decides about it. */
  | { readonly type: 'ends'; readonly row: string; readonly tone?: string }
  /** A whole bar from `from` to `until` (default now). */
  | ({ readonly type: 'was'; readonly row: string; readonly from: Time; readonly until?: Time } & BarLook)

/** Reads the facts of one run, in their order. */
export interface Timeline {
  marks(fact: Message, who: Address, at: Time): readonly Mark[]
  /** The row of an actor. Its death ends the open bar there, and the row is empty until its next incarnation. */
  rowOf(who: Address): string | undefined
  /** The names of the grid that the areas of its marks lie on. Areas are drawn only if this is present. */
  readonly grid?: GridNames | undefined
}

/** The words of a protocol family for its grid. */
export type GridNames = {
  /** The name of the grid in the title of its picture. */
  readonly name: string
  /** The description of the grid while nothing lies on it. */
  readonly vacant: string
  /** The beginning of row names that the labels of areas leave out. */
  readonly prefix: string
  /** The tone of an area whose owner is still moving there. A page opens at a moment with few of them. */
  readonly moving?: string
}
