/** Bundles the script of report pages into a folder: `prebuilt.ts FOLDER`. The package has it, so it bundles none. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptOf } from './page.ts'

const [, , folder = ''] = process.argv
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'script.js'), await scriptOf())
copyFileSync(fileURLToPath(new URL('./page/style.css', import.meta.url)), join(folder, 'style.css'))
