/** The page as one HTML document. It loads nothing from elsewhere, and its data is never read as markup. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Report, ShownRun } from './types.ts'

export interface Parts {
  readonly style: string
  readonly script: string
}

/** JSON for a script element: no HTML parser finds the end of the element in it. */
export const inScript = (data: Report | ShownRun): string => JSON.stringify(data).replaceAll('<', '\\u003c')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The content security policy: only the page's own script and style may run; a live page may also ask its own server. */
export function policyOf({ style, script }: Parts, isLive = false): string {
  const policy = `default-src 'none'; img-src data:; style-src ${hashOf(style)}; script-src ${hashOf(script)}`
  return isLive ? `${policy}; connect-src 'self'` : policy
}

export function pageOf(report: Report, parts: Parts): string {
  const { style, script } = parts
  const policy = policyOf(parts, report.isLive)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(report.scenario)} - Bourse</title>
<style>${style}</style>
</head>
<body>
<noscript>This page draws a run with a script of its own, which is switched off.</noscript>
<script type="application/json" id="report">${inScript(report)}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

const main = fileURLToPath(new URL('./page/main.ts', import.meta.url))
const built = fileURLToPath(new URL('./page/script.js', import.meta.url))
const styles = fileURLToPath(new URL('./page/style.css', import.meta.url))

/** The style and the script of every page. In the installed package the script is bundled already. */
export async function partsOf(): Promise<Parts> {
  const style = (await readFile(styles, 'utf8')).replaceAll('\r', '').trim()
  return { style, script: existsSync(built) ? await readFile(built, 'utf8') : await scriptOf() }
}

/** Bundles the script of every page. */
export async function scriptOf(): Promise<string> {
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
  // the parser of a page normalizes line ends, which would change the hashes
  return outputFiles.map(({ text }) => text.trim()).join('\n')
}

/** The page of a report: one HTML file that loads nothing from elsewhere. */
export const htmlOf = async (report: Report): Promise<string> => pageOf(report, await partsOf())
