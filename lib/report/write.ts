/** Makes the page of a report, with its script in one piece. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Parts, pageOf } from './page.ts'
import type { Report } from './types.ts'

const main = fileURLToPath(new URL('./page/main.ts', import.meta.url))
const styles = fileURLToPath(new URL('./page/style.css', import.meta.url))

/** Style and script of every page. */
export async function partsOf(): Promise<Parts> {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    entryPoints: [main],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  // a page is read as its parser has it: with other line ends the hashes would be others
  const script = outputFiles.map(({ text }) => text.trim()).join('\n')
  return { style: (await readFile(styles, 'utf8')).replaceAll('\r', '').trim(), script }
}

export const htmlOf = async (report: Report): Promise<string> => pageOf(report, await partsOf())
