/**
 * The code that data may name.
 *
 * A trace names the modules of its actors, and a run names studies, actors and computations to its hosts. Such a name is
 * looked up in this table and never turned into a path. So the author of a trace or a frame can choose among the code that
 * this process has registered, but cannot bring code of their own.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject } from './data.ts'
import { urlOfFile } from './module-file.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A function that a module exports. */
export interface Exported {
  /** The module's `file:` URL. */
  readonly module: URL | string
  readonly export: string
}

export interface Registration {
  /** Modules whose default export is a machine, such as `new URL('./pong.ts', import.meta.url)`. */
  readonly actors?: readonly (URL | string)[]
  /** Studies `(point: Plain) => Promise<Plain>` that hosts may run (see `sweep`). */
  readonly studies?: readonly Exported[]
  /** Functions that actors on hosts may have called (see `compute`). */
  readonly computations?: readonly Exported[]
}

/** URLs of modules, by name. */
const actors = new Map<string, string>()
/** The values of `actors`. */
const actorUrls = new Set<string>()
/** URLs of the modules of studies, by name and export. */
const studies = new Map<string, string>()
const computations = new Set<string>()

/** The folder of the user's project: the nearest folder with a `package.json`, from the working directory upwards. */
const projectFolder = once((): string => {
  const start = process.cwd()
  let folder = start
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) return start
    folder = parent
  }
  return folder
})

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const isBelow = (path: string): boolean => !path.startsWith('../')

/**
 * The name of a module. A module of this package is named by its path from the root of the package, such as
 * `actors/bidding/client.ts`: it means the same in every copy, so a compiled module has the name of its source. A module of
 * the user is named by its path from the folder of the user's project, such as `./register.ts`.
 *
 * @param url a `file:` URL
 */
export function nameOfModule(url: URL | string): string {
  const file = fileURLToPath(url)
  const path = relative(ROOT, file).replaceAll(sep, '/')
  if (isBelow(path)) return path.replace(/\.js$/, '.ts')
  const own = relative(projectFolder(), file).replaceAll(sep, '/')
  return isBelow(own) ? `./${own}` : own
}

const keyOf = (name: string, exported: string): string => `${name}#${exported}`

/** Lets data name this code. A module that a system of this process spawns is registered by that. */
export function register({ actors: modules = [], studies: more = [], computations: calls = [] }: Registration): void {
  for (const url of modules) {
    const href = urlOfFile(url)
    // Each spawn comes here, and a name takes long to make.
    if (!actorUrls.has(href)) actors.set(nameOfModule(url), href)
    actorUrls.add(href)
  }
  for (const one of more) studies.set(keyOf(nameOfModule(one.module), one.export), urlOfFile(one.module))
  for (const one of calls) computations.add(keyOf(nameOfModule(one.module), one.export))
}

/** Whether the module of an actor is registered. `module` is a `file:` URL. */
export const isActor = (module: string): boolean => actorUrls.has(module)

/** The URL of an actor's module; undefined for a name that is not registered. */
export const actorNamed = (name: string): string | undefined => actors.get(name)

/** A study; undefined for a name that is not registered. */
export function studyNamed(
  name: string,
  exported: string,
): { readonly module: string; readonly export: string } | undefined {
  const module = studies.get(keyOf(name, exported))
  return module === undefined ? undefined : { module, export: exported }
}

/** Whether a function is registered as a computation. `module` is a URL or a path, as an actor names it. */
export function isComputation(module: string, exported: string): boolean {
  const url = urlOfFile(module)
  return url.startsWith('file:') && computations.has(keyOf(nameOfModule(url), exported))
}

/** The URLs of all registered modules. */
export const registered = (): readonly string[] => [...new Set([...actors.values(), ...studies.values()])].sort()

const isModule = (value: unknown): boolean => value instanceof URL || typeof value === 'string'
const isExported = (value: unknown): boolean =>
  isObject(value) && isModule(value['module']) && typeof value['export'] === 'string'
const isListOf = (is: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every(is))

export const isRegistration = (value: unknown): value is Registration =>
  isObject(value) &&
  isListOf(isModule, value['actors']) &&
  isListOf(isExported, value['studies']) &&
  isListOf(isExported, value['computations'])

/** The part of an error that says what is missing where a name is not registered, and how to register it. */
export const NOT_REGISTERED =
  'a registered module (--register FILE names a file that registers more: your scenario, or a list of actors)'
