/** A real browser for the tests of pages. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATHS = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'],
  ...['/snap/bin/chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const NO_BROWSER =
  'no Chromium was found: install it (Debian: apt-get install chromium), or name it: CHROMIUM=/path/to/chromium'

/** Where it is; undefined: nowhere. */
export function chromiumPath(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM: there is no ${named}`)
  return named ?? PATHS.find((path) => existsSync(path))
}

const QUIET = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map((what) => `--disable-${what}`)

export const browserAt = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run', ...QUIET] })
