/** A live page in a real browser: it shows the events of the run, and its buttons inject faults. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Replay } from '../../../lib/replay/replay.ts'
import '../../../scenarios/registered.ts'
import { readTrace } from '../../../lib/trace/read.ts'
import { liveCommand } from '../../live/command.ts'
import { faultsOf, overhang, SCREENS } from './axe.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { visit } from './pages.ts'

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testLive(path)

function testLive(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-live-page-'))

  test('events appear as they happen, a click kills an actor, and the recorded run is replayed', async () => {
    const trace = join(folder, 'run.jsonl')
    const flags = ['--speeds', '2,1,1', '--tasks', '400', '--scale', '5', '--query', '20', '--timeout', '10']
    const { url, interrupt, ended } = await liveCommand('bidding/market', ...flags, '--metrics', '--trace', trace)
    const browser = await browserAt(executablePath)
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      page.setDefaultTimeout(60_000)
      const wrong: string[] = []
      page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())))
      page.on('pageerror', (error) => wrong.push(String(error)))
      page.on('request', (request) => void (request.url().startsWith(url) || wrong.push(request.url())))
      await page.goto(url)
      const more = (than: number): Promise<unknown> =>
        page.waitForFunction(
          (count) =>
            Number(
              /of ([\d,]+) events/.exec(document.querySelector('#sight')?.textContent ?? '')?.[1]?.replace(',', ''),
            ) > count,
          than,
        )
      await more(20)
      const now = async () =>
        Number((await page.locator('#sight').innerText()).replace(/^.* of ([\d,]+) .*$/, '$1').replace(',', ''))
      await more(await now())
      assert.match(await page.locator('#verdict').innerText(), /^● running, at \d/)
      const rowOf = (who: string) => page.locator(`tr[data-who="${who}"]`)
      const buttonOf = (who: string, fault: string) => rowOf(who).locator(`[data-fault=${fault}]`)
      await buttonOf('contractor@m1', 'kill').click()
      await rowOf('contractor@m1')
        .filter({ hasText: /dead since \d/ })
        .waitFor()
      await rowOf('@m1').filter({ hasText: '1 of 2 dead' }).waitFor()
      assert.ok(await buttonOf('contractor@m1', 'kill').isDisabled())
      assert.match(await page.locator('#faults').innerText(), /^kill contractor@m1 at \d/)
      await page.locator('.aftermath', { hasText: /^contractor@m1 has been dead since \d/ }).waitFor()
      await page.locator('h3', { hasText: /^Promises: ✓ \d+ kept so far/ }).waitFor()
      assert.match(await page.locator('#state').innerText(), / now: /)
      await page.locator('#reply.good', { hasText: 'kill contractor@m1 at' }).waitFor()
      await rowOf('contractor@m1').locator('.good', { hasText: 'kill contractor@m1 at' }).waitFor()
      await page.selectOption('#one', 'm1')
      await page.selectOption('#other', 'm1')
      await page.click('#partition')
      await page.locator('#reply.bad', { hasText: 'a list of distinct machines such as m1,m2 belongs there' }).waitFor()
      // a browser logs a refusal as an error; there must be no other error
      assert.equal(
        wrong.map((one) => one.replace(/^.*status of (\d+).*$/, '$1')),
        ['400'],
      )
      await page.selectOption('#other', 'm2')
      await page.click('#partition')
      await page.locator('#faults li', { hasText: 'partition m1 | m2 at' }).waitFor()
      // by keyboard, in a table that the reader has sorted
      const sort = page.getByRole('table', { name: 'Actors' }).getByRole('button', { name: 'Sort by actor' })
      await sort.press('Enter')
      await sort.press('Enter')
      const names = await page.getByRole('table', { name: 'Actors' }).locator('tbody th').allInnerTexts()
      assert.equal([names[0], names.at(-1)], ['processor@m3', 'client'])
      await buttonOf('contractor@m1', 'restart').press('Enter')
      await rowOf('@m1').filter({ hasText: 'alive' }).waitFor()
      assert.is(await page.evaluate('document.activeElement?.getAttribute("aria-label")'), 'Restart contractor@m1')
      await page.fill('#for', '5000')
      await buttonOf('@m3', 'pause').click()
      await rowOf('processor@m3').filter({ hasText: 'paused until' }).waitFor()
      const contractors = page.locator('#metrics tr', { has: page.locator('th', { hasText: /^contractor$/ }) })
      await contractors.locator('td').nth(1).filter({ hasText: /^1$/ }).waitFor()
      assert.equal((await page.locator('#metrics caption').allInnerTexts()).map(String), [
        'Actors by role',
        'Messages handled',
        'Dead letters',
      ])
      // the visible section stays in place while the run continues
      await page.click('#forward')
      const looked = await page.locator('#details h4').innerText()
      await page.click('#statechart summary')
      await more(await now())
      assert.is(await page.locator('#details h4').innerText(), looked)
      assert.ok(await page.locator('#statechart details').evaluate((list) => list.hasAttribute('open')))
      // the saved page is a report: it needs no server, and has the run so far
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
      assert.match(download.suggestedFilename(), /^bidding-market-at-[\d.]+\.html$/)
      const saved = join(folder, 'saved.html')
      await download.saveAs(saved)
      await visit(browser, `file://${saved}`, async (report) => {
        await report.locator('#sight', { hasText: /of [\d,]+ events in sight/ }).waitFor()
        assert.match(
          await report.locator('#verdict').innerText(),
          /^✓ \d+ promises kept so far(, \d+ (is|are) asked at the end)?$/,
        )
        assert.match(await report.locator('#checks').innerText(), /^Promises \(\d+\)/)
        assert.equal(await report.locator('#checks', { hasText: /held|failed/ }).count(), 0)
        assert.match(await report.locator('#state').innerText(), / when this page was saved: /)
        assert.is(await report.locator('#answer > .pictures figure').count(), 2)
        assert.match(await report.locator('#story').innerText(), /contractor@m1(, killed at [\d.]+,)? was dead from/)
      })
      interrupt()
      await page.locator('#verdict', { hasText: '■ interrupted' }).waitFor()
      assert.ok(await buttonOf('contractor@m2', 'kill').isDisabled())
    } finally {
      await browser.close()
      interrupt()
    }
    assert.is((await ended).code, 130)
    const recorded = readTrace(`${trace}.part`)
    const byHand = recorded.lines
      .filter(({ by }) => by === 'hand')
      .map(({ fault }) => String(fault).replace(/ at .*/, ''))
    assert.equal(byHand, ['kill contractor@m1', 'partition m1 | m2', 'restart contractor@m1', 'pause @m3 for 5000'])
    let steps = 0
    for (const _ of await Replay.open(recorded)) steps++
    assert.ok(steps > 20, `${steps} steps`)
  })

  test('a live page has the pictures of its run so far; when the run is over it tells the end, with totals', async () => {
    const flags = ['--speeds', '2,1,1', '--tasks', '40', '--scale', '4', '--query', '20', '--timeout', '10']
    const { url, interrupt, ended } = await liveCommand('bidding/market', ...flags)
    const browser = await browserAt(executablePath)
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      page.setDefaultTimeout(60_000)
      await page.goto(url)
      await page.locator('[aria-label="So far"] figcaption', { hasText: 'Tasks in flight' }).waitFor()
      await page.locator('#verdict', { hasText: /^✓ \d+ checks held$/ }).waitFor()
      assert.match(await page.title(), /^bidding\/market --time real --speeds 2,1,1 --tasks 40 /)
      assert.match(await page.locator('#state').innerText(), / at the end: /)
      const so = await page.locator('[aria-label="So far"]').innerText()
      assert.match(so, /ended at\s+\d/)
      assert.match(so, /messages sent\s+\d/)
      assert.not.match(await page.locator('main').innerText(), /per s(econd)?\b/)
      assert.is(await page.locator('#answer > .pictures figure').count(), 2)
      assert.is(await page.locator('[aria-label="So far"] figure').count(), 0)
    } finally {
      await browser.close()
      interrupt()
    }
    await ended
  })

  test('a live page can be read by all, and its pictures can be paused', async () => {
    const flags = ['--speeds', '2,1,1', '--tasks', '2000', '--scale', '10', '--query', '20', '--timeout', '10']
    const { url, interrupt, ended } = await liveCommand('bidding/market', ...flags, '--metrics')
    const browser = await browserAt(executablePath)
    try {
      for (const screen of SCREENS) {
        const page = await browser.newPage(screen)
        page.setDefaultTimeout(60_000)
        await page.goto(url)
        await page.locator('tr[data-who="contractor@m1"]').waitFor()
        await page.locator('tr[data-who="@m1"] [data-fault=kill]:enabled').click()
        await page.locator('.aftermath', { hasText: 'm1 has been dead since' }).waitFor()
        const follow = page.getByRole('button', { name: 'Pause the pictures' })
        await follow.click()
        const sight = await page.locator('#sight').innerText()
        const now = await page.locator('#verdict').innerText()
        await page.waitForFunction((before) => document.querySelector('#verdict')?.textContent !== before, now)
        assert.is(await page.locator('#sight').innerText(), sight)
        assert.equal(await faultsOf(page), [], screen.colorScheme)
        assert.ok((await overhang(page)) <= 0, `${screen.colorScheme}: wider than the screen`)
        await page.getByRole('button', { name: 'Follow the run' }).click()
        await page.waitForFunction((before) => document.querySelector('#sight')?.textContent !== before, sight)
        await page.locator('tr[data-who="@m1"] [data-fault=restart]').click()
        await page.locator('tr[data-who="@m1"]', { hasText: 'alive' }).waitFor()
        await page.close()
      }
    } finally {
      await browser.close()
      interrupt()
    }
    assert.is((await ended).code, 130)
  })

  test.after(() => rmSync(folder, { recursive: true }))
  test.run()
}
