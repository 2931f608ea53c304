/**
 * What a report page is made of: one JSON document, which the page's own script reads. A run of 100,000 events has to fit
 * into 5 MB, so texts stand in one table and are named by their places, and what there is much of stands in columns.
 */
import type { Plain } from '../core/data.ts'

export type Report = {
  readonly scenario: string
  readonly summary: string
  /** That shows the same again. */
  readonly command: string
  readonly version: string
  /** The options with their values, given or by default. */
  readonly options: readonly (readonly [name: string, text: string])[]
  readonly checks: readonly ShownCheck[]
  /** The results as the command prints them. */
  readonly text: string
  readonly tables: readonly ShownTable[]
  readonly charts: readonly ShownChart[]
  readonly runs: readonly ShownRun[]
  /** Runs of the command that are not here. */
  readonly omitted: number
  /** It is of a run that goes on, which its server tells of (see lib/live). */
  readonly isLive?: boolean
}

export type ShownCheck = {
  readonly name: string
  readonly ok: boolean
  readonly measured: string
  readonly expected: string
}

export type ShownTable = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Which columns are texts. */
  readonly left: readonly boolean[]
  readonly notes: readonly string[]
}

export type ShownChart = {
  readonly title: string
  /** In words, for who does not see it. */
  readonly says: string
  /** A document. */
  readonly svg: string
}

/** A place in `ShownRun.texts`. */
export type TextIndex = number
/** An event is a step of an actor, or something that the system did; they are numbered in the order of the trace. */
export type EventIndex = number
/** 0 is the system, then actors in spawn order. */
export type LaneIndex = number

export type ShownRun = {
  /** What tells it from the others; '' if there is one. */
  readonly name: string
  /** The event that is selected at first; -1: none is. */
  readonly focus: EventIndex
  /** What the page leaves out of the run, a sentence each. */
  readonly omissions: readonly string[]
  /** The first is ''. */
  readonly texts: readonly string[]
  /** The last instant shown, in millionths of a unit. */
  readonly until: number
  readonly lanes: readonly Lane[]
  readonly events: EventColumns
  readonly sends: SendColumns
  readonly contents: Contents
  readonly rows: readonly string[]
  readonly bars: BarColumns
  /** The grid that bars with areas lie on; null if no bar has an area. */
  readonly grid: ShownGrid | null
  readonly machines: readonly ShownMachine[]
}

export type Lane = {
  readonly name: string
  /** In `machines`; null: none is known. */
  readonly machine: number | null
}

/** What an event may be, by its number in `EventColumns.kind`. */
export const KINDS = [
  ...['start', 'mail', 'timer', 'spawn', 'begin', 'died', 'fault', 'gave up'],
  ...['computed', 'send', 'answer'],
] as const
export type Kind = (typeof KINDS)[number]

/** What became of an event beside what it sent, as bits of `EventColumns.flags`. */
export const UNHANDLED = 1
export const CRASHED = 2
export const STOPPED = 4

/** A value for each event. */
export type EventColumns = {
  readonly lane: readonly LaneIndex[]
  /** How much later than the event before. */
  readonly later: readonly number[]
  readonly kind: readonly number[]
  /** The id of a timer, or the name of an event of the system; mail is named by its message. */
  readonly what: readonly TextIndex[]
  /** The states of the statechart after it. */
  readonly state: readonly TextIndex[]
  /** How many messages it sent: the next ones in `SendColumns`. */
  readonly sends: readonly number[]
  /** Pairs, for those that have any. */
  readonly flags: readonly (EventIndex | number)[]
  /** Triples for events with a cause that is no message, and those of the system that are about an actor; -1 and 0: none. */
  readonly links: readonly (EventIndex | LaneIndex)[]
  /** Pairs: what a step said when it crashed. */
  readonly remarks: readonly (EventIndex | TextIndex)[]
  /** Pairs of an event and a fact that an actor observed in it, among the contents. */
  readonly facts: readonly number[]
}

/** A value for each message to one recipient. */
export type SendColumns = {
  readonly to: readonly LaneIndex[]
  readonly type: readonly TextIndex[]
  /** The task or job that it is about. */
  readonly topic: readonly TextIndex[]
  /** How long after the sending it is due; -1: it was lost on the way out. */
  readonly way: readonly number[]
  /** How many events later it is handled (an answer may stand before its sender); 0: never, or not within what is shown. */
  readonly handled: readonly number[]
  /** Pairs of a dead letter and why it is one. */
  readonly lost: readonly (number | TextIndex)[]
  /** In `Contents`; -1: left out. */
  readonly content: readonly number[]
}

/** Messages: the names of their fields stand once for all that have the same. */
export type Contents = {
  readonly shapes: readonly (readonly string[])[]
  /** The shape, then a value for each of its fields. */
  readonly values: readonly (readonly [shape: number, ...values: Plain[]])[]
}

export type ShownGrid = GridNames & {
  readonly rows: number
  readonly columns: number
}

/** The words of a protocol family for its grid. */
export type GridNames = {
  /** The name of the grid in the title of its picture. */
  readonly name: string
  /** The description of the grid while nothing lies on it. */
  readonly vacant: string
  /** The beginning of row names that the labels of areas leave out. */
  readonly prefix: string
}

/** A value for each bar of the timeline, in the order of their ends. */
export type BarColumns = {
  readonly row: readonly number[]
  readonly from: readonly number[]
  readonly length: readonly number[]
  readonly label: readonly TextIndex[]
  /** What bars of one colour have in common. */
  readonly tone: readonly TextIndex[]
  /** Four numbers for each bar of a run with a grid: row, column, rows, columns. */
  readonly area: readonly number[]
}

export type ShownMachine = {
  readonly module: string
  readonly states: readonly ShownState[]
  /** Steps that changed the state: from one state by an event to another, places of leaves, and how often. */
  readonly moves: readonly (readonly [from: number, event: string, to: number, count: number])[]
  /** Defined and never met in this run. */
  readonly missing: readonly string[]
  /** Met and taken by no transition. */
  readonly unhandled: readonly string[]
}

/** In the order of the definition, the outer before the inner. */
export type ShownState = {
  /** `trading.busy`; '' is the machine. */
  readonly path: string
  /** Its place among the states; -1 of the machine. */
  readonly parent: number
  readonly isInitial: boolean
  readonly isFinal: boolean
  readonly transitions: readonly ShownTransition[]
}

export type ShownTransition = {
  /** '' is one that waits for nothing. */
  readonly event: string
  /** Places of states, each once; none: it stays where it is. */
  readonly targets: readonly number[]
  /** How often the event came in this state, or one within it that has no such transition of its own; null of what waits for nothing. */
  readonly visits: number | null
}
