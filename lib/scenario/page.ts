/**
 * What the page of a run says besides its events: an answer in sentences, numbers, and the objects that a protocol is about,
 * such as tasks. A protocol makes them from the facts that its actors observe.
 */
import type { Address } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import { type Column, figure, type Value } from '../core/table.ts'
import { type Time, toUnits } from '../core/time.ts'
import type { Timeline } from './timeline.ts'

/**
 * A place in a run: an instant, an actor or a machine (`@m1`), at an instant if there is one, or an object such as `task 15`. Of several
 * events of an actor at one instant, `handles` says which one is meant: `write from client@c1`.
 */
export type Link =
  | { readonly at: Time }
  | { readonly actor: Address; readonly at?: Time; readonly handles?: string }
  | { readonly object: string }

/** A part of a sentence that leads to its place in the run. */
export interface Noun {
  readonly text: string
  readonly to: Link
}

/** A part of a sentence about several runs that leads into one of them. */
export interface RunNoun {
  readonly text: string
  /** The name of the run. */
  readonly run: string
  /** The place in the run; default: the run as a whole. */
  readonly to?: Link
}

/**
 * A sentence. In plain text, the names of objects (`task 15`), actors and machines lead to their places by themselves; an instant
 * needs `time`.
 */
export type Sentence = string | readonly (string | Noun | RunNoun)[]

/** An instant in a sentence, in units. */
export const time = (at: Time, digits = 2): Noun => ({ text: figure(toUnits(at), digits), to: { at } })

/** A number or a name of one of several runs, which leads into it. */
export const ofRun = (run: string, text: string | number, to?: Link): RunNoun => ({
  run,
  text: String(text),
  ...(to && { to }),
})

/** The time between two instants in units: the difference of the numbers that `time` writes. */
export const timeBetween = (from: Time, until: Time, digits = 2): string => {
  const [begin, end] = [from, until].map((at) => Number(toUnits(at).toFixed(digits)))
  return figure((end ?? 0) - (begin ?? 0), digits)
}

/** Makes a sentence from a template: `` say`task 3 began at ${time(at)}` ``. */
export const say = (
  texts: TemplateStringsArray,
  ...parts: readonly (string | number | Noun | RunNoun | Sentence)[]
): Sentence =>
  texts
    .flatMap((text, i) => {
      const part = parts[i] ?? ''
      if (typeof part !== 'object') return [text, String(part)]
      return 'text' in part ? [text, part] : [text, ...part]
    })
    .filter((part) => part !== '')

/** A part of a whole in words: `all 200`, or `199 of 200`. */
export const outOf = (part: number, all: number): string => (part === all ? `all ${all}` : `${part} of ${all}`)

/** Parts of a sentence as a list: `A, B and C`. */
export const listOf = (parts: readonly Sentence[]): Sentence =>
  parts.flatMap((part, i) => {
    const before = i === 0 ? [] : [i < parts.length - 1 ? ', ' : ' and ']
    return [...before, ...(typeof part === 'string' ? [part] : part)]
  })

/** A list of names, of which at most `most` are written out. */
export function few(names: readonly string[], most = 3): string {
  const rest = names.length - most
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ')
}

/** A sentence as plain text. */
export const textOf = (sentence: Sentence): string =>
  typeof sentence === 'string'
    ? sentence
    : sentence.map((part) => (typeof part === 'string' ? part : part.text)).join('')

/** A number at the top of a page. */
export interface Tile {
  readonly label: string
  /** The number, or a word; null if there is none. */
  readonly value: Value
  readonly unit?: string
  /** The number of decimals (default: up to six significant digits). */
  readonly digits?: number
  /** Whether a smaller number is better, or a greater one: colours the difference to a run without faults. */
  readonly better?: 'less' | 'more'
}

/** The objects of one kind, such as all tasks. Messages and facts name an object in their field `task` or `job`. */
export interface Objects {
  /** The word for one object: `task`. Together with an id it is the object's name: `task 15`. */
  readonly name: string
  /** The columns after the id. */
  readonly columns: readonly Column[]
  readonly rows: readonly ObjectRow[]
}

/** One object. */
export interface ObjectRow {
  readonly id: string | number
  /** A value for each column. */
  readonly values: readonly Value[]
  /** Whether something is wrong with it. */
  readonly isBad?: boolean
  /** Whether it came to an end; where that is not said, a page does not tell when it was over. */
  readonly isOver?: boolean
  /** Its life, in order. */
  readonly phases?: readonly ObjectPhase[]
}

/** A part of an object's life, such as its execution. */
export interface ObjectPhase {
  readonly label: string
  readonly from: Time
  readonly until: Time
  /** The tone decides the colour, as in the timeline. */
  readonly tone: string
}

/** A picture of a run that answers its question: series of points over two axes. */
export interface Picture {
  readonly title: string
  /** The x axis. Default: the time of the run; the x of each point is a time then, and the page marks the faults. */
  readonly x?: PictureAxis
  readonly y: PictureAxis
  readonly series: readonly PictureSeries[]
  /** A sentence below it, such as one about what has no place in it. */
  readonly note?: string
  /** Whether several runs of a command share one picture. By default, each has its own, all on one scale. */
  readonly isShared?: boolean
}

/** An axis of a picture. */
export interface PictureAxis {
  readonly label: string
  /** The unit of the numbers, such as `dollars`. */
  readonly unit?: string
  /** The axis begins here or lower. */
  readonly min?: number
  /** The axis ends here or higher. */
  readonly max?: number
  /** Whether the axis is logarithmic (default false). It has no place for points that are not > 0. */
  readonly log?: boolean
}

/** Points of a picture that belong together. */
export interface PictureSeries {
  readonly name: string
  /**
   * How the points are drawn: joined by a straight line; by steps, so that each value holds until the next point; as an area of
   * steps on top of the areas before it, which have points at the same x; as dots; or joined by a thin dashed line, as a
   * reference that others are compared with.
   */
  readonly shape: 'line' | 'steps' | 'area' | 'dots' | 'reference'
  readonly points: readonly PicturePoint[]
  /** The tone decides the colour, as in the timeline (default: the name of the series). */
  readonly tone?: string
}

/** A point of a series of a picture. A page leaves out points that are not finite, and says how many. */
export interface PicturePoint {
  readonly x: number
  readonly y: number
  /** What a dot stands for, such as `task 15`. */
  readonly name?: string
  /** The place in the run that a dot leads to. */
  readonly to?: Link
}

/**
 * Reads the facts and deaths of one run, in their order, and says what its page shows. A reader that has `marks` and `rowOf` draws
 * a timeline; without them, each fact begins a bar of its actor.
 */
export interface PageReader extends Partial<Timeline> {
  /** The unit of model time, such as `ms` (default `units`). */
  readonly unit?: string
  /** Hears a fact that an actor observed, before `marks` does. */
  fold?(fact: Message, who: Address, at: Time): void
  /** Hears of a death. */
  died?(who: Address, at: Time): void
  /** Hears that an actor began, or began again after a death. */
  began?(who: Address, at: Time): void
  /** What happened and what it cost, in a few sentences. The page tells of deaths and faults by itself. */
  story?(now: Time): readonly Sentence[]
  /** The numbers that matter most, about five. */
  tiles?(now: Time): readonly Tile[]
  /** The pictures that answer the question of the run. A live page has none. */
  pictures?(now: Time): readonly Picture[]
  /** The objects of each kind. */
  objects?(now: Time): readonly Objects[]
}
