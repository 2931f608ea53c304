/** Where tests find an actor that threads run. */
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * The module of an actor, by its path in the project. While a mutant is tried, it is in the copy of the actors that has the mutant:
 * threads run bundles of their files, and the loader that replaces the file of a mutant (`mutated.mjs`) has no part in those.
 */
export function actorModule(path: string): URL {
  const { BOURSE_MUTATED: original, BOURSE_MUTANT: mutant } = process.env
  const folder = original !== undefined && mutant?.slice(0, -relative(root, original).length)
  return pathToFileURL(join(folder || root, path))
}
