/** The pictures of a page as one instrument, in a real browser: they share one window of time, and what the reader points at. */
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
else testInstrument(path)

function testInstrument(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-instrument-'))
  let browser: Browser
  let market = ''

  test.before(async () => {
    browser = await browserAt(executablePath)
    const lines = await marketLines({ tasks: 10, faults: ['kill @m1 at 60', 'restart @m1 at 120'] })
    market = await writePage(join(folder, 'market.html'), await reportWith([{ name: '', lines, page: marketPage }]))
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const on = (use: (page: Page) => Promise<void>, hash = ''): Promise<void> => visit(browser, `${market}${hash}`, use)

  const sight = (page: Page): Promise<string> => page.locator('#sight').innerText()
  const waitForSight = (page: Page, other: string): Promise<unknown> =>
    page.waitForFunction((was) => document.querySelector('#sight')?.textContent !== was, other)
  /** The x of the line that marks the instant under the pointer in a picture; null if there is none. */
  const hairOf = (page: Page, id: string): Promise<number | null> =>
    page.locator(`.surface:has(#${id}) .hairline`).evaluate((line) => {
      const box = line.getBoundingClientRect()
      return box.height === 0 ? null : Math.round(box.x)
    })

  test('the timeline and the diagram show one window of time: zooming in one zooms in the other', () =>
    on(async (page) => {
      const before = await sight(page)
      await page.focus('#timeline')
      await page.keyboard.press('+')
      await waitForSight(page, before)
      const closer = await sight(page)
      assert.ok(Number.parseInt(closer, 10) < Number.parseInt(before, 10), `${before} -> ${closer}`)
      await page.keyboard.press('0')
      await waitForSight(page, closer)
      assert.match(await sight(page), /^([\d,]+) of \1 events/)
    }))

  test('the instant under the pointer is marked in every picture', () =>
    on(async (page) => {
      await page.selectOption('[aria-label="From left to right"]', 'time')
      await page.locator('#timeline').hover({ position: { x: 600, y: 50 } })
      const x = await hairOf(page, 'timeline')
      assert.is.not(x, null)
      assert.is(await hairOf(page, 'diagram'), x)
      await page.mouse.move(0, 0)
      assert.is(await hairOf(page, 'timeline'), null)
      assert.is(await hairOf(page, 'diagram'), null)
    }))

  test('the strip shows the window in the whole run; a drag moves it, a drag beside it draws another, and keys move it', () =>
    on(async (page) => {
      const window = async (): Promise<number[]> => {
        const [from = 0, to = 0] = await page
          .locator('[role=slider]')
          .evaluateAll((all) => all.slice(1).map((one) => Number(one.getAttribute('aria-valuenow'))))
        return [from, to]
      }
      const [from = 0, to = 0] = await window()
      assert.ok(from < 60 && 60 < to, `${from} to ${to}: the death is in sight`)
      const strip = await page.locator('#overview').boundingBox()
      const brush = await page.locator('.brush').boundingBox()
      assert.ok(strip && brush)
      const drag = async (start: number, end: number): Promise<void> => {
        const y = brush.y + brush.height / 2
        await page.mouse.move(start, y)
        await page.mouse.down()
        await page.mouse.move(end, y, { steps: 4 })
        await page.mouse.up()
      }
      const middle = brush.x + brush.width / 2
      await drag(middle, middle + 80)
      const moved = await window()
      assert.ok((moved[0] ?? 0) > from && (moved[1] ?? 0) > to, `${from} to ${to} moved to ${moved}`)
      const right = strip.x + strip.width
      await drag(right - 20, right - 120)
      const [, last = 0] = await window()
      assert.ok(last > (moved[1] ?? 0))
      assert.match(await page.locator('#window').innerText(), `to ${last} of `)
      const end = page.getByRole('slider', { name: 'End of the window' })
      await end.focus()
      await page.keyboard.press('End')
      const all = await end.getAttribute('aria-valuemax')
      assert.is(await end.getAttribute('aria-valuenow'), all)
      await page.click('button:has-text("Whole run")')
      assert.equal(await window(), [0, Number(all)])
      assert.match(await page.locator('#window').innerText(), `all ${all} units`)
    }))

  test('on a phone a tap on a bar selects its last event, and two fingers zoom', () =>
    visit(
      browser,
      market,
      async (page) => {
        await page.locator('#timeline').scrollIntoViewIfNeeded()
        const lengthOf = async (): Promise<number> => {
          const [, from = '', to = ''] =
            /^([\d.]+) to ([\d.]+) of/.exec(await page.locator('#window').innerText()) ?? []
          return Number(to) - Number(from)
        }
        const { x = 0, y = 0, height = 0 } = (await page.locator('#timeline').boundingBox()) ?? {}
        const fingers = (...xs: readonly number[]) => xs.map((one, id) => ({ x: x + one, y: y + height - 30, id }))
        const device = await page.context().newCDPSession(page)
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: readonly number[]) =>
          device.send('Input.dispatchTouchEvent', { type, touchPoints: fingers(...xs) })
        // first, since the browser may take a tap right after a pinch for a part of it
        await page.touchscreen.tap(x + 200, y + height - 50)
        await page.locator('#details h4').waitFor()
        const before = await lengthOf()
        await touch('touchStart', 180, 220)
        await touch('touchMove', 160, 240)
        await touch('touchMove', 140, 280)
        await touch('touchEnd')
        const after = await lengthOf()
        assert.ok(after < before / 2, `${before} -> ${after}`)
      },
      { viewport: { width: 390, height: 844 }, hasTouch: true },
    ))

  test('the strip stays in sight while the page scrolls', () =>
    on(async (page) => {
      await page.locator('#statechart').scrollIntoViewIfNeeded()
      await page.mouse.wheel(0, 300)
      assert.is(Math.round((await page.locator('.overview').boundingBox())?.y ?? -1), 0)
    }))

  test('where events are too many, their number is drawn, and pointing tells it', () =>
    on(async (page) => {
      await page.setViewportSize({ width: 420, height: 900 })
      await page.click('button:has-text("Whole run")')
      await page.waitForFunction(() => document.querySelector('#sight')?.textContent?.includes('too many'))
      assert.match(await sight(page), /the stronger the colour, the more events, up to \d+\./)
      const box = await page.locator('#diagram').boundingBox()
      await page.locator('#diagram').hover({ position: { x: 120, y: (box?.height ?? 0) - 20 } })
      assert.match(await page.locator('.surface:has(#diagram) .tip').innerText(), /^client@c2: \d+ events from \d/)
      for (let i = 0; i < 8; i++) await page.keyboard.press('w')
      await page.waitForFunction(() => !document.querySelector('#sight')?.textContent?.includes('too many'))
    }))

  const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash)
  const heading = (page: Page): Promise<string> => page.locator('#details h4').innerText()

  test('the address of a page says what it shows, and a page opens at it', async () => {
    let address = ''
    let [event, window] = ['', '']
    await on(async (page) => {
      await page.click('#forward')
      await page.selectOption('[aria-label="From left to right"]', 'time')
      await page.fill('#actors', 'contractor')
      await page.focus('#timeline')
      await page.keyboard.press('+')
      await page.waitForFunction(() => location.hash.includes('actors=contractor&axis=time&from='))
      // the address is written when all is calm
      await page.waitForFunction(() => {
        const said = document.querySelector('#window')?.textContent?.split(' ')[0]
        return Number(new URLSearchParams(location.hash.slice(1)).get('from')).toFixed(1) === Number(said).toFixed(1)
      })
      assert.is(await page.evaluate(() => history.length), 2, 'the history is not flooded')
      address = await hash(page)
      event = await heading(page)
      window = await page.locator('#window').innerText()
    })
    await on(async (page) => {
      assert.is(await heading(page), event)
      assert.is(await page.locator('#window').innerText(), window)
      assert.is(await page.locator('#actors').inputValue(), 'contractor')
      assert.is(await page.locator('[aria-label="From left to right"]').inputValue(), 'time')
    }, address)
  })

  test('by order, a page opens with the same events as before, also where many are of one instant', async () => {
    let [address, seen] = ['', '']
    // a step without a selection selects the first event in sight
    const firstOf = async (page: Page): Promise<string> => {
      const count = await sight(page)
      await page.click('#forward')
      return `${count} ${await page.locator('#details .facts').first().innerText()}`
    }
    await on(async (page) => {
      await page.focus('#diagram')
      for (const key of ['d', 'd', 'w', 'w']) await page.keyboard.press(key)
      await page.waitForFunction(() => location.hash.includes('columns='))
      address = await hash(page)
      seen = await firstOf(page)
    })
    await on(async (page) => assert.is(await firstOf(page), seen), address)
  })

  test('the back button leads back to what was shown, and forward again', () =>
    on(async (page) => {
      const before = await page.locator('#window').innerText()
      await page.click('.objects tbody a >> nth=2')
      await page.locator('.life h4').waitFor()
      const task = await page.locator('.life h4').innerText()
      assert.match(await hash(page), '#object=task+')
      await page.goBack()
      await page.locator('.life h4').waitFor({ state: 'detached' })
      assert.is(await page.locator('#window').innerText(), before)
      assert.is(await page.locator('#topic').inputValue(), '')
      await page.goForward()
      assert.is(await page.locator('.life h4').innerText(), task)
    }))

  test('an address with nonsense in it shows an ordinary page', () =>
    on(async (page) => {
      assert.is(await page.locator('#details h4').count(), 0)
      assert.is(await page.locator('#type').inputValue(), '')
      assert.match(await sight(page), /^\d+ of \d+ events in sight/)
      assert.is(await page.locator('img').count(), 0)
    }, '#run=99&event=888888888&type=<img src=x onerror=alert(1)>&object=<img src=x>&axis=x&from=999999999999&to=999999999999'))

  test('keys move and zoom the window, select and clear, search, and list themselves', () =>
    on(async (page) => {
      const window = (): Promise<string> => page.locator('#window').innerText()
      const press = async (key: string, differs: () => Promise<string>): Promise<void> => {
        const before = await differs()
        await page.keyboard.press(key)
        assert.is.not(await differs(), before, `${key} changes nothing`)
      }
      for (const key of ['w', 'd', 'a', 's']) await press(key, window)
      await page.keyboard.press('ArrowRight')
      const details = (): Promise<string> => page.locator('#details').innerText()
      const first = await details()
      await press('ArrowRight', details)
      await page.keyboard.press('ArrowLeft')
      assert.is(await details(), first)
      for (let i = 0; i < 8; i++) await page.keyboard.press('d')
      await press('f', window)
      await page.keyboard.press('Escape')
      assert.is(await page.locator('#details h4').count(), 0)
      await page.keyboard.press('/')
      await page.keyboard.type('wasd')
      assert.is(await page.inputValue('[aria-label="Find a task"]'), 'wasd', 'a field takes its letters')
      await page.fill('[aria-label="Find a task"]', '')
      await page.locator('#diagram').focus()
      await page.keyboard.press('n')
      const task = () => page.locator('.life h4').innerText()
      const one = await task()
      await press('n', task)
      await page.keyboard.press('p')
      assert.is(await task(), one)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      assert.is(await page.locator('#topic').inputValue(), '', 'without a selection the filter is cleared')
      await page.locator('#timeline').focus()
      await press('End', window)
      await press('Home', window)
      await page.keyboard.press('?')
      assert.match(await page.locator('dialog').innerText(), 'zoom in')
      await page.keyboard.press('w')
      await page.keyboard.press('Escape')
      assert.not(await page.locator('dialog').isVisible())
    }))

  test('a task in hand has all its events one by one, and lists the causes that are about it', () =>
    on(async (page) => {
      await page.setViewportSize({ width: 420, height: 900 })
      await page.click('.objects tbody a >> nth=2')
      const [matches = ''] = (await page.locator('#matches').innerText()).match(/[\d,]+(?= matches)/) ?? []
      const said = await sight(page)
      assert.match(said, new RegExp(`^${matches} of [\\d,]+ events in sight`))
      assert.not.match(said, /too many/)
      const chain = page.locator('#details h5', { hasText: 'What led to it' })
      assert.match(await chain.innerText(), /^What led to it: \d+ events? about task \S+$/)
      assert.match(await page.locator('#details').innerText(), /The chain has \d+ more, which are not about task \S+/)
    }))

  test('a filter counts its matches, Enter and keys jump through them, and one without a match says so', () =>
    on(async (page) => {
      const said = (): Promise<string> => page.locator('#matches').innerText()
      const window = (): Promise<string> => page.locator('#window').innerText()
      assert.is(await said(), '')
      assert.ok(await page.getByRole('button', { name: 'Next match' }).isDisabled())
      await page.fill('#topic', '9')
      const [all = '', count = ''] = /^(\d+) matches$/.exec(await said()) ?? []
      assert.ok(Number(count) > 3, all)
      const before = await window()
      await page.focus('#topic')
      await page.keyboard.press('Enter')
      assert.is(await said(), `1 of ${count} matches`)
      assert.is.not(await window(), before, 'the window moves to the match')
      await page.keyboard.press('Enter')
      assert.is(await said(), `2 of ${count} matches`)
      await page.keyboard.press('Shift+Enter')
      await page.getByRole('button', { name: 'Previous match' }).click()
      assert.is(await said(), `${count} of ${count} matches`)
      await page.getByRole('button', { name: 'Next match' }).click()
      await page.keyboard.press('n')
      assert.is(await said(), `2 of ${count} matches`)
      await page.keyboard.press('p')
      assert.is(await said(), `1 of ${count} matches`)
      assert.is(await page.locator('.life h4').count(), 0, 'no task is selected')
      await page.fill('#topic', 'zzz')
      assert.is(await said(), 'No event matches the filter.')
      assert.ok(await page.getByRole('button', { name: 'Next match' }).isDisabled())
      await page.click('button:has-text("Clear filter")')
      assert.is(await said(), '')
    }))

  test.run()
}
