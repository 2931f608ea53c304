/** Bundles the scripts of report pages into a folder: `prebuilt.ts FOLDER`. The package has them, so it bundles none. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundled } from './page.ts'

const [, , folder = ''] = process.argv
mkdirSync(folder, { recursive: true })
for (const [name, script] of Object.entries(await bundled())) writeFileSync(join(folder, `${name}.js`), script)
copyFileSync(fileURLToPath(new URL('./page/style.css', import.meta.url)), join(folder, 'style.css'))
