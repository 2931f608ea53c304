/** The machines of modules that are loaded into the calling thread. */

import { nameOfModule } from '../core/code-registry.ts'
import { importModule } from '../core/typescript.ts'
import type { Engine, EngineName } from '../engine/engine.ts'
import { engineFor } from '../engine/select.ts'

const engines = new Map<string, Promise<Engine>>()

/** One engine of a kind per module: machines hold no state of their own. */
export const engineOf = (module: string, wanted: EngineName, isStrict = false): Promise<Engine> => {
  const key = `${wanted} ${isStrict} ${module}`
  const known = engines.get(key)
  if (known) return known
  const loading = importModule(module).then(
    (exported) => engineFor(wanted, exported['default'], module, isStrict),
    (error: unknown) => {
      // Node prints the place of a syntax error, but the error does not contain it.
      throw error instanceof SyntaxError ? new SyntaxError(`cannot load ${module}: ${error.message}`) : error
    },
  )
  engines.set(key, loading)
  return loading
}

const explained = new Set<string>()

/** Says which engine runs the machine of a module, once. */
export function explain(module: string, engine: string): void {
  const line = `${nameOfModule(module)}: ${engine}\n`
  if (explained.has(line)) return
  explained.add(line)
  process.stderr.write(line)
}
