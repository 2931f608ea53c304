/** Quiescence in real time: main decides that a run is over by reading words that threads change meanwhile. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Board, sizeOf } from '../../lib/memory/layout.ts'
import { ActorThreads } from '../../lib/runtime/actor-threads.ts'
import { RealTimeRuntime } from '../../lib/runtime/threads-realtime.ts'

/** A board with two living actors; the first is asleep. */
function boardOfTwo(): Board {
  const board = Board.create(sizeOf({ actors: 3, memoryMB: 1, mailbox: 10 }), true)
  board.set(board.slotCount, 3)
  board.set(board.sleeper(1), 1)
  return board
}

const runtimeOn = (board: Board): RealTimeRuntime => {
  const cells = {
    seed: 1,
    order: 'fifo',
    schedule: 'fifo',
    time: 'real',
    network: { latency: 0, jitter: 0, loss: 0, duplicate: 0 },
    reliable: null,
    trace: false,
    count: [],
    asks: 10,
    deferred: 10,
  } as const
  const options = { watchdogMs: 1000, onDeath: () => {} }
  return new RealTimeRuntime(board, options, 1, (own) => new ActorThreads(board, cells, own))
}

type Write = (board: Board) => void

/** Writes of a wake-up: actor 2 sends to actor 1 and falls asleep; actor 1 wakes, takes the mail, and begins its step. */
const TO_A_STEP: readonly Write[] = [
  (board) => board.set(board.pending + 1, 1),
  (board) => board.set(board.done + 2, 1),
  (board) => board.set(board.sleeper(2), 1),
  (board) => board.set(board.sleeper(1), 0),
  (board) => board.set(board.pending + 1, 0),
]

test('a run with an actor inside a step never counts as over, with any writes of threads between two reads', () => {
  const board = boardOfTwo()
  const runtime = runtimeOn(board)
  const int = board.int.bind(board)
  let reads = 0
  let written = 0
  /** The interleaving under test: write `i` happens before main's read number `places[i]`. */
  const places: number[] = []
  board.int = (at) => {
    for (; written < places.length && (places[written] ?? 0) <= reads; written++) TO_A_STEP[written]?.(board)
    reads++
    return int(at)
  }
  const isOver = (): boolean => {
    for (const word of [board.pending + 1, board.done + 2, board.sleeper(2)]) board.set(word, 0)
    board.set(board.sleeper(1), 1)
    reads = 0
    written = 0
    return runtime.quiet
  }
  const wrong: string[] = []
  let most = 0
  const visit = (least: number): void => {
    if (places.length === TO_A_STEP.length) {
      if (isOver()) wrong.push(places.join(' '))
      most = Math.max(most, reads)
      return
    }
    for (let place = least; place <= 24; place++) {
      places.push(place)
      visit(place)
      places.pop()
    }
  }
  visit(0)
  assert.equal(wrong.slice(0, 3), [])
  assert.ok(most > 12 && most <= 24, `both readings take ${most} reads`)
})

test('a run whose actors all sleep with nothing to do is over', () => {
  const board = boardOfTwo()
  board.set(board.sleeper(2), 1)
  assert.is(runtimeOn(board).quiet, true)
  board.set(board.pending + 1, 1)
  assert.is(runtimeOn(board).quiet, false)
})

test.run()
