/**
 * The data of a report page: one JSON document, which the page's own script reads. A run of 100,000 events has to fit into
 * 5 MB, so texts are in one table and referred to by their places, and events, messages and bars are stored as columns.
 */
import type { Plain } from '../core/data.ts'
import type { Tones } from '../core/table.ts'
import type { GridNames } from '../scenario/timeline.ts'
import type { Ink } from './inks.ts'
import type { ShownSentence } from './links.ts'

/** All that a page shows: the front is in its HTML, and the script of the page reads the runs. */
export type Report = Front & Runs

/** The front of a page: the answer, which can be read without the script. */
export type Front = {
  readonly scenario: string
  readonly summary: string
  /** The command that makes this report again. */
  readonly command: string
  readonly version: string
  /** The options with their values, given or by default. */
  readonly options: readonly (readonly [name: string, text: string])[]
  /** The claims of a paper and what became of them. */
  readonly claims: readonly ShownClaim[]
  /** How many values agree; absent if none can be judged. */
  readonly values?: ShownAgreement
  readonly story: readonly ShownSentence[]
  /** The answers of several runs, each with the name of its run; absent if the command has one answer. */
  readonly stories?: readonly RunStory[]
  /** The numbers of several runs side by side; absent if there is one run. */
  readonly beside?: ShownTable
  readonly tiles: readonly ShownTile[]
  readonly pictures: readonly ShownPicture[]
  /** How busy the runs were; absent on pages that do not draw their runs, and on live ones. */
  readonly load?: ShownLoad
  readonly checks: readonly ShownCheck[]
  /** The promises that are asked only at the end, on a page that was saved before; absent if the run is over. */
  readonly askedAtEnd?: readonly string[]
  readonly tables: readonly ShownTable[]
  readonly charts: readonly ShownChart[]
  /** The results that are in no table, as the command prints them. */
  readonly text: string
}

/** The number of values that can be judged, and of those that agree with what they are compared with. */
export type ShownAgreement = {
  readonly judged: number
  readonly agree: number
  /** What they are compared with, such as `the paper`. */
  readonly with: string
}

/** What one of several runs tells. Its links lead into this run. */
export type RunStory = {
  readonly name: string
  readonly story: readonly ShownSentence[]
  /** The command that repeats this run; absent if that of the page does. */
  readonly repeat?: string
}

/** The runs of a page, as its script reads them. */
export type Runs = {
  readonly runs: readonly ShownRun[]
  /** The number of runs of the command that are left out. */
  readonly omitted: number
  /** Runs that are shown side by side, each pair at a time; absent if the page shows two runs together, and more one by one. */
  readonly pairs?: readonly ShownPair[]
  /** Whether this is a live page, whose server sends the run while it goes on (see lib/live). */
  readonly isLive?: boolean
}

/** Runs to compare, by their places. */
export type ShownPair = {
  readonly name: string
  readonly runs: readonly number[]
}

export type ShownCheck = {
  readonly name: string
  readonly ok: boolean
  readonly measured: ShownSentence
  readonly expected: string
  /** Where the check failed, a sentence each. */
  readonly evidence: readonly ShownSentence[]
  /** The command that repeats the failure; '' if it is that of the page. */
  readonly repeat: string
}

/** A claim of a paper, compared with our numbers. */
export type ShownClaim = {
  readonly says: string
  readonly ours: string
  /** Whether it holds; `open` if these runs cannot tell. */
  readonly verdict: 'holds' | 'fails' | 'open'
  /** The verdict in words, such as `corrected`. */
  readonly word: string
  /** What is known for or against it; '' for nothing. */
  readonly remark: string
}

/** A number at the top of a page. */
export type ShownTile = {
  readonly label: string
  readonly value: string
  readonly unit: string
  /** The number as such; null if it is none. */
  readonly amount: number | null
  readonly better: 'less' | 'more' | null
  /** The same number without faults; '' if it is not known. */
  readonly without: string
  /** How the number differs from that without faults. */
  readonly change: 'better' | 'worse' | 'other' | 'same'
}

/** A picture that answers the question of the runs: one for each of them, or one for all. */
export type ShownPicture = {
  readonly title: string
  /** The series with their colours; empty if there is only one. */
  readonly legend: readonly { readonly name: string; readonly ink: Ink }[]
  readonly panels: readonly {
    /** The name of the run; '' if it is the only one. */
    readonly name: string
    /** An SVG element, which has no text that is not escaped. */
    readonly svg: string
  }[]
  /** Sentences about what it leaves out. */
  readonly notes: readonly string[]
}

/** Pictures of the load of runs over time, which every protocol has. */
export type ShownLoad = {
  readonly pictures: readonly ShownPicture[]
  /** Whether they are open at first: there are no others. */
  readonly isOpen: boolean
  /** Sentences about what they leave out. */
  readonly notes: readonly string[]
}

