/** The front of a page in a real browser: with its links, and without a script. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { marketPage } from '../../../scenarios/bidding/page.ts'
import { marketLines } from '../../trace/traces.ts'
import { overhang } from './axe.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { reportWith, visit, writePage } from './pages.ts'

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testFront(path)

function testFront(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-front-'))
  let browser: Browser
  let [url, lost] = ['', '']

  test.before(async () => {
    browser = await browserAt(executablePath)
    // nobody queries, so nobody misses the task that dies with its machine
    const lines = await marketLines({ tasks: 10, query: null, faults: ['kill @m3 at 60'] })
    const runs = [{ name: '', lines, page: marketPage }]
    const made = await reportWith(runs)
    const [objects] = made.runs[0]?.objects ?? []
    lost = `task ${objects?.rows[objects.bad[0] ?? -1]?.[0]}`
    const checks = [{ name: 'every task ends', ok: false, measured: 1, expected: 0, tolerance: null, evidence: [lost] }]
    url = await writePage(join(folder, 'lost.html'), await reportWith(runs, { checks }))
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  test('one click on a failed check leads to the moment when its task dies', () =>
    visit(browser, url, async (page) => {
      assert.match(lost, /^task \d+$/)
      await page.click(`.failures a:has-text("${lost}")`)
      await page.locator('#details h4', { hasText: 'died' }).waitFor()
      assert.match(await page.locator('#details').innerText(), /time\s+60\b/)
      assert.is(await page.locator('#topic').inputValue(), lost.replace('task ', ''))
      assert.ok(await page.locator('#diagram').isVisible())
    }))

  test('a link in the address of a page is followed when it is opened', () =>
    visit(browser, `${url}#at=60000000`, async (page) => {
      await page.locator('#details h4').waitFor()
      assert.match(await page.locator('#details').innerText(), /time\s+60\b/)
    }))

  test('a long line of text makes no page wider than a phone', async () => {
    const report = await reportWith([], { text: `jobs: ${'a'.repeat(400)}\n${'0 1 '.repeat(60)}` })
    const wide = await writePage(join(folder, 'wide.html'), report)
    const size = { viewport: { width: 390, height: 844 } }
    await visit(browser, wide, async (page) => assert.is(await overhang(page), 0), size)
  })

  test('a table of tasks is cut at no width of the window, and the page is never wider than the window', () =>
    visit(browser, url, async (page) => {
      for (const width of [390, 620, 680, 700, 740, 900, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const cut = await page.locator('.objects .list').evaluate((list) => list.scrollWidth - list.clientWidth)
        assert.is(cut, 0, `at ${width} pixels`)
        assert.is(await overhang(page), 0, `at ${width} pixels`)
      }
    }))

  test('a wide table is printed whole, on pages across', async () => {
    const columns = Array.from({ length: 10 }, (_, i) => ({ name: `a long name ${i} [units]` }))
    const table = { columns, rows: [columns.map(() => '1234.56 ± 78.90')] }
    const report = await reportWith([], { exhibits: { tables: [table] } })
    await visit(browser, await writePage(join(folder, 'across.html'), report), async (page) => {
      for (const width of [390, 700, 1000]) {
        await page.setViewportSize({ width, height: 800 })
        assert.is(await overhang(page), 0, `at ${width} pixels`)
      }
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      assert.match(pdf, /MediaBox \[0 0 792 612\]/)
      // the pixels of such a page between its margins
      await page.setViewportSize({ width: 980, height: 700 })
      await page.emulateMedia({ media: 'print' })
      assert.is(await overhang(page), 0)
    })
  })

  test('the answer, the results and the checks can be read without a script', () =>
    visit(
      browser,
      url,
      async (page) => {
        const text = await page.locator('main').innerText()
        for (const said of ['✗ 1 check failed', `m3 died at 60.00 and stayed dead`, 'a table', 'npx tsx test', lost])
          assert.ok(text.includes(said), `${said} is not in ${text}`)
        assert.match(text, 'drawn by a script')
      },
      { javaScriptEnabled: false },
    ))

  test('a dot of a picture leads to its task, in the run that it is of', async () => {
    const lines = await marketLines({ tasks: 6 })
    const runs = ['one', 'two', 'three'].map((name) => ({ name, lines, page: marketPage }))
    const several = await writePage(join(folder, 'three.html'), await reportWith(runs))
    await visit(browser, several, async (page) => {
      const dot = page.locator('.picture:has-text("Flow time") .panels > div:has-text("three") circle').first()
      const [task = ''] = /task \d+/.exec((await dot.textContent()) ?? '') ?? []
      await dot.click()
      await page.locator('.life h4', { hasText: task }).waitFor()
      assert.is(await page.locator('[role=tab][aria-selected=true]').innerText(), 'three')
    })
  })

  test('the pictures can be seen without a script, in the colours of the page', () =>
    visit(
      browser,
      url,
      async (page) => {
        assert.is(await page.locator('#answer > .pictures svg').count(), 2)
        assert.match(await page.locator('.picture .band title').first().innerHTML(), 'm3 dead')
        const colors = await page.evaluate(() => [
          getComputedStyle(document.querySelector('.picture svg text:not(.faint)') ?? document.body).fill,
          getComputedStyle(document.body).color,
        ])
        assert.is(colors[0], colors[1])
      },
      { javaScriptEnabled: false, colorScheme: 'dark' },
    ))

  test('the Tab key moves through the positions of a chart, and each shows its values', async () => {
    const points = [1, 2, 3].map((x) => ({ x, y: 10 * x }))
    const chart = { title: 'A study', x: { label: 'load' }, y: { label: 'yield' }, series: [{ name: 'ours', points }] }
    const study = await writePage(join(folder, 'study.html'), await reportWith([], { exhibits: { charts: [chart] } }))
    await visit(browser, study, async (page) => {
      const readout = (place: number) => page.locator(`.chart .wide .column >> nth=${place}`).locator('.readout')
      await page.locator('.chart .wide .column').first().focus()
      for (const place of [0, 1, 2]) {
        const shown = await Promise.all([0, 1, 2].map((other) => readout(other).isVisible()))
        assert.equal(
          shown,
          [0, 1, 2].map((other) => other === place),
        )
        assert.match((await readout(place).textContent()) ?? '', `ours: ${10 * (place + 1)}`)
        await page.keyboard.press('Tab')
      }
    })
  })

  test('a click on the head of a table sorts it', () =>
    visit(browser, url, async (page) => {
      const names = () => page.locator('#options tbody tr th').allTextContents()
      const before = await names()
      await page.click('summary:has-text("Options")')
      for (const way of ['ascending', 'descending']) {
        await page.click('#options .sort >> nth=0')
        assert.is(await page.locator('#options thead th >> nth=0').getAttribute('aria-sort'), way)
      }
      assert.equal(await names(), before.toSorted().reverse())
    }))

  test.run()
}
