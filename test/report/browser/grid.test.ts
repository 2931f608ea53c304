/** The map of a mesh on a page, in a real browser: the moment that it shows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Line, TRACE_VERSION } from '../../../lib/trace/lines.ts'
import { meshPage } from '../../../scenarios/mesh/page.ts'
import { faultsOf } from './axe.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { reportWith, visit, writePage } from './pages.ts'

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testGrid(path)

const SECOND = 1_000_000

/** A job that moves to a block of 2 x 2 at 1 s, computes from 2 s, moves to one of 4 x 4 at 5 s, computes from 6 s and ends at 9 s. */
function jobLines(): Line[] {
  const who = 'job@0,0'
  const small = { row: 0, column: 0, rows: 2, columns: 2 }
  const large = { row: 0, column: 0, rows: 4, columns: 4 }
  const facts = [
    [1, { type: 'began', job: 1 }],
    [1, { type: 'moved', job: 1, partition: small }],
    [2, { type: 'resumed', job: 1 }],
    [5, { type: 'moved', job: 1, partition: large }],
    [6, { type: 'resumed', job: 1 }],
    [9, { type: 'ended', job: 1 }],
  ] as const
  return [
    { t: 'trace', version: TRACE_VERSION, seed: 1 },
    { t: 'spawn', who, slot: 1, at: 0, life: 0, module: 'nowhere.ts', input: null },
    { t: 'start', at: 0, who },
    ...facts.flatMap(([at, fact], n): Line[] => [
      { t: 'timer', at: at * SECOND, who, id: 't', n, kind: 'protocol', event: { type: 'x' } },
      { t: 'fact', at: at * SECOND, who, fact },
    ]),
    { t: 'end' },
  ]
}

/** A job that moves a hundred times, and computes from then on. */
function moverLines(): Line[] {
  const [head, spawn, start] = jobLines()
  const partition = { row: 0, column: 0, rows: 4, columns: 4 }
  const facts = [
    { type: 'began', job: 1 },
    ...Array.from({ length: 100 }, () => ({ type: 'moved', job: 1, partition })),
    { type: 'resumed', job: 1 },
  ]
  return [
    ...[head, spawn, start].flatMap((line) => line ?? []),
    ...facts.flatMap((fact, n): Line[] => [
      { t: 'timer', at: n * SECOND, who: 'job@0,0', id: 't', n, kind: 'protocol', event: { type: 'x' } },
      { t: 'fact', at: n * SECOND, who: 'job@0,0', fact },
    ]),
    { t: 'end' },
  ]
}

function testGrid(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-grid-'))
  let browser: Browser
  let url = ''
  let late = ''

  test.before(async () => {
    browser = await browserAt(executablePath)
    url = await writePage(
      join(folder, 'mesh.html'),
      await reportWith([{ name: '', lines: jobLines(), page: meshPage }]),
    )
    late = await writePage(
      join(folder, 'late.html'),
      await reportWith([{ name: '', lines: moverLines(), page: meshPage }]),
    )
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const map = (page: Page) => page.locator('#grid').getAttribute('aria-label')
  const title = (page: Page) => page.locator('div:has(> #grid) h4').innerText()

  test('the map opens at the moment with most covered cells and no move', () =>
    visit(browser, url, async (page) => {
      assert.is(await title(page), 'The mesh at 6 s')
      assert.is(await map(page), 'job 1 computes on 0,0 4x4: computing, 6 to 9')
      assert.equal(await faultsOf(page), [])
    }))

  test('the map opens at the fullest moment of the whole run, and so does the window of all pictures', () =>
    visit(browser, late, async (page) => {
      assert.is(await title(page), 'The mesh at 101 s')
      assert.is(await map(page), 'job 1 computes on 0,0 4x4: computing, 101 to 101')
      assert.match(await page.locator('.run').innerText(), /\d+ to 101 of 101 s/)
    }))

  test('the slider steps through the moments at which the map changes, and the other pictures mark them', () =>
    visit(browser, url, async (page) => {
      const slider = page.getByRole('slider', { name: 'Time', exact: true })
      await slider.focus()
      const seen: (readonly (string | null)[])[] = []
      for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'End']) {
        await page.keyboard.press(key)
        seen.push([await slider.getAttribute('aria-valuetext'), await title(page), await map(page)])
      }
      assert.equal(seen, [
        ['1 s', 'The mesh at 1 s', 'job 1 moves to 0,0 2x2: moving, 1 to 2'],
        ['2 s', 'The mesh at 2 s', 'job 1 computes on 0,0 2x2: computing, 2 to 5'],
        ['5 s', 'The mesh at 5 s', 'job 1 moves to 0,0 4x4: moving, 5 to 6'],
        ['9 s', 'The mesh at 9 s', 'no job has processors'],
      ])
      assert.ok(await page.locator('.surface:has(#timeline) .hairline').isVisible())
      await slider.blur()
      assert.ok(await page.locator('.surface:has(#timeline) .hairline').isHidden())
      assert.is(await title(page), 'The mesh at 9 s', 'the slider decides until an event is selected')
      for (let i = 0; i < 2; i++) await page.click('#back')
      assert.is(await title(page), 'The mesh at 6 s')
    }))

  test('the address has the moment of the slider, and a page opens at it', async () => {
    let address = ''
    await visit(browser, url, async (page) => {
      await page.getByRole('slider', { name: 'Time', exact: true }).focus()
      await page.keyboard.press('Home')
      await page.waitForFunction(() => location.hash.endsWith('&moment=1'))
      address = await page.evaluate(() => location.hash)
    })
    await visit(browser, `${url}${address}`, async (page) => {
      assert.is(await title(page), 'The mesh at 1 s')
      await page.click('#back')
      assert.is(await title(page), 'The mesh at 9 s', 'a selected event decides again')
    })
  })

  test('the map opens at a moment within the window of the timeline', () =>
    visit(browser, `${url}#event=none&from=2.5&to=5.5`, async (page) => {
      assert.is(await title(page), 'The mesh at 2.5 s', 'later in the window the job moves')
    }))

  test('the map shows the instant under the pointer in the timeline', () =>
    visit(browser, url, async (page) => {
      const was = await map(page)
      const { width = 0 } = (await page.locator('#timeline').boundingBox()) ?? {}
      await page.locator('#timeline').hover({ position: { x: width / 2, y: 40 } })
      assert.is(await map(page), 'job 1 computes on 0,0 2x2: computing, 2 to 5')
      await page.mouse.move(0, 0)
      assert.is(await map(page), was)
    }))

  test.run()
}
