/** The page of a run that does not fit on it, in a real browser: what is not there is never told as if nothing had happened. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { LIMITS, shownRun } from '../../../lib/report/model.ts'
import { marketPage } from '../../../scenarios/bidding/page.ts'
import { marketLines } from '../../trace/traces.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { reportWith, visit, writePage } from './pages.ts'

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testCut(path)

function testCut(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-cut-'))
  let browser: Browser
  let url = ''
  let until = 0

  test.before(async () => {
    browser = await browserAt(executablePath)
    const recorded = {
      name: '',
      lines: await marketLines({ tasks: 10, faults: ['kill @m1 at 60', 'restart @m1 at 120'] }),
      page: marketPage,
    }
    const cut = await shownRun(recorded, { ...LIMITS, events: 60, bars: 4 })
    until = cut.until
    url = await writePage(join(folder, 'cut.html'), { ...(await reportWith([recorded])), runs: [cut] })
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const text = (page: Page, where: string) => page.locator(where).innerText()

  test('the statechart says at which moment the events of the page end', () =>
    visit(browser, url, async (page) => {
      assert.match(await text(page, '#state'), /^\S+ at [\d.]+, where the events of this page end: /)
    }))

  test('the part of a timeline without bars says that they are not on the page', () =>
    visit(browser, url, async (page) => {
      const { width = 0 } = (await page.locator('#timeline').boundingBox()) ?? {}
      await page.locator('#timeline').hover({ position: { x: 0.75 * width, y: 55 } })
      assert.match(await text(page, '.surface:has(#timeline) .tip'), /^bars not on this page/)
      await page.locator('#shares summary').click()
      assert.match(await text(page, '#shares thead'), 'not on this page')
    }))

  test('a link beyond the events of the page selects none, and says where they end', async () => {
    const said = async (fragment: string): Promise<string> => {
      let says = ''
      await visit(browser, `${url}${fragment}`, async (page) => {
        says = await text(page, '#beyond')
        if (fragment === `#at=${until}`) assert.match(await text(page, '#details'), /^Click an event/)
      })
      return says
    }
    assert.match(await said(`#at=${until}`), /^Time [\d.]+ is after the events of this page, which end at [\d.]+\.$/)
    assert.match(await said('#actor=%40m1'), /^m1 died at 60, after the events of this page, which end at [\d.]+\.$/)
    assert.match(
      await said('#object=task+9'),
      /^task 9 lasts until [\d.]+, and the events of this page end at [\d.]+\.$/,
    )
    assert.is(await said('#object=task+99'), 'task 99 is not in the tables of this page.')
    assert.is(await said('#at=1'), '')
  })

  test('a click in the timeline beyond the events of the page selects none', () =>
    visit(browser, url, async (page) => {
      const { width = 0 } = (await page.locator('#timeline').boundingBox()) ?? {}
      await page.locator('#timeline').click({ position: { x: width - 5, y: 55 } })
      assert.match(await text(page, '#beyond'), /^Time [\d.]+ is after the events of this page/)
      await page.click('#back')
      assert.is(await text(page, '#beyond'), '')
    }))

  test.run()
}
