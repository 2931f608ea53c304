/** Pages that compare two runs, in a real browser: both halves have one window, one filter, one selection and the same colours. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../../lib/actor.ts'
import type { Recorded } from '../../../lib/report/model.ts'
import { marketPage } from '../../../scenarios/bidding/page.ts'
import { marketLines } from '../../trace/traces.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { reportWith, visit, writePage } from './pages.ts'

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testPairs(path)

function testPairs(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-pairs-'))
  let browser: Browser
  let runs: readonly Recorded[] = []

  test.before(async () => {
    browser = await browserAt(executablePath)
    const network = { latency: units(2), jitter: 0, loss: 0, duplicate: 0 }
    const all = [
      await marketLines({ tasks: 10 }),
      await marketLines({ tasks: 10, faults: ['kill @m3 at 60', 'restart @m3 at 120'] }),
      await marketLines({ tasks: 10, network }),
    ]
    runs = all.map((lines, i) => ({ name: `run ${i + 1}`, lines, page: marketPage }))
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const windows = (page: Page): Promise<string[]> => page.locator('[id=window], [id=window-2]').allInnerTexts()

  const on = async (some: readonly Recorded[], use: (page: Page) => Promise<void>): Promise<void> =>
    visit(browser, await writePage(join(folder, 'pair.html'), await reportWith(some)), use)

  /** Both halves show one window, which is returned. */
  async function oneWindow(page: Page, after: string): Promise<string> {
    const [one = '', other] = await windows(page)
    assert.is(other, one, after)
    return one
  }

  test('two runs begin with one window, and keep one when a reader selects, steps, zooms and follows a task', () =>
    on(runs.slice(1), async (page) => {
      const seen = [await oneWindow(page, 'at the beginning')]
      for (let i = 0; i < 3; i++) await page.click('#forward')
      seen.push(await oneWindow(page, 'after steps'))
      await page.focus('#timeline')
      await page.keyboard.press('+')
      seen.push(await oneWindow(page, 'after a zoom'))
      await page.locator('.objects a').nth(6).click()
      await page.locator('.life h4').first().waitFor()
      seen.push(await oneWindow(page, 'after a link to a task'))
      await page.locator('#diagram-2').click({ position: { x: 400, y: 200 } })
      seen.push(await oneWindow(page, 'after a click in the second half'))
      await page.locator('button:has-text("Whole run")').nth(1).click()
      assert.match(await oneWindow(page, 'after the whole run'), /^all /)
      assert.ok(new Set(seen).size > 2, seen.join('; '))
    }))

  test('what is below the titles is side by side, also if one of them is long', () =>
    on(
      [{ ...runs[0], lines: runs[0]?.lines ?? [], name: 'a long name '.repeat(20) }, ...runs.slice(1, 2)],
      async (page) => {
        const heights = await page
          .locator('.run .overview, .run .timeline')
          .evaluateAll((all) => all.map((part) => Math.round(part.getBoundingClientRect().y)))
        const [one, other] = [heights.slice(0, heights.length / 2), heights.slice(heights.length / 2)]
        assert.equal(one, other)
      },
    ))

  test('a type of messages has one colour in both halves, and what only one run has is counted', () =>
    on([...runs.slice(0, 1), ...runs.slice(2)], async (page) => {
      const colors = await page
        .locator('.run')
        .evaluateAll((all) =>
          all.map((run) =>
            [...run.querySelectorAll('.legend:not([hidden]) li:has(.swatch)')].map(
              (li) =>
                `${li.textContent} ${li.querySelector('.swatch')?.className} ${li.querySelector('.swatch')?.getAttribute('style')}`,
            ),
          ),
        )
      const [one = [], other = []] = colors.map((own) => own.filter((text) => !text.startsWith('others')))
      const inks = new Map(one.map((text) => [text.split(' ')[0], text]))
      const shared = other.filter((text) => inks.has(text.split(' ')[0]))
      assert.ok(shared.length >= 4, colors.join(' | '))
      for (const text of shared) assert.is(text, inks.get(text.split(' ')[0]))
      assert.match(
        await page.locator('.legend:has-text("as in the other run")').first().innerText(),
        /only in this run: \d+/,
      )
    }))

  test('pairs of a page are tabs, and a link into a run opens its pair', async () => {
    const whole = await reportWith(runs)
    const focus = [20, 30, 100]
    const report = { ...whole, runs: whole.runs.map((run, i) => ({ ...run, focus: focus[i] ?? -1 })) }
    const pairs = [
      { name: 'first', runs: [0, 1] },
      { name: 'second', runs: [0, 2] },
    ]
    await visit(browser, await writePage(join(folder, 'pairs.html'), { ...report, pairs }), async (page) => {
      const names = (): Promise<string[]> => page.locator('.run h2').allInnerTexts()
      assert.equal(await names(), ['run 1', 'run 2'])
      await page.click('[role=tab]:has-text("second")')
      assert.equal(await names(), ['run 1', 'run 3'])
      const [one, other] = await page.locator('#details h4, #details-2 h4').allInnerTexts()
      assert.is(one, other, 'a run of two pairs opens where the other run of the pair does')
      await oneWindow(page, 'in the second pair')
      await page.evaluate(() => location.assign('#at=60000000&run=2'))
      await page.locator('.run h2:has-text("run 2")').waitFor()
      assert.equal(await names(), ['run 1', 'run 2'])
      await oneWindow(page, 'after a link')
      assert.match(await page.locator('#details-2 table').first().innerText(), /time\s+60\b/)
    })
  })
}

test.run()
