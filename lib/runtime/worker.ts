/** The whole program of an actor's own thread: wait for a round (or, in real time, for mail), act, commit. */

import { parentPort, workerData } from 'node:worker_threads'
import { Rounds } from '../clock/lockstep.ts'
import { Board } from '../memory/layout.ts'
import { SharedMail } from '../memory/shared-mail.ts'
import { Cells } from './cells.ts'
import type { ActorThreadSpec } from './runtime.ts'
import { requirePurity } from './step-purity.ts'
import { workInRealTime } from './thread-realtime.ts'
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
    const seats = new Map([[slot, cell]])
    if (spec.options.time === 'real') workInRealTime({ board, thread: slot, seats })
    else workInRounds({ board, rounds: new Rounds(mail), thread: slot, seats })
  }
}
