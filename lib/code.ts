/** What code this is: two machines may share work only if it is the same. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../', import.meta.url)
/** Where there are studies and what they use. */
const FOLDERS = ['actors', 'lib', 'scenarios', 'test']

/** A digest of everything that may have a say in a result: the sources, and the versions of what they use. */
export function codeDigest(): string {
  const hash = createHash('sha256')
  for (const path of ['package-lock.json', ...FOLDERS.flatMap(sourcesIn)]) {
    hash.update(`${path}\n`).update(readFileSync(new URL(path, ROOT)))
  }
  return hash.digest('hex').slice(0, 16)
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .sort()

/** A module of ours by its path in the project, the same on every machine. */
export const pathOfModule = (url: string): string =>
  relative(fileURLToPath(ROOT), fileURLToPath(url)).split(sep).join('/')

/**
 * The module at such a path; undefined for what is none of our sources: what others send names code of ours, and
 * nothing else is loaded.
 */
export function moduleAt(path: string): string | undefined {
  const isOurs = FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && path.endsWith('.ts')
  const isPlain = path.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))
  return isOurs && isPlain ? new URL(path, ROOT).href : undefined
}
