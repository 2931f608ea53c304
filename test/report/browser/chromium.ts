/** A real browser for the tests of pages. */
import { type Browser, chromium } from 'playwright-core'
import { programPath } from '../../programs.ts'

const PATHS = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'],
  ...['/snap/bin/chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const NO_BROWSER =
  'no Chromium was found: install it (Debian: apt-get install chromium), or name it: CHROMIUM=/path/to/chromium'

export const chromiumPath = (): string | undefined => programPath('CHROMIUM', PATHS)

const QUIET = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map((what) => `--disable-${what}`)

export const browserAt = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run', ...QUIET] })
