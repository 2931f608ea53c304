/**
 * A leader that dies before any of its writes. Main leads the round again. Every word of shared memory must then have the
 * value that a living leader would leave.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Rounds } from '../../lib/clock/lockstep.ts'
import { SYSTEM } from '../../lib/core/address.ts'
import { CLASS_CONTROL, CLASS_MAIL, CLASS_REPORT } from '../../lib/memory/envelope.ts'
import { Board, MAIL, sizeOf } from '../../lib/memory/layout.ts'
import { SharedMail } from '../../lib/memory/shared-mail.ts'

const MAILBOX = 4
const ROUND = 6

class LeaderDied extends Error {}

/** A board in round 6, a round of mail, after the actions of slots 1 and 2. */
function boardInRound(): Board {
  const board = Board.create(sizeOf({ actors: 7, memoryMB: 1, mailbox: MAILBOX }), false)
  const { i32 } = board
  board.set(board.slotCount, 6)
  board.put(board.until, Number.POSITIVE_INFINITY)
  board.put(board.lastRound, 1000)
  board.set(board.lead, ROUND)
  board.set(board.round, ROUND)
  i32[board.phase] = MAIL
  i32[board.activeCount] = 2
  i32[board.active] = 1
  i32[board.active + 1] = 2
  for (const slot of [1, 2]) {
    board.set(board.turn + slot, ROUND)
    board.set(board.done + slot, ROUND)
  }
  return board
}

/** Lets slot 1 send mail in the round: to actors, to a dead one, to one with a full mailbox, and to the system. */
function sendMail(board: Board): void {
  const endpoint = new SharedMail(board).endpoint(1, 0)
  const post = (to: number, kind: number = CLASS_MAIL) => {
    endpoint.pack({ type: 'note', to })
    endpoint.post(to, kind, 0)
  }
  const [dead, full] = [4, 5]
  board.set(board.dead + dead, 1)
  board.set(board.pending + full, MAILBOX - 1)
  for (const to of [2, 3, 3, dead, full, full, SYSTEM, full]) post(to)
  post(full, CLASS_CONTROL)
  post(SYSTEM, CLASS_REPORT)
  endpoint.publish()
}

/** Makes the schedule hold back events of slots 2 and 3, with nothing else left to do. */
function holdBack(board: Board): void {
  board.set(board.holding, 1)
  board.put(board.held + 2, 5)
  board.put(board.held + 3, 0)
  board.put(board.mailDue + 3, Number.POSITIVE_INFINITY)
}

/** Does the same as `holdBack`, but the event that was held longest waits for the end of a pause. */
function holdBackStalled(board: Board): void {
  holdBack(board)
  board.put(board.pausedUntil + 3, 1000)
}

/** Lets the leader die before its write number `n`, from 0. Returns false if it lived. */
function leadUntil(board: Board, n: number): boolean {
  const [i32, f64] = [board.i32, board.f64]
  let left = n
  const dying = <T extends Int32Array | Float64Array>(words: T): T =>
    new Proxy(words, {
      get: (target, key) => Reflect.get(target, key),
      set: (target, key, value) => {
        if (left-- === 0) throw new LeaderDied()
        return Reflect.set(target, key, value)
      },
    })
  const { store, load, compareExchange } = Atomics
  const raw = (words: unknown) => (words === mortal.i32 ? i32 : words)
  const mortal = { i32: dying(i32), f64: dying(f64) }
  Object.assign(Atomics, {
    load: (words: unknown, at: number) => Reflect.apply(load, Atomics, [raw(words), at]),
    store: (words: unknown, at: number, value: number) => {
      if (left-- === 0) throw new LeaderDied()
      return Reflect.apply(store, Atomics, [raw(words), at, value])
    },
    compareExchange: (words: unknown, ...rest: readonly number[]) =>
      Reflect.apply(compareExchange, Atomics, [raw(words), ...rest]),
  })
  try {
    Object.assign(board, mortal)
    new Rounds(new SharedMail(board)).leadIfDone(1, ROUND)
    return true
  } catch (error) {
    if (!(error instanceof LeaderDied)) throw error
    return false
  } finally {
    Object.assign(board, { i32, f64 })
    Object.assign(Atomics, { store, load, compareExchange })
  }
}

/** All words of the board except those of the doorbells. */
const wordsOf = (board: Board): readonly number[] => {
  const { i32, wake, asleep, pagesAt } = board
  return [...i32.subarray(0, wake), ...i32.subarray(asleep, 2 * pagesAt + 2000)]
}

for (const [what, prepare] of [
  ['mail is linked', sendMail],
  ['an event that a schedule holds back is released', holdBack],
  ['an event that a schedule holds back is released at a paused actor', holdBackStalled],
] as const) {
  test(`a leader that dies before any of its writes while ${what} leaves no difference once main has led again`, () => {
    const expected = boardInRound()
    prepare(expected)
    assert.ok(leadUntil(expected, Number.POSITIVE_INFINITY))
    const words = wordsOf(expected)
    let deaths = 0
    for (let hasLived = false; !hasLived; deaths++) {
      const board = boardInRound()
      prepare(board)
      hasLived = leadUntil(board, deaths)
      if (hasLived) break
      assert.ok(new Rounds(new SharedMail(board)).takeOver(board.int(board.lead), SYSTEM))
      const found = wordsOf(board)
      const at = found.findIndex((word, i) => word !== words[i])
      assert.is(at, -1, `died before write ${deaths}: word ${at} is ${found[at]} instead of ${words[at]}`)
    }
    assert.ok(deaths > 10)
  })
}

test.run()
