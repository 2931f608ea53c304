/**
 * Reads the lines of a whole run for what its page tells: the protocol's own answer, bars, incidents and objects. The events of a
 * long run are cut off, but this is not.
 */
import { type Address, machineOf } from '../core/address.ts'
import { isMessage } from '../core/data.ts'
import { gridOf, isLeft } from '../core/table.ts'
import { sum } from '../core/tally.ts'
import type { Time } from '../core/time.ts'
import { FACTS_TIMELINE } from '../scenario/fact-counts.ts'
import type { ObjectRow, Objects, PageReader, Sentence } from '../scenario/page.ts'
import type { Timeline } from '../scenario/timeline.ts'
import type { Line } from '../trace/lines.ts'
import { Activity, type ModuleActivity } from './activity.ts'
import { aftermathOf } from './aftermath.ts'
import { Bars, type ShownBars } from './bars.ts'
import type { Texts } from './contents.ts'
import { endedBy, Incidents, incidentSentences } from './incidents.ts'
import { linked, type Names, NO_NAMES, type ShownSentence } from './links.ts'
import type { RunPictures } from './pictures.ts'
import { tilesOf } from './tiles.ts'
import type { PhaseColumns, ShownObjects, ShownRun } from './types.ts'

/** The default unit of time. */
const UNITS = 'units'

/** The limits of what is read of one run. */
export interface ReadingLimits {
  readonly bars: number
  /** Whether the last bars are kept, and not the first ones, and the page tells what came of each incident: a live page. */
  readonly isRecent?: boolean
  /** The most objects of one kind, and the most phases of their lives. */
  readonly objects: number
  readonly phases: number
}

/** What the page of a run tells besides its events. */
export interface Told
  extends ShownBars,
    Pick<ShownRun, 'story' | 'aftermath' | 'tiles' | 'unit' | 'incidents' | 'objects'> {
  /** The number of objects that did not fit. */
  readonly omittedObjects: number
}

export class Reading {
  readonly #page: PageReader
  readonly #bars: Bars
  readonly #incidents = new Incidents()
  readonly #activity = new Activity()
  readonly #actors = new Set<string>()
  readonly #limits: ReadingLimits
  #now: Time = 0
  #isOver: boolean
  /** The names that were known at the last telling. */
  #names: Names = NO_NAMES

  /** `isOver` says whether the run is over, and not only its lines so far. */
  constructor(page: PageReader, limits: ReadingLimits, isOver = true) {
    this.#page = page
    this.#limits = limits
    this.#isOver = isOver
    this.#bars = new Bars(timelineOf(page), limits.bars, limits.isRecent)
  }

  add(line: Line): void {
    const { t, who, at } = line
    if (typeof at === 'number') this.#now = Math.max(this.#now, at)
    this.#incidents.add(line)
    this.#activity.add(line)
    if (typeof who !== 'string' || typeof at !== 'number') return
    if (t === 'fact' && isMessage(line['fact'])) {
      this.#page.fold?.(line['fact'], who, at)
      this.#bars.fact(line['fact'], who, at)
    } else if (t === 'died') {
      this.#page.died?.(who, at)
      this.#bars.died(who, at)
    } else if (t === 'spawn') {
      this.#actors.add(who)
      this.#page.began?.(who, at)
      this.#bars.began(who, at)
    }
  }

  /** What an actor is at work on, such as `task 15`, as far as the timeline of its protocol says; '' for nothing. */
  doing(who: Address): string {
    return this.#bars.doing(who)
  }

  /** Since when actors and whole machines (`@m1`) are dead. */
  get deadSince(): ReadonlyMap<string, Time> {
    const dead = this.#incidents.all.filter(({ type, until }) => type === 'dead' && until === null)
    return new Map(dead.map(({ who, from }) => [who, from]))
  }

  /** Says whether the protocol has a timeline of its own: its bars are work, and not just the last facts. */
  get hasTimeline(): boolean {
    return this.#page.marks !== undefined && this.#page.rowOf !== undefined
  }

  /** What came to the actors of each module. */
  get modules(): ReadonlyMap<string, ModuleActivity> {
    return this.#activity.modules
  }

