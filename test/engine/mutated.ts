/** A mutant of the compiled engine: a copy with one mistake in its own folder, with links to the rest of lib. */
import type { compiledEngine } from '../../lib/engine/compiled.ts'
import { Copy } from '../copies.ts'
import type { Mutant } from './mutants.ts'

type Compile = typeof compiledEngine

/** @throws Error if the line of the mistake is not in the source exactly once */
export async function mutated({ file, find, replace }: Mutant): Promise<Compile> {
  const copy = new Copy(['lib/engine'])
  try {
    copy.change(`lib/engine/${file}`, find, replace)
    const module: { compiledEngine: Compile } = await import(copy.url('lib/engine/compiled.ts').href)
    return module.compiledEngine
  } finally {
    copy.remove()
  }
}
