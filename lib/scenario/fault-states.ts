/** Are there the states that faults wait for? Only the machines know. */

import { quoted } from '../core/format.ts'
import { UsageError } from '../core/usage-error.ts'
import { engineOf } from '../runtime/engine-cache.ts'
import type { System } from '../system/system.ts'
import { isNamed } from '../trace/entries.ts'
import { type Fault, printFault, type Who, whoMatches } from './faults.ts'

/**
 * Checks that every state that a fault waits for is one of a machine of the actors it names. Call it when they have
 * been spawned.
 *
 * @throws UsageError for the first that is not
 */
export async function requireStates(system: System, faults: readonly Fault[]): Promise<void> {
  for (const fault of faults) {
    if (!('when' in fault) || fault.when.type !== 'enters') continue
    const { who, state } = fault.when
    const paths = await statesOf(system, who)
    if (paths.some((path) => isNamed(path, state))) continue
    throw UsageError.unknown(`state of ${who}`, state, paths, { where: `fault ${quoted(printFault(fault))}` })
  }
}

async function statesOf({ actors, options }: System, who: Who): Promise<string[]> {
  const modules = new Set(actors.flatMap(({ address, module }) => (whoMatches(who, [address]).length ? [module] : [])))
  const engines = await Promise.all([...modules].map((module) => engineOf(module, options.engine)))
  return [...new Set(engines.flatMap(({ states }) => states))]
}
