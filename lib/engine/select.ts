/** Chooses the engine of a machine. */

import { checkedEngine } from './checked.ts'
import { compiledEngine } from './compiled.ts'
import type { Engine, EngineName } from './engine.ts'
import { machineIn, NotCompiled } from './machine.ts'
import { shadowEngine } from './shadow.ts'
import { xstateEngine } from './xstate.ts'

/**
 * The engine that runs an exported machine. A machine that cannot be compiled runs on XState, and the name of the engine
 * then says why.
 *
 * @param exported the default export of a module
 * @param isStrict whether a machine is found that adds a field to its context, or changes its context or event in place; `shadow`
 *   finds the latter always
 * @throws NotAMachine if the export cannot run as an actor
 */
export function engineFor(wanted: EngineName, exported: unknown, module: string, isStrict = false): Engine {
  const engine = chosen(wanted, exported, module)
  return isStrict || wanted === 'shadow' ? checkedEngine(engine, machineIn(exported, module).id, isStrict) : engine
}

function chosen(wanted: EngineName, exported: unknown, module: string): Engine {
  if (wanted === 'xstate') return xstateEngine(exported, module)
  try {
    const compiled = compiledEngine(exported, module)
    return wanted === 'compiled' ? compiled : shadowEngine(compiled, xstateEngine(exported, module))
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error
    return { ...xstateEngine(exported, module), name: `xstate, since it cannot be compiled: ${error.message}` }
  }
}
