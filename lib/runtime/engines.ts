/** The machines of modules that are loaded into the calling thread. */
import type { AnyMachineSnapshot } from 'xstate'
import { type Engine, xstateEngine } from '../engine.ts'

const engines = new Map<string, Promise<Engine<AnyMachineSnapshot>>>()

/** One engine per module: machines hold no state of their own. */
export const engineOf = (module: string): Promise<Engine<AnyMachineSnapshot>> => {
  const known = engines.get(module)
  if (known) return known
  const loading = import(module).then(
    (exported: { readonly default?: unknown }) => xstateEngine(exported.default, module),
    (error: unknown) => {
      // Node says where only in what it prints.
      throw error instanceof SyntaxError ? new SyntaxError(`cannot load ${module}: ${error.message}`) : error
    },
  )
  engines.set(module, loading)
  return loading
}