export type ShownTable = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Whether each column is aligned to the left, as texts are. */
  readonly left: readonly boolean[]
  /** The tones of the words of each column. */
  readonly tones?: readonly Tones[]
  readonly notes: readonly string[]
}

export type ShownChart = ShownImage | ShownPlot

/** A picture as an SVG document. */
export type ShownImage = {
  readonly title: string
  /** The description of the picture for readers who cannot see it. */
  readonly says: string
  readonly svg: string
}

/** A chart, drawn for wide and for narrow screens, with its values. */
export type ShownPlot = {
  readonly title: string
  readonly wide: string
  readonly narrow: string
  readonly values: ShownTable
}

/** A place in `ShownRun.texts`. */
export type TextIndex = number
/** The number of an event in the order of the trace. An event is a step of an actor or an act of the system. */
export type EventIndex = number
/** The number of a lane: 0 is the system, then actors in spawn order. */
export type LaneIndex = number

export type ShownRun = {
  /** The name that distinguishes it from other runs; '' if it is the only one. */
  readonly name: string
  /** The event that is selected at first; -1 for none. */
  readonly focus: EventIndex
  /** What happened and what it cost, of the whole run. */
  readonly story: readonly ShownSentence[]
  /** What came of each of the last incidents, on a live page. */
  readonly aftermath?: readonly (readonly ShownSentence[])[]
  readonly tiles: readonly ShownTile[]
  /** The unit of time. */
  readonly unit: string
  /** Whether the run went on when its page was saved; absent if it was over. */
  readonly isUnfinished?: boolean
  /** Sentences about parts of the run that the page leaves out. */
  readonly omissions: readonly string[]
  /** The table of texts; the first is ''. */
  readonly texts: readonly string[]
  /** The end of the run, in millionths of a unit; `seen` is the end of the events that the page has. */
  readonly until: number
  readonly seen: number
  /** The number of events after those that the page has. */
  readonly beyond: number
  /** Where the shown events begin, if the page has the last ones; absent if it has the first ones. */
  readonly window?: ShownWindow | undefined
  /** The types of messages with a colour of their own, if the page does not choose them; see `coloredTypes`. */
  readonly colored?: readonly TextIndex[]
  readonly lanes: readonly Lane[]
  readonly events: EventColumns
  readonly sends: SendColumns
  readonly contents: Contents
  readonly rows: readonly string[]
  readonly bars: BarColumns
  /** The parts of rows whose bars did not fit on the page. */
  readonly gaps: readonly RowGap[]
  /** The grid that bars with areas lie on; null if no bar has an area. */
  readonly grid: ShownGrid | null
  readonly machines: readonly ShownMachine[]
  readonly incidents: readonly ShownIncident[]
  readonly objects: readonly ShownObjects[]
}

/** How the last events of a run begin. */
export type ShownWindow = {
  /** The number of events before the window. */
  readonly dropped: number
  /** The number of those that are shown all the same, before the window: the beginnings of actors, and the steps that led to their states. */
  readonly standing: number
}

/** A fault and the time that it lasted (see lib/report/incidents.ts). */
export type ShownIncident = {
  readonly type: 'dead' | 'paused' | 'cut off' | 'slow links' | 'slow disk' | 'wrong clock'
  readonly who: string
  readonly other: string
  readonly from: number
  /** How long it lasted; null if it lasted to the end of the run. */
  readonly length: number | null
  readonly error: string
}

/** The objects of one kind. */
export type ShownObjects = {
  readonly name: string
  readonly head: readonly string[]
  readonly left: readonly boolean[]
  /** The cells of each object; the first is its id. */
  readonly rows: readonly (readonly string[])[]
  /** The places of those with which something is wrong. */
  readonly bad: readonly number[]
  readonly phases: PhaseColumns
}

/** A value for each phase of an object's life, in order. */
export type PhaseColumns = {
  /** The place of the object among the rows. */
  readonly object: readonly number[]
  readonly from: readonly number[]
  readonly length: readonly number[]
  readonly label: readonly TextIndex[]
  readonly tone: readonly TextIndex[]
}

export type Lane = {
  readonly name: string
  /** The actor's place in `machines`; null if its machine is unknown. */
  readonly machine: number | null
}

/** The kinds of events, by their numbers in `EventColumns.kind`. */
export const KINDS = [
  ...['start', 'mail', 'timer', 'spawn', 'begin', 'died', 'fault', 'gave up'],
  ...['computed', 'send', 'answer', 'ended'],
] as const
export type Kind = (typeof KINDS)[number]

