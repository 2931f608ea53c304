/** The files of modules that code names by URLs or paths. */
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const found = new Map<string, string>()

/**
 * The `file:` URL of a module that its user names by a URL or by a path.
 *
 * A compiler changes the paths of imports, but not that of `new URL('./pong.ts', import.meta.url)`. So where there is no
 * `pong.ts`, that name means the `pong.js` in the same folder.
 */
export function urlOfFile(module: URL | string): string {
  const named = String(module)
  const known = found.get(named)
  if (known !== undefined) return known
  const url = typeof module === 'string' && !/^[a-z][a-z+.-]+:/i.test(module) ? pathToFileURL(module).href : named
  const file = compiledFor(url) ?? url
  found.set(named, file)
  return file
}

/** The path of such a module. */
export const pathOfFile = (module: URL | string): string => fileURLToPath(urlOfFile(module))

/** The compiled module in place of a missing source; undefined if there is the source, or neither. */
function compiledFor(url: string): string | undefined {
  if (!url.startsWith('file:') || !/\.[cm]?ts$/.test(url)) return undefined
  const compiled = url.replace(/ts$/, 'js')
  return !existsSync(new URL(url)) && existsSync(new URL(compiled)) ? compiled : undefined
}
