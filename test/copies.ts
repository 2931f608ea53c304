/** Copies of a part of the project in a folder of their own, with links to the rest, for programs with one mistake. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) remove(folder)
})

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** The folder of a copy. It is removed when the process ends. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'bourse-copy-'))

  /** Copies some folders of the project, and links everything else next to them that they may import. */
  constructor(copied: readonly string[]) {
    folders.push(this.folder)
    const parents = new Set(copied.map(dirname).filter((parent) => parent !== '.'))
    for (const parent of parents) {
      mkdirSync(join(this.folder, parent), { recursive: true })
      this.#link(
        readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
        copied,
      )
    }
    for (const path of copied) cpSync(join(root, path), join(this.folder, path), { recursive: true })
    const shared = ['lib', 'actors', 'scenarios', 'test', 'node_modules', 'package.json', 'tsconfig.json']
    this.#link(
      shared.filter((path) => !parents.has(path)),
      copied,
    )
  }

  /** Links resolve to real paths, so the copy and the programs around it share what is linked. */
  #link(paths: readonly string[], copied: readonly string[]): void {
    for (const path of paths) if (!copied.includes(path)) symlinkSync(join(root, path), join(this.folder, path))
  }

  url(path: string): URL {
    return pathToFileURL(join(this.folder, path))
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text)
  }

  /** Replaces a text of a file that is there exactly once. @throws Error if it is not */
  change(path: string, find: string, replace: string): void {
    const source = readFileSync(join(this.folder, path), 'utf8')
    const places = source.split(find).length - 1
    if (places !== 1) throw new Error(`the text to change is ${places} times in ${path}: ${find}`)
    this.write(
      path,
      source.replace(find, () => replace),
    )
  }

  /** Removes the folder when it is no longer needed, since removing many at the end takes seconds. */
  remove(): void {
    remove(this.folder)
  }
}
