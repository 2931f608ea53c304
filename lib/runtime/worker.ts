/** The whole program of an actor's own thread: wait for a round (or, in real time, for mail), act, commit. */

import { parentPort, workerData } from 'node:worker_threads'
import type { ActorCell } from '../cell/actor-cell.ts'
import { Rounds } from '../clock/lockstep.ts'
import { linkChain, modelNow, realPause, realWait } from '../clock/realtime.ts'
import { Board } from '../memory/layout.ts'
import { SharedMail } from '../memory/shared-mail.ts'
import { Cells } from './cells.ts'
import type { ActorThreadSpec } from './runtime.ts'
import { requirePurity } from './step-purity.ts'
import { workInRounds } from './thread-rounds.ts'

const spec: ActorThreadSpec = workerData
// before the module of the actor is loaded, which may keep such a function for its steps
if (spec.options.time === 'virtual' && !spec.options.impure) requirePurity()

/** Makes an actor of the machine that a module exports; what it returns runs it until the system stops. See `start`. */
export function work(exported: { readonly default?: unknown }): () => void {
  const { slot } = spec
  const board = new Board(spec.buffer, spec.size)
  const mail = new SharedMail(board)
  const { engine, cell } = new Cells({ mail, ...spec }, exported.default).make(spec)
  return () => {
    parentPort?.postMessage(engine)
    if (spec.options.time === 'real') workFreely(board, cell)
    else workInRounds({ board, rounds: new Rounds(mail), thread: slot, seats: new Map([[slot, cell]]) })
  }
}

function workFreely<S>(board: Board, cell: ActorCell<S>): void {
  const { i32, stop, done } = board
  const { slot } = cell
  const bell = board.bell(slot)
  while (true) {
    const rung = Atomics.load(i32, bell)
    if (Atomics.load(i32, stop) === 1) return
    const now = modelNow(board)
    const pausedUntil = board.num(board.pausedUntil + slot)
    if (pausedUntil > now) {
      realPause(board, slot, bell, rung, pausedUntil)
      continue
    }
    const next = cell.runNext(now)
    linkChain(board, slot)
    Atomics.add(i32, done + slot, 1)
    if (next > now) realWait(board, slot, bell, rung, next)
  }
}
