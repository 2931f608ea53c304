/** All actors in the calling thread, in virtual time: for exploring and for tests. The rounds are those of threads. */

import { setImmediate } from 'node:timers/promises'
import { leaveStep } from '../actor/step-context.ts'
import { ActorCell, type CellOptions } from '../cell/actor-cell.ts'
import { END_NONE, type Rounds } from '../clock/lockstep.ts'
import { type Address, SYSTEM } from '../core/address.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import type { Board } from '../memory/layout.ts'
import type { Mail } from '../memory/mail.ts'
import { bundle } from './bundle.ts'
import { engineOf } from './engine-cache.ts'
import { meterOf } from './meter.ts'
import { actAs, beginReporting, endReporting } from './rejections.ts'
import type { Runtime, SpawnSpec } from './runtime.ts'
import { requirePurity } from './step-purity.ts'
import { timeLimited } from './time-limit.ts'

/** Thrown when a step goes on for longer than it may. Inline all actors share one thread, so the run cannot go on without the actor. */
export class EndlessStep extends BourseError {
  override readonly name = 'EndlessStep'

  /** `doing` says what the actor did in the step. */
  constructor(who: Address, doing: string, watchdogMs: number) {
    super('BOURSE_ENDLESS_STEP', `a step of ${who} took longer than ${watchdogMs} ms (option watchdogMs): it ${doing}`)
  }
}

interface Seat {
  readonly address: Address
  readonly cell: ActorCell<object>
}

/** The number of rounds between two turns of the event loop, which handles Ctrl-C. */
const ROUNDS_PER_TICK = 512
/** After so many turns of actors the rest is watched anew: they take a small part of the time that a step may take. */
const TURNS_WATCHED = 512

export interface InlineOptions extends CellOptions {
  /** The time that a step may take before the run fails, in ms; null: a step that goes on for ever blocks the process. */
  readonly watchdogMs: number | null
}

export class InlineRuntime implements Runtime {
  readonly #mail: Mail
  readonly #board: Board
  readonly #rounds: Rounds
  readonly #options: InlineOptions
  /** The memory of the measures, with option `metrics`. */
  readonly #metrics: ArrayBufferLike | undefined
  /** The actors by slot. */
  readonly #seats: (Seat | undefined)[] = []
  /** Gives the clocks of the process back. */
  readonly #release: () => void
  #stopped = false
  #led = 0
  /** The actor that acts, or acted last. */
  #acting: Seat | undefined

  constructor(mail: Mail, rounds: Rounds, options: InlineOptions, metrics?: ArrayBufferLike) {
    this.#mail = mail
    this.#board = mail.board
    this.#rounds = rounds
    this.#options = options
    this.#metrics = metrics
    beginReporting()
    this.#release = options.impure === true ? () => {} : requirePurity()
  }

  async start(spec: SpawnSpec): Promise<string> {
    const engine = await engineOf(spec.module, spec.engine, this.#options.strict).catch(async (error: unknown) => {
      await bundle(spec.module) // a module that cannot be linked fails with the words that threads have for it
      throw error
    })
    const meter = meterOf(this.#metrics, this.#board.size.slots, spec.slot, 'inline')
    const cell = new ActorCell(this.#mail, engine, spec, this.#options, meter)
    this.#seats[spec.slot] = { address: spec.address, cell }
    return engine.name
  }

  async kill(slot: number): Promise<void> {
    this.#seats[slot] = undefined
  }

  readonly runsDuringTurns = false

  settleDeath(): void {}

  open(): void {}

  request(): void {
    this.#board.set(this.#board.request, 1)
  }

  get now(): Time {
    return this.#rounds.current.now
  }

  get subround(): number {
    return this.#rounds.current.subround
  }

  advance(instant: Time): void {
    this.#rounds.advance(instant)
  }

  get quiet(): boolean {
    return this.#rounds.quiet
  }

  async yieldTurn(): Promise<number> {
    const { done, lead, ended } = this.#board
    const round = this.#board.int(lead)
    this.#board.set(done + SYSTEM, round)
    this.#rounds.lead(round, false)
    while (!this.#stopped) {
      const next = this.#watchedRounds()
      if (next === 'over') return this.#board.int(ended)
      if (next === 'tick') await setImmediate()
    }
    return END_NONE
  }

  /** Runs rounds, and fails if a step of an actor does not end in time. */
  #watchedRounds(): 'over' | 'tick' | 'more' {
    const { watchdogMs } = this.#options
    if (watchdogMs === null) return this.#runRounds(Number.POSITIVE_INFINITY)
    const ran = timeLimited(watchdogMs, () => this.#runRounds(TURNS_WATCHED))
    if (ran) return ran.value
    leaveStep()
    actAs(undefined)
    throw new EndlessStep(this.#acting?.address ?? '', this.#acting?.cell.doing ?? '', watchdogMs)
  }

  /**
   * Runs rounds until the turn of the actors is over, the event loop has its turn, or the actors have had at least so many turns, at the
   * end of a round.
   */
  #runRounds(most: number): 'over' | 'tick' | 'more' {
    const { done, lead } = this.#board
    let turns = 0
    try {
      while (!this.#stopped) {
        const round = this.#board.int(lead)
        const { phase, now, subround } = this.#rounds.at(round)
        for (let i = 0; i < this.#rounds.activeCount(round); i++) {
          const slot = this.#rounds.active(round, i)
          if (slot === SYSTEM) return 'over'
          const seat = this.#seats[slot]
          if (seat) {
            actAs(seat.address)
            this.#acting = seat
            turns++
            seat.cell.runRound(phase, now, subround)
          }
          this.#board.set(done + slot, round)
        }
        this.#rounds.lead(round, false)
        if (++this.#led % ROUNDS_PER_TICK === 0) return 'tick'
        if (turns >= most) return 'more'
      }
      return 'tick'
    } finally {
      actAs(undefined)
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#seats.length = 0
    await setImmediate() // what was rejected until now is known then
    endReporting()
    this.#release()
  }
}
