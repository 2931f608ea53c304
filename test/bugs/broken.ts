/** Actors with one mistake: a copy in its own folder, with links to the real lib. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Bug } from './bug.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) remove(folder)
})

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Removes one copy when it is no longer needed, since removing many at the end takes seconds. */
export const forget = (actors: URL): void => remove(dirname(fileURLToPath(actors)))

/** Makes the folder of the broken actors. It is removed when the process ends. */
export function brokenActors({ name, file, find, replace }: Pick<Bug, 'name' | 'file' | 'find' | 'replace'>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-bug-'))
  folders.push(folder)
  cpSync(join(root, 'actors'), join(folder, 'actors'), { recursive: true })
  // symlinks resolve to real paths, so the actors and the cells that run them share one lib
  for (const shared of ['lib', 'node_modules', 'package.json']) symlinkSync(join(root, shared), join(folder, shared))
  const path = join(folder, 'actors', file)
  const source = readFileSync(path, 'utf8')
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`bug ${name}: its line is ${places} times in ${file}`)
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  return pathToFileURL(join(folder, 'actors/'))
}
