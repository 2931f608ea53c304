/**
 * Loads one file of the project from another place. A process that is started with `--import` of this module, after the
 * loader of the tests, meets a mutant there, and takes everything else as it is.
 */
import module from 'node:module'
import { pathToFileURL } from 'node:url'

const urlIn = (variable) => pathToFileURL(process.env[variable] ?? '').href
/** The file that the mutant changes, and the file with its text. */
const [original, mutant] = [urlIn('BOURSE_MUTATED'), urlIn('BOURSE_MUTANT')]

/** Loads a module; the mutant keeps the URL of the original, so that its imports stay the same. */
export function load(url, context, next) {
  return next(url === original ? mutant : url, context)
}

if (module.registerHooks === undefined) module.register(import.meta.url)
else module.registerHooks({ load })
