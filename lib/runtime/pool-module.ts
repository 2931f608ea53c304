/**
 * The program of one module in a pool thread. The bundle of each module has its own copy of this library, which its machine and
 * the cells of its actors share. The mail is that of the thread.
 */
import { workerData } from 'node:worker_threads'
import type { ActorCell } from '../cell/actor-cell.ts'
import type { Mail } from '../memory/mail.ts'
import { Cells } from './cells.ts'
import type { PoolThreadSpec, SpawnSpec } from './runtime.ts'
import { requirePurity } from './step-purity.ts'

const spec: PoolThreadSpec = workerData
// before the module of the actors is loaded, which may keep such a function for their steps
if (spec.options.time === 'virtual' && !spec.options.impure) requirePurity()

/** Makes an actor of a module; `engine` is the name of its engine. */
export type Make = (who: SpawnSpec) => { readonly engine: string; readonly cell: ActorCell<object> }

/** Returns what makes the actors of the machine that a module exports. See `load`. */
export function work(exported: { readonly default?: unknown }): (mail: Mail) => Make {
  return (mail) => {
    const cells = new Cells({ mail, options: spec.options, metrics: spec.metrics }, exported.default)
    return (who) => cells.make(who)
  }
}
