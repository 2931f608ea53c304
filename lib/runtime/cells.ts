/** Makes the cells of the actors of one module, in the thread that runs them. */
import { ActorCell, type CellOptions } from '../cell/actor-cell.ts'
import type { Engine } from '../engine/engine.ts'
import { engineFor } from '../engine/select.ts'
import type { Mail } from '../memory/mail.ts'
import { meterOf } from './meter.ts'
import type { SpawnSpec } from './runtime.ts'

export interface CellsDeps {
  readonly mail: Mail
  readonly options: CellOptions
  /** The memory of the measures, with option `metrics`. */
  readonly metrics?: ArrayBufferLike | undefined
}

/** The cells of the machine that a module exports. They share one engine, since machines hold no state of their own. */
export class Cells {
  readonly #deps: CellsDeps
  readonly #exported: unknown
  #engine: Engine | undefined

  constructor(deps: CellsDeps, exported: unknown) {
    this.#deps = deps
    this.#exported = exported
  }

  /** Makes the cell of an incarnation. */
  make(spec: SpawnSpec): { readonly engine: string; readonly cell: ActorCell<object> } {
    const { mail, options, metrics } = this.#deps
    this.#engine ??= engineFor(spec.engine, this.#exported, spec.module, options.strict)
    const meter = meterOf(metrics, mail.board.size.slots, spec.slot, 'threads')
    return { engine: this.#engine.name, cell: new ActorCell(mail, this.#engine, spec, options, meter) }
  }
}
