/** A short digest of everything that a comparison depends on: xstate, the engines, the machines, and the comparison itself. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const FOLDERS = ['lib/engine/', 'actors/', 'test/engine/']

export function sourcesDigest(): string {
  const hash = createHash('sha256')
  for (const folder of FOLDERS) {
    const url = new URL(`../../${folder}`, import.meta.url)
    const paths = readdirSync(fileURLToPath(url), { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    for (const path of paths.sort()) hash.update(`${folder}${path}\n`).update(readFileSync(new URL(path, url)))
  }
  const { version }: { version: string } = createRequire(import.meta.url)('xstate/package.json')
  return `xstate ${version}, sources ${hash.digest('hex').slice(0, 16)}`
}