/** Outcomes of an event other than messages, as bits of `EventColumns.flags`. */
export const UNHANDLED = 1
export const CRASHED = 2
export const STOPPED = 4
export const BROKE = 8

/** The columns of events: a value for each event, unless stated otherwise. */
export type EventColumns = {
  readonly lane: readonly LaneIndex[]
  /** The time since the event before. */
  readonly later: readonly number[]
  readonly kind: readonly number[]
  /** The id of a timer, or the name of an event of the system; mail is named by its message. */
  readonly what: readonly TextIndex[]
  /** The states of the statechart after the event. */
  readonly state: readonly TextIndex[]
  /** The number of messages that it sent; they are the next ones in `SendColumns`. */
  readonly sends: readonly number[]
  /** Pairs of an event and its flags, for events with flags. */
  readonly flags: readonly (EventIndex | number)[]
  /**
   * Triples of an event, the actor's lane that it is about (0 for none), and a cause that is no message (-1 for none). The cause of
   * a timer is the step that handled the mail because of which it was set.
   */
  readonly links: readonly (EventIndex | LaneIndex)[]
  /** Four numbers for each state that a conversation entered: the event, the child chart, the key, and the path of the state. */
  readonly entered: readonly (EventIndex | TextIndex)[]
  /** Pairs of an event and the message of its crash, or the promises that it broke. */
  readonly remarks: readonly (EventIndex | TextIndex)[]
  /** Pairs of an event and a fact that an actor observed in it, among the contents. */
  readonly facts: readonly number[]
}

/** The columns of messages: a value for each message to one recipient, unless stated otherwise. */
export type SendColumns = {
  readonly to: readonly LaneIndex[]
  readonly type: readonly TextIndex[]
  /** The task or job that the message is about. */
  readonly topic: readonly TextIndex[]
  /** The time from sending until it is due; -1 if it was lost before it left. */
  readonly way: readonly number[]
  /** The number of events from the sender to the handler (negative for some answers); 0 if no shown event handles it. */
  readonly handled: readonly number[]
  /** Pairs of a dead letter and its reason. */
  readonly lost: readonly (number | TextIndex)[]
  /** The place of its contents in `Contents`; -1 if they are left out. */
  readonly content: readonly number[]
}

/** The contents of messages and facts. Those with the same field names share one shape. */
export type Contents = {
  readonly shapes: readonly (readonly string[])[]
  /** For each message, its shape and then a value for each field. */
  readonly values: readonly (readonly [shape: number, ...values: Plain[]])[]
}

export type ShownGrid = GridNames & {
  readonly rows: number
  readonly columns: number
  /** The number of the last bars: those that go on at the end of the run. */
  readonly open: number
}

/** A value for each bar of the timeline, in the order of their ends. */
export type BarColumns = {
  readonly row: readonly number[]
  readonly from: readonly number[]
  readonly length: readonly number[]
  readonly label: readonly TextIndex[]
  /** The tone of each bar, which decides its colour. */
  readonly tone: readonly TextIndex[]
  /** The name of the object that each bar is about; '' for none. */
  readonly object: readonly TextIndex[]
  /** Four numbers for each bar of a run with a grid: row, column, rows, columns. */
  readonly area: readonly number[]
}

/** A part of a row whose bars are left out. */
export type RowGap = { readonly row: number; readonly from: number; readonly length: number }

/** The statechart of a module. Its counts are those of the whole run, also if the page has not all of its events. */
export type ShownMachine = {
  readonly module: string
  readonly states: readonly ShownState[]
  /** Steps that changed the state: places of the two innermost states, the event between them, and the count. */
  readonly moves: readonly (readonly [from: number, event: string, to: number, count: number])[]
  /** Events that the machine defines and that never came in this run. */
  readonly missing: readonly string[]
  /** Events that came and that no transition took. */
  readonly unhandled: readonly string[]
  /**
   * Its child charts, whose `module` is the name of the chart. Which events come to conversations is not known: `missing` are
   * the states that none entered.
   */
  readonly charts: readonly ShownMachine[]
}

/** A state. States are in the order of the definition, outer before inner. */
export type ShownState = {
  /** The path of the state, such as `trading.busy`; '' is the root. */
  readonly path: string
  /** The place of the parent among the states; -1 for the root. */
  readonly parent: number
  readonly isInitial: boolean
  readonly isFinal: boolean
  readonly transitions: readonly ShownTransition[]
}

export type ShownTransition = {
  /** The event; '' for a transition that needs no event. */
  readonly event: string
  /** The places of the target states, each once; empty if the state stays the same. */
  readonly targets: readonly number[]
  /**
   * The number of times that the event came in this state or within it, where no inner state handles it; null without event,
   * and in child charts.
   */
  readonly visits: number | null
}
