/** Lets this process load TypeScript. */

/** A checkout runs from TypeScript, so it has a loader; a user may have started this process with one, such as `tsx`. */
let isReady =
  import.meta.url.endsWith('.ts') ||
  /\b(tsx|ts-node|swc|loader)\b/.test([...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' '))

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
