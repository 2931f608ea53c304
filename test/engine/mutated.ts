/** A mutant of the compiled engine: a copy with one mistake in its own folder, with links to the rest of lib. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { compiledEngine } from '../../lib/engine/compiled.ts'
import type { Mutant } from './mutants.ts'

type Compile = typeof compiledEngine

const root = fileURLToPath(new URL('../../', import.meta.url))

/** @throws Error if the line of the mistake is not in the source exactly once */
export async function mutated(mutant: Mutant): Promise<Compile> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-mutant-'))
  try {
    return await compilerIn(folder, mutant)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compilerIn(folder: string, { what, file, find, replace }: Mutant): Promise<Compile> {
  mkdirSync(join(folder, 'lib'))
  // symlinks resolve to real paths, so the machines and both engines share the rest of lib
  const shared = readdirSync(join(root, 'lib')).filter((name) => name !== 'engine')
  for (const name of shared) symlinkSync(join(root, 'lib', name), join(folder, 'lib', name))
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name))
  cpSync(join(root, 'lib/engine'), join(folder, 'lib/engine'), { recursive: true })
  const path = join(folder, 'lib/engine', file)
  const source = readFileSync(path, 'utf8')
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`mutant '${what}': its line is ${places} times in ${file}`)
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  const module: { compiledEngine: Compile } = await import(pathToFileURL(join(folder, 'lib/engine/compiled.ts')).href)
  return module.compiledEngine
}