  /** The pictures that the page draws of the run; `name` distinguishes it from others. */
  pictures(name: string): RunPictures {
    return {
      name,
      pictures: this.#page.pictures?.(this.#now) ?? [],
      until: this.#now,
      unit: this.#page.unit ?? UNITS,
      incidents: this.#incidents.all,
      tones: this.#bars.tones,
    }
  }

  /** Says that the run of a live page is over. */
  end(): void {
    this.#isOver = true
  }

  /** A sentence whose names are links, if they were known at the last telling. */
  linked(sentence: Sentence): ShownSentence {
    return linked(sentence, this.#names)
  }

  /** What all of it would need, in the limits of a page. */
  get needs(): Omit<ReadingLimits, 'isRecent'> {
    const all = this.#page.objects?.(this.#now) ?? []
    const mostOf = (count: (one: Objects) => number): number => Math.max(0, ...all.map(count))
    return {
      bars: this.#bars.count,
      objects: mostOf(({ rows }) => rows.length),
      phases: mostOf(({ rows }) => sum(rows, ({ phases = [] }) => phases.length)),
    }
  }

  told(texts: Texts, { bars, objects: most, phases, isRecent = false }: ReadingLimits = this.#limits): Told {
    const all = this.#page.objects?.(this.#now) ?? []
    const names = namesOf(this.#actors, all)
    this.#names = names
    const incidents = this.#isOver ? endedBy(this.#incidents.all, this.#now) : this.#incidents.all
    const now = this.#isOver ? null : this.#now
    const story = [...incidentSentences(incidents, now), ...(this.#page.story?.(this.#now) ?? [])]
    return {
      ...this.#bars.shown(this.#now, texts, bars),
      story: story.map((sentence) => linked(sentence, names)),
      ...(isRecent &&
        incidents.length > 0 && {
          aftermath: aftermathOf(incidents, all, now).map((one) => one.map((sentence) => linked(sentence, names))),
        }),
      tiles: tilesOf(this.#page.tiles?.(this.#now) ?? []),
      unit: this.#page.unit ?? UNITS,
      incidents: incidents.map(({ type, who, from, until, error, other }) => ({
        type,
        who,
        from,
        other,
        error,
        length: until === null ? null : until - from,
      })),
      objects: all.map((one) => shownObjects(one, most, phases, texts)),
      omittedObjects: sum(all, ({ rows }) => Math.max(0, rows.length - most)),
    }
  }
}

/** The names of actors, their machines, and objects. */
const namesOf = (actors: ReadonlySet<string>, objects: readonly Objects[]): Names => ({
  actors,
  machines: new Set([...actors].map(machineOf)),
  objects: new Set(objects.flatMap(({ name, rows }) => rows.map(({ id }) => `${name} ${id}`))),
})

/** The timeline of a page. One that says nothing about its facts has a bar for each. */
function timelineOf(page: PageReader): Timeline {
  const { marks, rowOf, grid } = page
  if (!marks || !rowOf) return FACTS_TIMELINE
  return { marks: marks.bind(page), rowOf: rowOf.bind(page), grid }
}

function shownObjects({ name, columns, rows }: Objects, most: number, phases: number, texts: Texts): ShownObjects {
  const shown = rows.slice(0, most)
  const all = [{ name }, ...columns]
  const [head = [], ...cells] = gridOf({ columns: all, rows: shown.map(({ id, values }) => [id, ...values]) })
  return {
    name,
    head,
    left: all.map(isLeft),
    rows: cells,
    bad: shown.flatMap(({ isBad }, i) => (isBad ? [i] : [])),
    phases: phasesOf(shown, phases, texts),
  }
}

function phasesOf(rows: readonly ObjectRow[], most: number, texts: Texts): PhaseColumns {
  const all = rows.flatMap(({ phases = [] }, object) => phases.map((phase) => ({ ...phase, object }))).slice(0, most)
  return {
    object: all.map(({ object }) => object),
    from: all.map(({ from }) => from),
    length: all.map(({ from, until }) => until - from),
    label: all.map(({ label }) => texts.of(label)),
    tone: all.map(({ tone }) => texts.of(tone)),
  }
}
