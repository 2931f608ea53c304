/** The version of this package. */
import { createRequire } from 'node:module'
import { isObject } from './data.ts'

const manifest: unknown = createRequire(import.meta.url)('bourse/package.json')

export const VERSION: string = isObject(manifest) ? String(manifest['version']) : ''
