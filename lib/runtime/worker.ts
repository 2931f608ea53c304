/** The whole program of an actor's thread: wait for a round (or, in real time, for mail), act, commit. */

import { parentPort, workerData } from 'node:worker_threads'
import { ActorCell } from '../cell/actor-cell.ts'
import { Rounds } from '../clock/lockstep.ts'
import { linkChain, modelNow, realPause, realWait } from '../clock/realtime.ts'
import { SYSTEM } from '../core/address.ts'
import { engineFor } from '../engine/select.ts'
import { Board } from '../memory/layout.ts'
import { SharedMail } from '../memory/shared-mail.ts'
import { meterOf } from './meter.ts'
import type { WorkerSpec } from './runtime.ts'
import { requirePurity } from './step-purity.ts'

const spec: WorkerSpec = workerData
// before the module of the actor is loaded, which may keep such a function for its steps
if (spec.options.time === 'virtual' && !spec.options.impure) requirePurity()

/** Makes an actor of the machine that a module exports; what it returns runs it until the system stops. See `start`. */
export function work(exported: { readonly default?: unknown }): () => void {
  const board = new Board(spec.buffer, spec.size)
  const engine = engineFor(spec.engine, exported.default, spec.module, spec.options.strict)
  const mail = new SharedMail(board)
  const meter = meterOf(spec.metrics, spec.size.slots, spec.slot)
  const cell = new ActorCell(mail, engine, spec, spec.options, meter)
  return () => {
    parentPort?.postMessage(engine.name)
    if (spec.options.time === 'virtual') workInRounds(board, cell, new Rounds(mail))
    else workFreely(board, cell)
  }
}

function workInRounds<S>(board: Board, cell: ActorCell<S>, rounds: Rounds): void {
  const { i32, lead, stop } = board
  const { slot } = cell
  const bell = board.bell(slot)
  while (true) {
    // The doorbell first, then the truth: a ring between the two is seen, a doubled one does no harm.
    const rung = Atomics.load(i32, bell)
    if (Atomics.load(i32, stop) === 1) return
    const round = Atomics.load(i32, lead)
    if (round >= 0 && rounds.isActive(slot, round)) {
      const { phase, now, subround } = rounds.at(round)
      cell.runRound(phase, now, subround)
      if (rounds.finish(slot, round)) rounds.ringActives(round + 1, slot)
      if (Atomics.load(i32, board.repair) === 1) board.ring(SYSTEM)
    } else Atomics.wait(i32, bell, rung)
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
