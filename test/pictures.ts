/** `npm run pictures [-- NAME]`: the README's pictures, each of the report page of a run, as a browser shows it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { browserAt, chromiumPath, NO_BROWSER } from './report/browser/chromium.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'lib/report/pictures')

/** What is run, and how far it is stepped before it is shown. */
const PICTURES: Readonly<Record<string, { readonly command: string; readonly steps?: number }>> = {
  bidding: {
    command:
      'bidding/market --tasks 40 --latency 1 --query 20 --timeout 10 --kill=@m1_at_285 --fault=restart_@m1_at_420',
    steps: 8,
  },
  shares: {
    command: 'shares/cluster --until 4000 --quantum 50 --latency 1 --fault=cut_m1_|_m2,m3,m4_at_1500_until_2500',
  },
  economy: { command: 'economy/run --processors 24 --load 0.9 --span 1500' },
  contracts: { command: 'contracts/run --tasks 60 --sites 2 --processors 2' },
  mesh: { command: 'mesh/run --jobs 14 --load 6 --short 0.3 --long-mean 400 --mesh 8x8 --interval 20 --leaders 6' },
}

async function take(browser: Browser, name: string, folder: string): Promise<void> {
  const { command = '', steps = 0 } = PICTURES[name] ?? {}
  const [scenario = '', ...flags] = command.split(' ').map((word) => word.replaceAll('_', ' '))
  const page = join(folder, `${name}.html`)
  const args = ['--import', 'tsx', join(root, 'scenarios', `${scenario}.ts`), '--runtime', 'inline', '--quiet']
  execFileSync(process.execPath, [...args, ...flags, '--report', page], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const tab = await browser.newPage({ viewport: { width: 1120, height: 900 } })
  await tab.goto(`file://${page}`)
  await tab.waitForFunction(`document.querySelector('#sight')?.textContent !== ''`)
  for (let step = 0; step < steps; step++) await tab.click('#forward')
  await tab.mouse.move(0, 0)
  await tab.evaluate('scrollTo(0, 0)')
  await tab.waitForTimeout(300)
  const top = await tab.locator('.run').boundingBox()
  const end = await tab.locator('#sight').boundingBox()
  if (!top || !end) throw new Error(`${name}: there is nothing to show`)
  const clip = { x: top.x - 8, y: top.y, width: top.width + 16, height: end.y - top.y }
  await tab.screenshot({ path: join(target, `${name}.png`), clip, fullPage: true })
  await tab.close()
  console.log(`lib/report/pictures/${name}.png`)
}

const path = chromiumPath()
if (path === undefined) {
  console.error(NO_BROWSER)
  process.exitCode = 1
} else {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-pictures-'))
  mkdirSync(target, { recursive: true })
  const browser = await browserAt(path)
  try {
    const wanted = process.argv.slice(2)
    for (const name of Object.keys(PICTURES))
      if (wanted.length === 0 || wanted.includes(name)) await take(browser, name, folder)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}
