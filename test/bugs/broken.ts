/** Actors with one mistake: a copy in its own folder, with links to the real lib. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Copy } from '../copies.ts'
import { applied } from '../mutants/mutant.ts'
import { mutantNamed } from '../mutants/trial.ts'
import type { Bug } from './bug.ts'

const copies = new Map<string, Copy>()

/** Removes one copy when it is no longer needed. */
export function forget(actors: URL): void {
  const folder = dirname(fileURLToPath(actors))
  copies.get(folder)?.remove()
  copies.delete(folder)
}

/** Makes the folder of the actors with a bug. It is removed when the process ends. */
export function brokenActors({ file, find, replace }: Pick<Bug, 'name' | 'file' | 'find' | 'replace'>): URL {
  const copy = new Copy(['actors'])
  copy.change(`actors/${file}`, find, replace)
  return kept(copy)
}

/** Makes the folder of the actors with a mutant, by its name. It is removed when the process ends. */
export function mutatedActors(name: string): URL {
  const { mutant, source } = mutantNamed(name)
  const copy = new Copy(['actors'])
  copy.write(`actors/${mutant.file}`, applied(source, mutant))
  return kept(copy)
}

function kept(copy: Copy): URL {
  const actors = copy.url('actors/')
  copies.set(dirname(fileURLToPath(actors)), copy)
  return actors
}
