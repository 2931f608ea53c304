/** Report pages are free of the serious faults that axe-core finds: on a large and a small screen, light, dark and printed. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FAMILIES } from '../../../scenarios/families.ts'
import { exampleOf } from '../../../scenarios/family.ts'
import { TYPESCRIPT } from '../../typescript.ts'
import { faultsOf, SCREENS } from './axe.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { visit } from './pages.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A study of each kind, and its flags. */
const STUDIES = [
  ['a calculation', 'mesh/efficiency'],
  [
    'a figure with categories, the values of the paper and runs that are too short',
    'bidding/table-1',
    '--quick',
    '--only',
    '2,2,2,2',
  ],
  ['a figure with points beyond the axis', 'contracts/figure-6', '--tasks', '30', '--seeds', '2', '--loads', '1.5'],
] as const

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testPages(path)

function testPages(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-axe-'))
  let browser: Browser

  test.before(async () => {
    browser = await browserAt(executablePath)
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  /** The page of a command, which may fail. */
  async function pageOf(name: string, scenario: string, ...args: readonly string[]): Promise<string> {
    const file = join(folder, `${name}.html`)
    const command = [...TYPESCRIPT, join(root, 'scenarios', `${scenario}.ts`), ...args, '--quiet', '--report', file]
    await promisify(execFile)(process.execPath, command, { cwd: root }).catch(({ code }) => assert.is(code, 1))
    return `file://${file}`
  }

  async function check(url: string): Promise<void> {
    for (const screen of SCREENS) {
      const { colorScheme, viewport } = screen
      const read = async (page: Page): Promise<void> => {
        await page.locator('#diagram, #results').first().waitFor()
        assert.equal(await faultsOf(page), [], colorScheme)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(wide <= viewport.width, `${colorScheme}: the page is ${wide} pixels wide on ${viewport.width}`)
        if (colorScheme === 'light') return
        await page.emulateMedia({ media: 'print' })
        assert.equal(await faultsOf(page), [], 'printed')
      }
      await visit(browser, url, read, screen)
    }
  }

  for (const family of FAMILIES) {
    const [example] = exampleOf(family)
    test(`the page of ${example} can be read by all`, async () => check(await pageOf(family.name, example)))
  }

  test('the page of a run with a failed check can be read by all, with a task selected', async () => {
    const args = ['--tasks', '20', '--speeds', '2,1,1', '--runtime', 'inline', '--fault', 'kill @m1 at 60']
    await check(`${await pageOf('failed', 'bidding/market', ...args)}#object=task+3`)
  })

  for (const [what, name, ...args] of STUDIES) {
    test(`the page of ${what} can be read by all`, async () => check(await pageOf('figure', name, ...args)))
  }

  test.run()
}
