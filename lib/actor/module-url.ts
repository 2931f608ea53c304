/** URLs of modules that know the types of their actors, for libraries of actors. */
import { BourseError } from '../core/error.ts'
import type { ActorModule } from './actor.ts'

/** The type of a module's actor; nothing of this name exists at run time. */
declare const MODULE: unique symbol

/** The URL of the module of an actor. `spawn` knows the input that the actor needs, and the messages that it takes. */
export type ModuleUrl<Module extends ActorModule = ActorModule> = URL & { readonly [MODULE]: Module }

/** The URL of a module whose type is not known. */
export type PlainUrl = URL & { readonly [MODULE]?: never }

/**
 * Gives the URL of an actor's module the type of the module. Whoever spawns the actor need not know where the module is.
 *
 * ```ts
 * export const pong = moduleUrl<typeof import('./pong.ts')>(new URL('./pong.ts', import.meta.url))
 * ```
 *
 * @throws BourseError for a URL that is not that of a file
 */
export function moduleUrl<Module extends ActorModule>(url: URL): ModuleUrl<Module> {
  if (isOfFile<Module>(url)) return url
  throw new BourseError('BOURSE_LOADING', `the module of an actor is a file, not ${url}`)
}

const isOfFile = <Module extends ActorModule>(url: URL): url is ModuleUrl<Module> => url.protocol === 'file:'
