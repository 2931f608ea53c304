/** A digest of the code: machines may share work only if they run the same code. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nameOfModule, registered } from './code-registry.ts'
import { isObject } from './data.ts'

const ROOT = new URL('../../', import.meta.url)
/** The folders of studies and of the code that they use; the installed package has no tests. */
const FOLDERS = ['actors', 'lib', 'scenarios', 'test'].filter((folder) => existsSync(new URL(folder, ROOT)))
/** The sources, or the compiled modules of the installed package. */
const CODE = import.meta.url.endsWith('.ts') ? /\.(ts|json)$/ : /\.(js|json)$/
const LOCK = new URL('package-lock.json', ROOT)

/** A file, and its name, which is the same on every machine. */
type Named = readonly [name: string, file: URL]

/**
 * Computes a digest of all that can influence a result: the code and its tables, the registered modules elsewhere, and the
 * packages that are installed for them. Packages of one platform alone (the binary of esbuild) are left out.
 */
export function codeDigest(): string {
  const hash = createHash('sha256')
  const elsewhere = registered().flatMap((url): Named[] =>
    url.startsWith(ROOT.href) ? [] : [[nameOfModule(url), new URL(url)]],
  )
  const code = FOLDERS.flatMap((folder) => filesIn(folder, CODE))
  for (const [name, file] of [...(existsSync(LOCK) ? locked() : manifests()), ...code, ...elsewhere]) {
    hash.update(`${name}\n`).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Files in a folder of the project, by their paths in the project; none of packages within. */
const filesIn = (folder: string, pattern: RegExp): Named[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => pattern.test(path) && !path.split('/').includes('node_modules'))
    .sort()
    .map((path) => [`${folder}/${path}`, new URL(`${folder}/${path}`, ROOT)])

const readJson = (file: URL | string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const fieldsOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

/** The lock, and the JavaScript of the packages that runs use and that are the same on every platform. */
function locked(): Named[] {
  const lock = readJson(LOCK)
  const folders = fieldsOf(isObject(lock) ? lock['packages'] : undefined).flatMap(([folder, about]) => {
    const isUsed = folder !== '' && isObject(about) && about['dev'] !== true && about['os'] === undefined
    return isUsed && existsSync(new URL(folder, ROOT)) ? [folder] : []
  })
  return [['package-lock.json', LOCK], ...folders.flatMap((folder) => filesIn(folder, /\.(c|m)?js$|\.json$/))]
}

/** The manifests of the installed package and of the packages that it needs. A version that is published never changes. */
function manifests(): Named[] {
  const { resolve } = createRequire(import.meta.url)
  const own = resolve('bourse/package.json')
  const manifest = readJson(own)
  const needed = isObject(manifest)
    ? [...fieldsOf(manifest['dependencies']), ...fieldsOf(manifest['optionalDependencies'])]
    : []
  return [
    ['bourse', own] as const,
    ...needed.flatMap(([name]) => {
      const folder = resolve.paths(name)?.find((path) => existsSync(join(path, name, 'package.json')))
      return folder === undefined ? [] : [[name, join(folder, name, 'package.json')] as const]
    }),
  ].map(([name, path]) => [name, pathToFileURL(path)])
}
