/** Lets this process, and the processes that it starts, load TypeScript. */

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const LOADER = /\b(tsx|ts-node|swc|loader)\b/

/** A checkout runs from TypeScript, so it has a loader; a user may have started this process with one, such as `tsx`. */
let isReady =
  import.meta.url.endsWith('.ts') || LOADER.test([...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' '))

/** The arguments with which a new process of Node loads TypeScript: the loaders that this process was started with, or tsx. */
export function loaderArguments(): readonly string[] {
  const given = process.execArgv.filter((value, i) => process.execArgv[i - 1] === '--import' && LOADER.test(value))
  const tsx = () => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return (given.length > 0 ? given : [tsx()]).flatMap((loader) => ['--import', loader])
}

/** Registers tsx, for all later imports. Does nothing if it, or another loader, is there. */
export async function loadTypeScript(): Promise<void> {
  if (isReady) return
  isReady = true
  const { register } = await import('tsx/esm/api')
  register()
}

/** Whether Node itself loads TypeScript: from version 22.18 on, and without types that need a compiler. */
const isNative = 'typescript' in process.features && Boolean(process.features.typescript)

/** Imports a module of the user by its URL, also from TypeScript. */
export async function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  if (/\.[cm]?tsx?$/.test(url) && !isNative) await loadTypeScript()
  return import(url)
}
