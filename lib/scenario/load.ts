/** Loads files of code that the user names on the command line. A path that comes from data is never loaded. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type NamesOf, requireKnown as requireNames } from '../core/check-options.ts'
import { isRegistration, type Registration, register } from '../core/code-registry.ts'
import { isObject } from '../core/data.ts'
import { importModule } from '../core/typescript.ts'
import { UsageError } from '../core/usage-error.ts'
import { isLikeScenario, isScenario, type Scenario } from './scenario.ts'
import { rehearse } from './specification.ts'

const REGISTRATION: NamesOf<Registration> = { actors: 0, studies: 0, computations: 0 }

/** The scenarios that were loaded from files, by name. */
const loaded = new Map<string, Scenario>()

/** A scenario that was loaded from a file of the user. */
export const loadedScenario = (name: string): Scenario | undefined => loaded.get(name)

/** Where a checkout has the modules that files import as `bourse/...`. They are missing before it is built. */
const BUILT = fileURLToPath(new URL('../../dist/', import.meta.url))

const BUILD_FIRST = 'in a checkout run `npm run build` first, and then `npx bourse` in place of npx tsx'

async function exportOf(file: string, where: string): Promise<unknown> {
  if (!existsSync(file)) throw UsageError.cannot(`load ${where}`, 'no such file')
  const exported = await importModule(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
    const message = inOneLine(error instanceof Error ? error.message : String(error))
    throw UsageError.cannot(`load ${where}`, message.includes(BUILT) ? `${message}; ${BUILD_FIRST}` : message)
  })
  // Node wraps all exports of a CommonJS file into its default export
  const own = exported['default']
  return isObject(own) ? (own['default'] ?? own) : own
}

/** The first line of a message, with the second one if the first only announces it, as in a list of syntax errors. */
function inOneLine(message: string): string {
  const [first = '', second = ''] = message.split('\n')
  return first.endsWith(':') ? `${first} ${second}` : first
}

/**
 * Loads what `--register` names: a list of code, or a scenario, whose actors are then registered.
 *
 * @throws UsageError if it cannot be loaded
 */
export async function loadRegistered(file: string | undefined): Promise<void> {
  if (file === undefined) return
  const where = `--register ${file}`
  const registration = await exportOf(file, where)
  if (isScenario(registration)) return enter(registration)
  requireThisCopy(where, registration)
  if (!isRegistration(registration)) {
    throw UsageError.requires(where, 'a default export such as { actors: [new URL(...)] }, or a scenario')
  }
  requireNames(where, registration, REGISTRATION)
  register(registration)
}

/** Loads the scenario that a file exports by default. @throws UsageError if it exports none */
export async function loadScenario(file: string): Promise<Scenario> {
  const scenario = await exportOf(file, file)
  if (!isScenario(scenario)) requireThisCopy(file, scenario)
  if (!isScenario(scenario)) throw UsageError.requires(file, 'a default export that defineScenario made')
  await enter(scenario)
  return scenario
}

/** @throws UsageError for a scenario of another copy of the library, whose actors and flags this one does not know */
function requireThisCopy(where: string, exported: unknown): void {
  if (!isLikeScenario(exported)) return
  throw new UsageError(
    `${where} exports a scenario that another copy of bourse made: import bourse from this copy, or use \`npx bourse\` in the project that has it`,
  )
}

/** Registers the actors of a scenario: a module is registered when a system spawns it, and others the scenario lists. */
async function enter(scenario: Scenario): Promise<void> {
  register({ actors: scenario.modules })
  loaded.set(scenario.name, scenario)
  await rehearse(scenario.specification(new Map()))
}
