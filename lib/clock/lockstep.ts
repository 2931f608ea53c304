/**
 * Virtual time in lock-step: a barrier between rounds, without a coordinator and without locks. Each active slot of round R
 * commits with one store (`done = R`). The thread that then swaps LEAD away from R leads: it links what was sent, chooses
 * the slots of the next round, and commits that round with one store (`LEAD = R + 1`). This code is the same for threads
 * and inline. Deadlock cannot happen, since no thread waits for another but at the barrier; see README.md.
 *
 * A leader may die at any point. Until it commits, another thread can do its work again (`redo`): the next round is
 * written into the other half of a double buffer, setting a tree's leaf twice is harmless, and a record that is linked
 * says so.
 */

import { SYSTEM } from '../core/address.ts'
import { CLASS_MAIL } from '../memory/envelope.ts'
import { ALIVE, type Board, CUT, KINDS, MAIL, OUTSIDE, RELEASED } from '../memory/layout.ts'
import type { Mail } from '../memory/mail.ts'
import { WinnerTree } from './winner-tree.ts'

/** Why a run is handed back to its caller: the values of the word `ended`. */
export const END_NONE = 0
/** Nothing is due, now or later. */
export const END_IDLE = 1
/** What is due next lies beyond `until`. */
export const END_UNTIL = 2
/** The limit of rounds was reached. */
export const END_ROUNDS = 3
/** The limit of rounds at one instant was reached. */
export const END_SUBROUNDS = 4

/** More waiting reports than this, or fewer where memory is short, cause a system round that reads them. */
const REPORTS_MAX = 256
const REPORTS_PER_PAGE = 16

const NEVER = Number.POSITIVE_INFINITY

/** After this many rounds of one instant, events that a schedule holds back are released one by one. */
const HELD_SUBROUNDS = 10_000

