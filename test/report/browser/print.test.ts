/** Report pages on paper, in a real browser: all that a reader cannot open or scroll there is shown. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { marketPage } from '../../../scenarios/bidding/page.ts'
import { marketLines } from '../../trace/traces.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { reportWith, visit, writePage } from './pages.ts'

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testPrint(path)

function testPrint(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-print-'))
  let browser: Browser
  let [market, three] = ['', '']

  test.before(async () => {
    browser = await browserAt(executablePath)
    const lines = await marketLines({ tasks: 30, faults: ['kill @m1 at 60', 'restart @m1 at 120'] })
    const run = { name: '', lines, page: marketPage }
    market = await writePage(join(folder, 'market.html'), await reportWith([run]))
    const runs = ['one', 'two', 'three'].map((name) => ({ ...run, name }))
    three = await writePage(join(folder, 'three.html'), await reportWith(runs))
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const begin = async (page: Page): Promise<void> => {
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
  }
  const end = async (page: Page): Promise<void> => {
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  }
  const rows = (page: Page): Promise<number> => page.locator('.objects tbody tr').count()
  const folded = (page: Page): Promise<number> => page.locator('details:not([open])').count()

  test('paper has all rows of a table and opens what is folded; afterwards the page is as before', () =>
    visit(browser, market, async (page) => {
      const before = await folded(page)
      assert.ok(before > 1)
      assert.is(await rows(page), 10)
      await begin(page)
      assert.is(await rows(page), 30)
      assert.is(await folded(page), 0)
      assert.ok((await page.locator('#shares tbody tr').count()) > 0, 'what opening makes is there')
      await end(page)
      assert.is(await rows(page), 10)
      assert.is(await folded(page), before)
    }))

  test('on paper pictures have the width of a sheet and dark names, also from a dark screen', () =>
    visit(
      browser,
      market,
      async (page) => {
        const look = () =>
          page.locator('#timeline').evaluate((canvas) => {
            if (!(canvas instanceof HTMLCanvasElement)) return null
            const { width, height } = canvas
            // the names of the rows
            const data = canvas.getContext('2d')?.getImageData(0, height / 2, 60, height / 2).data ?? []
            const inks = Array.from(data).filter((_, i) => i % 4 === 0 && (data[i + 3] ?? 0) > 200)
            return { width, isDark: inks.reduce((sum, ink) => sum + ink, 0) / inks.length < 128 }
          })
        const before = await look()
        assert.is(before?.isDark, false)
        await begin(page)
        assert.equal(await look(), { width: 1400, isDark: true })
        await end(page)
        await page.waitForFunction(
          (width) => document.querySelector('canvas#timeline[width]')?.getAttribute('width') === width,
          String(before?.width),
        )
        assert.equal(await look(), before)
      },
      { colorScheme: 'dark' },
    ))

  test('paper has no controls, and its tables have heads that each page can repeat', () =>
    visit(browser, market, async (page) => {
      await begin(page)
      for (const control of ['.tools', '.copyable button', '.end', '.objects p button', '.tabs'])
        for (const one of await page.locator(control).all()) assert.not(await one.isVisible(), control)
      // Chromium repeats no head that has a box of a button
      const displays = await page
        .locator('thead .sort')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).display))
      assert.equal([...new Set(displays)], ['contents'])
    }))

  test('of several runs paper has the chosen one, and says so', () =>
    visit(browser, three, async (page) => {
      assert.not(await page.locator('.printed').isVisible())
      await page.click('[role=tab]:has-text("two")')
      await begin(page)
      assert.match(await page.locator('.printed').innerText(), /^Of 3 runs, this is “two”\./)
      assert.not(await page.locator('[role=tablist]').isVisible())
    }))

  test.run()
}
