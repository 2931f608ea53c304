/** The loop of a thread in real time, run by the main thread: what happens while the loop is under way. */
import { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { modelNow, startClock } from '../../lib/clock/realtime.ts'
import { UNIT } from '../../lib/core/time.ts'
import { Board, sizeOf } from '../../lib/memory/layout.ts'
import { workInRealTime } from '../../lib/runtime/thread-realtime.ts'

const [THREAD, FIRST, SECOND] = [1, 1, 2]
/** A loop that still sleeps after so many milliseconds has missed its ring. */
const LATE_MS = 10_000

/** Runs the loop for two actors, whose steps may change the board. Says whether it ended by itself, and not by a late ring. */
async function isAwake(first: (board: Board) => void, second: (board: Board) => void): Promise<boolean> {
  const board = Board.create(sizeOf({ actors: 3, memoryMB: 1, mailbox: 10 }), true)
  for (const slot of [FIRST, SECOND]) board.set(board.thread + slot, THREAD)
  startClock(board, 1)
  const isOver = new Int32Array(new SharedArrayBuffer(4))
  const rescue = new Worker(
    `const { i32, isOver, stop, bell } = require('node:worker_threads').workerData
     if (Atomics.wait(isOver, 0, 0, ${LATE_MS}) === 'timed-out') {
       Atomics.store(isOver, 0, -1)
       Atomics.store(i32, stop, 1)
       Atomics.add(i32, bell, 1)
       Atomics.notify(i32, bell)
     }`,
    { eval: true, workerData: { i32: board.i32, isOver, stop: board.stop, bell: board.bell(THREAD) } },
  )
  const seat = (slot: number, act: (board: Board) => void) => ({
    slot,
    runNext: () => {
      act(board)
      return Number.POSITIVE_INFINITY
    },
  })
  const seats = new Map([
    [FIRST, seat(FIRST, first)],
    [SECOND, seat(SECOND, second)],
  ])
  workInRealTime({ board, thread: THREAD, seats })
  const isEnded = Atomics.compareExchange(isOver, 0, 0, 1) === 0
  Atomics.notify(isOver, 0)
  await new Promise((resolve) => rescue.once('exit', resolve))
  return isEnded
}

const stop = (board: Board): void => {
  board.set(board.stop, 1)
  board.ring(THREAD)
}

test('a thread that is asked to leave while its actors act does not sleep before', async () => {
  assert.ok(await isAwake(stop, () => {}))
})

test('a paused actor wakes at the end of its pause for mail that came before its thread slept', async () => {
  let visits = 0
  const handle = (board: Board): void => {
    board.set(board.head + FIRST, 0)
    if (++visits === 2) stop(board)
  }
  const pauseFirst = (board: Board): void => {
    board.put(board.pausedUntil + FIRST, modelNow(board) + 20 * UNIT)
    board.set(board.head + FIRST, 1) // mail, whose sender sees the thread awake and does not ring
  }
  assert.ok(await isAwake(handle, pauseFirst))
  assert.is(visits, 2)
})

test.run()
