/** A digest of the code: machines may share work only if they run the same code. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { registered } from './code-registry.ts'
import { isObject } from './data.ts'

const ROOT = new URL('../../', import.meta.url)
/** The folders of studies and of the code that they use. */
const FOLDERS = ['actors', 'lib', 'scenarios', 'test']

/**
 * Computes a digest of all that can influence a result: the sources and their tables, the registered modules elsewhere,
 * and the JavaScript of the packages that are installed for them. Packages of one platform alone (the binary of esbuild)
 * are left out.
 */
export function codeDigest(): string {
  const hash = createHash('sha256')
  const sources = FOLDERS.flatMap((folder) => filesIn(folder, /\.(ts|json)$/))
  const packages = installed().flatMap((folder) => filesIn(folder, /\.(c|m)?js$|\.json$/))
  const elsewhere = registered().filter((url) => !url.startsWith(ROOT.href))
  for (const path of ['package-lock.json', ...sources, ...packages, ...elsewhere]) {
    hash.update(`${path}\n`).update(readFileSync(new URL(path, ROOT)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Files in a folder of the project, by their paths in the project; none of packages within. */
const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => pattern.test(path) && !path.split('/').includes('node_modules'))
    .sort()
    .map((path) => `${folder}/${path}`)

/** The folders of the packages that runs use and that are the same on every platform. */
function installed(): string[] {
  const lock: unknown = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8'))
  const packages = isObject(lock) && isObject(lock['packages']) ? Object.entries(lock['packages']) : []
  return packages.flatMap(([folder, about]) => {
    const isUsed = folder !== '' && isObject(about) && about['dev'] !== true && about['os'] === undefined
    return isUsed && existsSync(new URL(folder, ROOT)) ? [folder] : []
  })
}
