/** How a trace names the modules of actors, so that it means the same in every copy of the package. */
import { relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The path of a module from the root of the package, with `/`. */
export const nameOfModule = (url: string): string => relative(root, fileURLToPath(url)).replaceAll(sep, '/')

/** The file URL of what is so named. */
export const urlOfModule = (name: string): string => pathToFileURL(resolve(root, name)).href
