/** The last events of a trace, for a page that shows a run as it goes on. */
import { beginsStep, type Line } from '../trace/lines.ts'
import { isEvent, type Prefix } from './prefix.ts'

/** The window is cut when it has this multiple of its events. In between it only grows, and a viewer gets only what is new. */
const SLACK = 1.25

/** What the window keeps of an actor from the time before it. */
interface Standing {
  readonly spawn: Line
  begin?: Line
  start?: Line
  /** The last step that changed the state, with its state. */
  changed?: readonly [step: Line, state: Line]
  /** The beginning of the last step. */
  step?: Line
  /** Its death. */
  end?: Line
}

/**
 * Takes all lines, and keeps those of the last `most` events. Of each present actor it also keeps its beginning, the step
 * that led to its state, and its death, so that the window shows all actors in their states.
 */
export class Window {
  readonly #most: number
  readonly #head: Line[] = []
  /** The actors at the beginning of the window, by address. */
  readonly #standing = new Map<string, Standing>()
  #lines: Line[] = []
  /** The number of events in the window. */
  #count = 0
  #events = 0
  #until = 0
  #isCut = false

  constructor(most: number) {
    this.#most = most
  }

  add(line: Line): void {
    if (typeof line['at'] === 'number') this.#until = line['at']
    if (line.t === 'truncated') this.#isCut = true
    else if (line.t === 'trace') this.#head.push(line)
    else {
      if (isEvent(line)) {
        if (this.#count >= this.#most * SLACK) this.#cut()
        this.#count++
        this.#events++
      }
      this.#lines.push(line)
    }
  }

  /** The lines of the window as they are now, after those that say how it begins. */
  get prefix(): Prefix {
    const dropped = this.#events - this.#count
    const standing = dropped > 0 ? this.#standingLines() : []
    return {
      lines: [...this.#head, ...standing, ...this.#lines],
      events: this.#events,
      shown: this.#count,
      need: this.#count,
      until: this.#until,
      isCut: this.#isCut,
      ...(dropped > 0 && { window: { dropped, standing: standing.filter(isEvent).length } }),
    }
  }

  /** Leaves the last `most` events, and folds those before them into what stands. */
  #cut(): void {
    let place = 0
    while (this.#count > this.#most || !isEvent(this.#lines[place] ?? END)) {
      const line = this.#lines[place++]
      if (!line) break
      if (isEvent(line)) this.#count--
      this.#fold(line)
    }
    this.#lines = this.#lines.slice(place)
  }

  #fold(line: Line): void {
    const who = String(line['who'])
    if (line.t === 'spawn') this.#standing.set(who, { spawn: line })
    const actor = this.#standing.get(who)
    if (!actor) return
    if (line.t === 'begin') actor.begin = line
    if (line.t === 'start') actor.start = line
    if (beginsStep(line)) actor.step = line
    if (line.t === 'state' && actor.step) actor.changed = [actor.step, line]
    if (line.t === 'died') actor.end = line
    // a later incarnation has a line `spawn` of its own
    if (line.t === 'stopped' || line.t === 'ended') this.#standing.delete(who)
  }

  /** What stands, in the order of time; at one instant beginnings come first. */
  #standingLines(): readonly Line[] {
    const groups = [...this.#standing.values()].flatMap(({ spawn, begin, start, changed, end }) => {
      const isStart = changed !== undefined && changed[0] === start
      return [
        [spawn],
        ...(begin ? [[begin]] : []),
        ...(start ? [isStart ? changed : [start]] : []),
        ...(changed && !isStart ? [changed] : []),
        ...(end ? [[end]] : []),
      ].map((lines, rank) => ({ lines, rank, at: Number(lines[0]?.['at']) }))
    })
    return groups.sort((a, b) => a.at - b.at || a.rank - b.rank).flatMap(({ lines }) => lines)
  }
}

/** Stands for the end of the lines. */
const END: Line = { t: 'start' }
