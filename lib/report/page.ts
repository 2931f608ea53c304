/** The page as one HTML document. It loads nothing from elsewhere, and its data is never read as markup. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { renderToString } from 'preact-render-to-string'
import { titleOf } from './title.ts'
import type { Report } from './types.ts'
import { answer, results } from './view/front.ts'

/** The scripts of pages: of one without runs, of one with runs, and of a live one. */
export const SCRIPTS = ['front', 'runs', 'live'] as const
export type ScriptName = (typeof SCRIPTS)[number]

/** The style and the scripts of pages. */
export type Parts = { readonly style: string } & { readonly [name in ScriptName]: string }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const scriptOf = ({ runs, isLive }: Report): ScriptName => (isLive ? 'live' : runs.length > 0 ? 'runs' : 'front')

/** The content security policy: only the page's own script and style may run; a live page may also ask its own server. */
export function policyOf(report: Report, parts: Parts): string {
  const [style, script] = [hashOf(parts.style), hashOf(parts[scriptOf(report)])]
  const policy = `default-src 'none'; img-src data:; style-src ${style}; script-src ${script}`
  return report.isLive ? `${policy}; connect-src 'self'` : policy
}

export function pageOf(report: Report, parts: Parts): string {
  const { runs, omitted, pairs, isLive = false } = report
  const data = gzipSync(JSON.stringify({ runs, omitted, pairs })).toString('base64')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(report, parts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(titleOf(report))}</title>
<style>${parts.style}</style>
</head>
<body>
<main>
${renderToString(answer(report))}
<div id="runs">${runs.length > 0 || isLive ? NO_SCRIPT : ''}</div>
${renderToString(results(report))}
</main>
<script type="application/gzip;base64" id="data">${data}</script>
<script type="module">${parts[scriptOf(report)]}</script>
</body>
</html>
`
}

const NO_SCRIPT = '<noscript><p>The runs are drawn by a script, which is switched off here.</p></noscript>'

const at = (file: string): string => fileURLToPath(new URL(`./page/${file}`, import.meta.url))

/** The style and the scripts of every page. In the installed package the scripts are bundled already. */
export async function partsOf(): Promise<Parts> {
  const style = (await readFile(at('style.css'), 'utf8')).replaceAll('\r', '').trim()
  if (!existsSync(at('runs.js'))) return { style, ...(await bundled()) }
  const [front, runs, live] = await Promise.all(SCRIPTS.map((name) => readFile(at(`${name}.js`), 'utf8')))
  return { style, front: front ?? '', runs: runs ?? '', live: live ?? '' }
}

/** Bundles the scripts of pages. */
export async function bundled(): Promise<{ readonly [name in ScriptName]: string }> {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    entryPoints: SCRIPTS.map((name) => at(`${name}.ts`)),
    bundle: true,
    write: false,
    outdir: '.',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  // the parser of a page normalizes line ends, which would change the hashes
  const [front = '', runs = '', live = ''] = outputFiles.map(({ text }) => text.trim())
  return { front, runs, live }
}

/** The page of a report: one HTML file that loads nothing from elsewhere. */
export const htmlOf = async (report: Report): Promise<string> => pageOf(report, await partsOf())