/** The lock-step protocol over one board; every thread has an object of its own. */
export class Rounds {
  readonly #mail: Mail
  readonly #board: Board
  readonly #trees: readonly WinnerTree[]
  /** Whether mail to the system was linked in the round that is being led. */
  #hasSystemMail = false
  readonly #onLinked = (to: number, kind: number, due: number): void => {
    if (to !== SYSTEM) this.#expect(to, due)
    else if (kind === CLASS_MAIL) this.#hasSystemMail = true
  }

  constructor(mail: Mail) {
    const { board } = mail
    this.#mail = mail
    this.#board = board
    const { slots } = board.size
    this.#trees = Array.from({ length: KINDS }, (_, k) => new WinnerTree(board.f64, board.trees + k * 2 * slots, slots))
  }

  /** Writes round 0, a system round at instant 0, before anything runs. */
  open(): void {
    const { i32, active, activeCount, systemRound, phase, turn } = this.#board
    i32[phase] = KINDS - 1
    i32[systemRound] = 1
    i32[activeCount] = 1
    i32[active] = SYSTEM
    this.#board.set(turn + SYSTEM, 0)
  }

  /** Moves a system round after the last instant on to `instant`, as an instant of its own. */
  advance(instant: number): void {
    const { i32, f64, lead, time, phase, subround } = this.#board
    const half = this.#board.int(lead) & 1
    if (instant <= (f64[time + half] ?? 0)) return
    f64[time + half] = instant
    i32[phase + half] = KINDS - 1
    i32[subround + half] = 0
  }

  /** The mark of a leader in LEAD. It is negative, so that no round is mistaken for a mark. */
  static ledBy(slot: number, round: number): number {
    return -(slot * 4 + (round & 3)) - 1
  }
  static leaderOf(lead: number): number {
    return (-lead - 1) >> 2
  }

  /** Says whether `slot` is to act in a round. */
  isActive(slot: number, round: number): boolean {
    const { turn, done } = this.#board
    return this.#board.int(turn + slot) === round && this.#board.int(done + slot) !== round
  }

  /** Commits the work of `slot`, and leads if all active slots are done and no other thread leads. True if it led. */
  finish(slot: number, round: number): boolean {
    const { i32, done, remain } = this.#board
    this.#board.set(done + slot, round)
    return Atomics.sub(i32, remain, 1) <= 1 && this.leadIfDone(slot, round)
  }

  /** Leads if all active slots of the round are done or dead, and no other thread leads. True if it led. */
  leadIfDone(slot: number, round: number): boolean {
    const { i32, lead } = this.#board
    if (!this.#everyoneDone(round)) return false
    if (Atomics.compareExchange(i32, lead, round, Rounds.ledBy(slot, round)) !== round) return false
    this.lead(round, false)
    return true
  }

  /** Leads again the round that a dead leader, known by its `mark`, was leading; false if another thread was faster. */
  takeOver(mark: number, slot: number): boolean {
    const { i32, lead, round } = this.#board
    // ROUND is stored just before LEAD, so it names the round being led or the one after.
    const named = this.#board.int(round)
    const led = ((-mark - 1) & 3) === (named & 3) ? named : named - 1
    if (Atomics.compareExchange(i32, lead, mark, Rounds.ledBy(slot, led)) !== mark) return false
    this.lead(led, true)
    this.ringActives(led + 1, slot)
    return true
  }

  /** The counter can be wrong by a late decrement of the round before; the words of the actives cannot. */
  #everyoneDone(round: number): boolean {
    const { done, dead } = this.#board
    for (let i = this.activeCount(round) - 1; i >= 0; i--) {
      const slot = this.active(round, i)
      if (this.#board.int(done + slot) !== round && this.#board.int(dead + slot) === ALIVE) return false
    }
    return true
  }

  activeCount(round: number): number {
    return this.#board.i32[this.#board.activeCount + (round & 1)] ?? 0
  }

  /** The i-th active slot of a round, in ascending order. */
  active(round: number, i: number): number {
    const { i32, active, size } = this.#board
    return i32[active + (round & 1) * size.slots + i] ?? 0
  }

  /** Rings each thread with an active slot of a round once, but not that of `self`, which is awake. */
  ringActives(round: number, self: number): void {
    const awake = new Set([this.#board.threadOf(self)])
    for (let i = 0; i < this.activeCount(round); i++) {
      const thread = this.#board.threadOf(this.active(round, i))
      if (awake.has(thread)) continue
      awake.add(thread)
      this.#board.ring(thread)
    }
  }

  /** The round that runs, or is being prepared. */
  get current() {
    const mark = this.#board.int(this.#board.lead)
    return this.at(mark >= 0 ? mark : this.#board.int(this.#board.round))
  }

  /** The phase, instant and subround of a round, and whether it is a system round. */
  at(round: number): {
    readonly phase: number
    readonly now: number
    readonly subround: number
    readonly isSystemRound: boolean
  } {
    const { i32, f64, phase, subround, systemRound, time } = this.#board
    const half = round & 1
    return {
      phase: i32[phase + half] ?? 0,
      now: f64[time + half] ?? 0,
      subround: i32[subround + half] ?? 0,
      isSystemRound: i32[systemRound + half] === 1,
    }
  }

  /** Links what the active slots sent, and commits the next round. `redo` is true after another leader has died in it. */
  lead(round: number, redo: boolean): void {
    const board = this.#board
    const { i32, f64 } = board
    if (redo) {
      for (const tree of this.#trees) tree.rebuild()
      // A slot that the dead leader chose may not be chosen again, and must not act on its word.
      for (let slot = 0; slot < board.int(board.slotCount); slot++) {
        if (board.int(board.turn + slot) === round + 1) board.set(board.turn + slot, -1)
      }
    }
    const { phase, isSystemRound } = this.at(round)
    const count = this.activeCount(round)
    let called = i32[board.watching] === 1 && !isSystemRound
    // A slot that is dead by now counts too, if it committed its work before.
    for (let i = 0; i < count; i++) {
      const slot = this.active(round, i)
      if (board.int(board.done + slot) !== round) continue
      if (phase === MAIL && !isSystemRound) f64[board.mailDue + slot] = Number.POSITIVE_INFINITY
      if (i32[board.call + slot] === 1) called = true
    }
    this.#hasSystemMail = false
    for (let i = 0; i < count; i++) {
      const slot = this.active(round, i)
      if (board.int(board.done + slot) === round) this.#mail.link(slot, this.#onLinked)
    }
    if (this.#hasSystemMail) called = true // the system reads it at once
    for (let i = 0; i < count; i++) this.refresh(this.active(round, i))
    if (redo) this.#completeReleases(round)
    const reportsMax = Math.min(REPORTS_MAX, REPORTS_PER_PAGE * board.size.pages)
    this.#commit(round, this.#choose(round, called || (i32[board.reports] ?? 0) > reportsMax))
  }

  /** Sets the leaves of a slot in the winner trees to its due times. */
  refresh(slot: number): void {
    const isAlive = this.#isAlive(slot)
    for (let kind = 0; kind < KINDS; kind++) this.#trees[kind]?.set(slot, this.#dueOf(slot, kind, isAlive))
  }

  #isAlive(slot: number): boolean {
    return this.#board.int(this.#board.dead + slot) === ALIVE
  }

  #dueOf(slot: number, kind: number, isAlive: boolean): number {
    const { f64, due, mailDue, pausedUntil, size } = this.#board
    if (!isAlive || (slot === SYSTEM && kind !== OUTSIDE)) return NEVER
    const own = f64[due + kind * size.slots + slot] ?? NEVER
    const next = kind === MAIL ? Math.min(own, f64[mailDue + slot] ?? NEVER) : own
    return Math.max(next, f64[pausedUntil + slot] ?? 0)
  }

  /** Lowers the due time of a slot's mail. */
  #expect(slot: number, due: number): void {
    const { f64, mailDue } = this.#board
    if (due > (f64[mailDue + slot] ?? 0)) return
    f64[mailDue + slot] = due
    this.#trees[MAIL]?.set(slot, this.#dueOf(slot, MAIL, this.#isAlive(slot)))
  }

  /** Chooses the next round. This is the only place that knows the order of an instant. */
  #choose(round: number, called: boolean): NextRound {
    const { f64, request, until, lastRound, lastSubround } = this.#board
    const { phase, now, subround } = this.at(round)
    // A run may have ended in the middle of an instant. What has been planned for that instant since is due at once.
    const isPlanned = phase !== KINDS - 1 && this.#earliest(OUTSIDE) <= now
    const end = round >= (f64[lastRound] ?? 0) ? END_ROUNDS : END_NONE
    if (called || isPlanned || end === END_ROUNDS) return { phase, now, subround, isSystemRound: true, end }
    // A phase of mail lasts until no mail is due. Then each kind has its turn, from the one after the current.
    const first = phase === MAIL ? MAIL : phase + 1
    for (let i = 0; i < KINDS; i++) {
      const kind = (first + i) % KINDS
      if (this.#earliest(kind) > now) continue
      if (subround >= this.#board.int(lastSubround))
        return { phase, now, subround, isSystemRound: true, end: END_SUBROUNDS }
      // at an instant that never ends a hold would never end either
      if (subround >= HELD_SUBROUNDS) this.#releaseHeld(now, RELEASED)
      return { phase: kind, now, subround: subround + 1, isSystemRound: false, end: END_NONE }
    }
    if (this.#board.int(request) === 1) return { phase, now, subround, isSystemRound: true, end: END_NONE }
    let next = 0
    for (let kind = 1; kind < KINDS; kind++) if (this.#earliest(kind) < this.#earliest(next)) next = kind
    const instant = this.#earliest(next)
    const isOver = instant === Number.POSITIVE_INFINITY || instant > (f64[until] ?? 0)
    const isCut = !isOver && this.#waitsTooLong(instant)
    if ((isOver || isCut) && this.#releaseHeld(now, isCut ? CUT : RELEASED)) return this.#choose(round, called)
    if (instant === Number.POSITIVE_INFINITY) return { phase, now, subround, isSystemRound: true, end: END_IDLE }
    if (instant > (f64[until] ?? 0)) return { phase, now, subround, isSystemRound: true, end: END_UNTIL }
    return { phase: next, now: instant, subround: 0, isSystemRound: false, end: END_NONE }
  }

  /** Says whether an event would be held back beyond the bounds of the schedule if time moved on to `instant`. */
  #waitsTooLong(instant: number): boolean {
    const board = this.#board
    const slot = this.#firstHeld()
    if (slot === undefined) return false
    return instant - board.num(board.held + slot) > board.num(board.longestHold) || instant >= board.num(board.calm)
  }

  /** Releases the event that schedules have held back longest; false if there is none. */
  #releaseHeld(now: number, how: typeof RELEASED | typeof CUT): boolean {
    const { i32, f64, mailDue, release } = this.#board
    const slot = this.#firstHeld()
    if (slot === undefined) return false
    i32[release + slot] = how
    f64[mailDue + slot] = now
    this.refresh(slot)
    return true
  }

  /** Finishes the releases of a leader that died. A slot clears `release` when it acts, so the others are not due later. */
  #completeReleases(round: number): void {
    const { i32, f64, mailDue, release, slotCount } = this.#board
    const { now } = this.at(round)
    for (let slot = 1; slot < this.#board.int(slotCount); slot++) {
      if (i32[release + slot] === 0) continue
      f64[mailDue + slot] = Math.min(f64[mailDue + slot] ?? now, now)
      this.refresh(slot)
    }
  }

  #firstHeld(): number | undefined {
    const { i32, f64, held, dead, release, slotCount, holding } = this.#board
    if (this.#board.int(holding) === 0) return undefined
    let first: number | undefined
    let since = Number.POSITIVE_INFINITY
    for (let slot = 1; slot < this.#board.int(slotCount); slot++) {
      const heldSince = f64[held + slot] ?? since
      const mayAct = this.#board.int(dead + slot) === ALIVE && i32[release + slot] === 0
      if (heldSince >= since || !mayAct) continue
      first = slot
      since = heldSince
    }
    return first
  }

  /** Says whether a schedule holds any event back. */
  get isHolding(): boolean {
    return this.#firstHeld() !== undefined
  }

  /** Says, in a system round, whether no actor has anything due by now. */
  get isOver(): boolean {
    const { now } = this.current
    for (let kind = 1; kind < KINDS; kind++) if (this.#earliest(kind) <= now) return false
    return true
  }

  /** Says whether no actor has anything due, now or later. At a barrier this is quiescence: all mail is linked. */
  get quiet(): boolean {
    if (this.#firstHeld() !== undefined) return false
    for (let kind = 1; kind < KINDS; kind++) if (this.#earliest(kind) < Number.POSITIVE_INFINITY) return false
    return true
  }

  #earliest(kind: number): number {
    return this.#trees[kind]?.earliest ?? Number.POSITIVE_INFINITY
  }

  #commit(round: number, next: NextRound): void {
    const board = this.#board
    const { i32, f64, size } = board
    const half = (round + 1) & 1
    i32[board.phase + half] = next.phase
    i32[board.subround + half] = next.subround
    i32[board.systemRound + half] = next.isSystemRound ? 1 : 0
    f64[board.time + half] = next.now
    i32[board.ended] = next.end
    const active = board.active + half * size.slots
    const count = next.isSystemRound ? 1 : (this.#trees[next.phase]?.collect(next.now, i32, active) ?? 0)
    if (next.isSystemRound) i32[active] = SYSTEM
    for (let i = 0; i < count; i++) board.set(board.turn + (i32[active + i] ?? 0), round + 1)
    i32[board.activeCount + half] = count
    board.set(board.remain, count)
    board.set(board.round, round + 1)
    board.set(board.lead, round + 1)
  }
}

interface NextRound {
  readonly phase: number
  readonly now: number
  readonly subround: number
  /** Only the system acts, between two rounds of the instant; phase, time and subround stay as they were. */
  readonly isSystemRound: boolean
  readonly end: number
}
