/** Report pages in a real browser: their contents and their controls. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shortUnits } from '../../../lib/core/format.ts'
import { Graph } from '../../../lib/report/graph.ts'
import { type Line, TRACE_VERSION } from '../../../lib/trace/lines.ts'
import { marketPage } from '../../../scenarios/bidding/page.ts'
import { marketLines } from '../../trace/traces.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './chromium.ts'
import { reportWith, visit, writePage } from './pages.ts'

const path = chromiumPath()
if (path === undefined) console.log(`not run: ${NO_BROWSER}`)
else testPages(path)

/** A name that a user may choose, and that looks like markup. */
const EVIL = '<img src=x onerror=alert(1)>'

/** A run that uses this name for its actor, messages, facts and states. */
function evilLines(): Line[] {
  const who = `a@${EVIL}`
  const message = { type: EVIL, task: EVIL, [EVIL]: EVIL }
  const begin = { t: 'spawn', at: 0, life: 0, module: EVIL, input: null }
  return [
    { t: 'trace', version: TRACE_VERSION, seed: 1 },
    { ...begin, who, slot: 1 },
    { t: 'start', at: 0, who },
    { t: 'state', at: 0, who, value: EVIL },
    { t: 'send', at: 0, id: '1.0.0', from: who, to: who, cause: null, due: 1, message },
    { t: 'send', at: 0, id: '1.0.1', from: who, to: who, cause: null, message },
    { t: 'dead', id: '1.0.1', from: who, to: who, type: EVIL, reason: EVIL },
    { t: 'deliver', at: 1, who, id: '1.0.0', type: EVIL },
    { t: 'fact', at: 1, who, fact: { type: 'started', task: EVIL } },
    { t: 'crash', at: 1, who, error: EVIL, message: EVIL },
    { t: 'fault', at: 2, fault: EVIL },
    { t: 'died', at: 2, who, cause: EVIL, message: EVIL },
    { t: 'end' },
  ]
}

function testPages(executablePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-pages-'))
  let browser: Browser
  let [market, graph]: [url: string, graph: Graph | null] = ['', null]

  test.before(async () => {
    browser = await browserAt(executablePath)
    const lines = await marketLines({ tasks: 10, faults: ['kill @m1 at 60', 'restart @m1 at 120'] })
    const report = await reportWith([{ name: '', lines, page: marketPage }])
    market = await writePage(join(folder, 'market.html'), report)
    graph = report.runs[0] ? new Graph(report.runs[0]) : null
  })

  test.after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const on = (url: string, use: (page: Page) => Promise<void>, colorScheme: 'light' | 'dark' = 'light') =>
    visit(browser, url, use, { colorScheme })

  const text = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText()

  /** The number of pixels of a canvas that differ from their predecessor: 0 for an empty picture. */
  const ink = (page: Page, selector: string): Promise<number> =>
    page.locator(selector).evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      let changes = 0
      for (let i = 4; i < data.length; i += 4) if (data[i] !== data[i - 4] || data[i + 3] !== data[i - 1]) changes++
      return changes
    })

  test('a page shows its verdict, command, results, timeline, diagram and statechart', () =>
    on(market, async (page) => {
      assert.is(await text(page, '#verdict'), '✓ 1 check held')
      assert.is(await text(page, '#command'), 'npx tsx test')
      assert.is(await text(page, '#text'), 'a table')
      assert.match(await text(page, '#checks'), 'Checks')
      assert.match(await text(page, '#sight'), /^\d+ of [\d,]+ events in sight\.$/)
      for (const id of ['#timeline', '#diagram']) assert.ok((await ink(page, id)) > 1000, `${id} is empty`)
      assert.match(await text(page, '#state'), 'at the end')
      assert.is(await page.locator('#statechart .state.now').count(), 2)
    }))

  test('stepping moves from event to event, and the details and the statechart follow', () =>
    on(market, async (page) => {
      assert.ok(graph)
      const seen: string[] = []
      for (let i = 0; i < 4; i++) {
        await page.click('#forward')
        seen.push(await text(page, '#details'))
      }
      const numbers = seen.map((one) => Number(/(\d+) of \d+/.exec(one)?.[1]))
      const [first = 0] = numbers
      assert.equal(numbers, [first, first + 1, first + 2, first + 3])
      await page.click('#back')
      assert.is(await text(page, '#details'), seen[2])
      const event = first + 1
      const lane = graph.lane(event)
      const conversation = graph.conversations(lane, event).get(await page.locator('#conversation').inputValue())
      const [entered] = graph.enteredIn(event)
      if (entered) assert.is(conversation?.name, entered.name)
      const who = [graph.laneName(lane), ...(conversation ? [conversation.name] : [])].join(', ')
      const state = conversation?.state ?? graph.state(event)
      assert.match(await text(page, '#state'), `${who} at ${shortUnits(graph.at[event] ?? 0)}: ${state}`)
      const now = await page.locator('#statechart .state.now .name').allTextContents()
      assert.is(now.map((name) => name.replace('● ', '')).at(-1), state.split('.').at(-1))
      const [past, future] = [graph.past(event), graph.future(event)].map((marks) => marks.filter(Boolean).length - 1)
      assert.match(seen[2] ?? '', `${past} events before it, ${future} after`)
    }))

  test('the events in sight can be listed as text, and each selects its event', () =>
    on(market, async (page) => {
      const list = page.locator('.events')
      assert.is(await list.locator('li').count(), 0)
      await list.locator('summary').click()
      await list.locator('li').first().waitFor()
      const count = Number(/^\d+/.exec(await text(page, '#sight'))?.[0])
      assert.ok(count > 10 && count < 200, `${count} events`)
      assert.is(await list.locator('li').count(), count)
      const third = list.locator('li button').nth(2)
      const told = await third.innerText()
      await third.click()
      assert.match(told, await page.locator('#details h4').innerText())
      assert.is(await list.locator('[aria-current]').innerText(), told)
      assert.ok(await list.locator('[aria-current]').evaluate((button) => button === document.activeElement))
    }))

  test('the statechart of a task is drawn when an event of its client enters a state of it', () =>
    on(market, async (page) => {
      assert.ok(graph)
      for (let i = 0; i < 60 && (await page.locator('#conversation').inputValue()) === ''; i++)
        await page.click('#forward')
      const name = await page.locator('#conversation').inputValue()
      assert.match(name, /^task \d+$/)
      assert.match(await text(page, '#state'), `, ${name} at `)
      const states = await page.locator('#statechart .state .name').allTextContents()
      for (const state of ['soliciting', 'noBid', 'awarded']) {
        assert.ok(
          states.some((shown) => shown.includes(state)),
          `${state} is not among ${states.join(', ')}`,
        )
      }
      assert.match(await text(page, '#details'), new RegExp(`${name}\\s*→ `))
      await page.locator('#conversation').selectOption('')
      assert.match(await text(page, '#state'), /: serving$/)
    }))

  test('a click on the diagram selects an event, and a click on a cause goes to it', () =>
    on(market, async (page) => {
      const box = await page.locator('#diagram').boundingBox()
      assert.ok(box)
      // along the lane of the last actor, a client, until an event is hit
      for (let x = 160; x < box.width && (await page.locator('#details h4').count()) === 0; x += 10)
        await page.locator('#diagram').click({ position: { x, y: box.height - 20 } })
      assert.match(await text(page, '#details h4'), /^client@c2: /)
      for (let i = 0; i < 60 && (await page.locator('#details td .link').count()) === 0; i++)
        await page.click('#forward')
      const sender = await text(page, '#details td .link')
      await page.click('#details td .link')
      assert.is(
        `${await text(page, '#details h4')} at ${await text(page, '#details tr:first-child td:nth-child(2)')}`,
        sender,
      )
    }))

  test('tasks can be found and sorted, and the life of one is shown', () =>
    on(market, async (page) => {
      const cells = (column: number) => page.locator(`.objects .list tbody td:nth-child(${column})`).allInnerTexts()
      assert.is(await text(page, '.objects h3'), 'Tasks: 10')
      assert.is(await page.locator('.life h4').count(), 0)
      const flows = async () => (await cells(8)).map(Number)
      const sorted = (values: readonly number[]) => [...values].sort((one, other) => one - other)
      await page.click('.objects [aria-label="Sort by flow"]')
      assert.equal(await flows(), sorted(await flows()))
      await page.click('.objects [aria-label="Sort by flow"]')
      assert.equal(await flows(), sorted(await flows()).reverse())
      const [slowest] = await cells(1)
      await page.click('[aria-label="The next task"]')
      assert.is(await text(page, '.life h4'), `task ${slowest}`)
      assert.is(await text(page, '.objects tr.selected td:first-child'), slowest)
      assert.is(await page.locator('#topic').inputValue(), slowest)
      const phases = await page.locator('.waterfall tbody td:first-child').allInnerTexts()
      assert.match(phases.join(', '), /runs on m\d/)
      await page.fill('[aria-label="Find a task"]', 'client@c2')
      assert.ok((await cells(2)).every((client) => client === 'client@c2'))
      assert.is(await text(page, '.objects [role=status]'), `${(await cells(1)).length} found`)
      await page.fill('[aria-label="Find a task"]', 'no such task')
      assert.is(await text(page, '.objects [role=status]'), '0 found')
    }))

  test('the chain that led to an event is listed, and a click on a part of it goes there', () =>
    on(market, async (page) => {
      assert.ok(graph)
      await page.fill('#topic', '3')
      for (let i = 0; i < 40 && !(await text(page, '#details')).startsWith('client@c1: result'); i++)
        await page.click('#forward')
      const chain = await page.locator('.chain li .link').allInnerTexts()
      assert.match(
        chain.join(' '),
        /contractor@(m\d): task processor@\1: run processor@\1: slice contractor@\1: finished$/,
      )
      await page.locator('.chain li .link').last().click()
      assert.is(await text(page, '#details h4'), chain.at(-1))
    }))

  test('a click on a bar selects the last event of its machine up to that time', () =>
    on(market, async (page) => {
      const box = await page.locator('#timeline').boundingBox()
      assert.ok(box)
      await page.locator('#timeline').click({ position: { x: box.width / 2, y: 24 + 16 + 22 + 11 } })
      assert.match(await text(page, '#details h4'), /@m2: /)
    }))

  test('pointing shows a description, and dragging moves the visible section', () =>
    on(market, async (page) => {
      const tip = page.locator('.surface:has(#timeline) .tip')
      assert.ok(await tip.isHidden())
      const box = await page.locator('#timeline').boundingBox()
      assert.ok(box)
      for (let x = 130; x < box.width && (await tip.isHidden()); x += 10)
        await page.locator('#timeline').hover({ position: { x, y: 24 + 16 + 22 + 11 } })
      assert.match(await tip.innerText(), /task \d+/)
      await page.mouse.move(0, 0)
      assert.ok(await tip.isHidden())
      await page.locator('#diagram').scrollIntoViewIfNeeded()
      const lane = await page.locator('#diagram').boundingBox()
      assert.ok(lane)
      const sight = await text(page, '#sight')
      const y = lane.y + lane.height / 2
      await page.mouse.move(lane.x + lane.width - 40, y)
      await page.mouse.down()
      await page.mouse.move(lane.x + 250, y, { steps: 5 })
      await page.mouse.up()
      await page.waitForFunction((was) => document.querySelector('#sight')?.textContent !== was, sight)
      assert.is(await page.locator('#details h4').count(), 0, 'a drag is no click')
    }))

  test('a filter leaves only its events, and stepping stays within them', () =>
    on(market, async (page) => {
      await page.selectOption('#type', 'task')
      await page.fill('#topic', '3')
      await page.fill('#actors', 'contractor')
      await page.click('#forward')
      assert.match(await text(page, '#details h4'), /^contractor@m\d: task$/)
      assert.match(await text(page, '#details'), /task\s+3\s/)
    }))

  test('all controls work by keyboard alone', () =>
    on(market, async (page) => {
      await page.focus('#diagram')
      const sight = () => text(page, '#sight')
      const before = await sight()
      await page.keyboard.press('+')
      await page.waitForFunction((was) => document.querySelector('#sight')?.textContent !== was, before)
      await page.keyboard.press('0')
      await page.waitForFunction(
        (all) => document.querySelector('#sight')?.textContent?.startsWith(all),
        `${graph?.count} of`,
      )
      await page.keyboard.press('ArrowRight')
      assert.match(await text(page, '#details'), 'event')
      const reached = new Set<string>()
      await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : null))
      for (let i = 0; i < 100; i++) {
        await page.keyboard.press('Tab')
        reached.add(await page.evaluate(() => document.activeElement?.id ?? ''))
      }
      for (const id of ['timeline', 'diagram', 'forward', 'back', 'actors', 'type', 'topic', 'actor'])
        assert.ok(reached.has(id), `Tab does not reach ${id}`)
    }))

  test('every picture, field and button has a label', () =>
    on(market, async (page) => {
      const silent = await page.evaluate(() =>
        [...document.querySelectorAll('canvas, svg, img, input, select, button')]
          .filter((one) => !one.getAttribute('aria-label') && !one.getAttribute('alt'))
          .filter((one) => !one.textContent?.trim() && !one.closest('label')?.textContent?.trim())
          .map((one) => one.outerHTML),
      )
      assert.equal(silent, [])
    }))

  test('the dark page is dark', () =>
    on(
      market,
      async (page) => {
        const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
        assert.is(back, 'rgb(20, 24, 28)')
      },
      'dark',
    ))

  test('two runs are shown side by side, and more in tabs', async () => {
    const [one, other] = [await marketLines({ tasks: 4 }), await marketLines({ tasks: 4, faults: ['kill @m1 at 60'] })]
    const two = [one, other].map((lines, i) => ({ name: `run ${i}`, lines }))
    await on(await writePage(join(folder, 'two.html'), await reportWith(two)), async (page) => {
      const boxes = await Promise.all((await page.locator('.run').all()).map((run) => run.boundingBox()))
      assert.is(boxes.length, 2)
      assert.ok((boxes[0]?.x ?? 0) < (boxes[1]?.x ?? 0) && boxes[0]?.y === boxes[1]?.y)
      const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
      assert.is(new Set(ids).size, ids.length, 'each id is there once')
      await page.click('#forward')
      const [selected, also, ...more] = await page.locator('#details h4, #details-2 h4').allInnerTexts()
      assert.ok(selected)
      assert.equal([also, more], [selected, []], 'a step selected in one run is selected in the other')
      await page.fill('#topic-2', '3')
      assert.is(await page.locator('#topic').inputValue(), '3', 'both have one filter')
    })
    const three = [...two, { name: 'the third', lines: one }]
    await on(await writePage(join(folder, 'three.html'), await reportWith(three)), async (page) => {
      assert.equal(await page.locator('.run h2').allInnerTexts(), ['run 0'])
      await page.click('[role=tab]:has-text("the third")')
      assert.equal(await page.locator('.run h2').allInnerTexts(), ['the third'])
    })
  })

  test('no text of a run becomes markup: a task named like an image tag is shown as text', async () => {
    const timeline = () => ({
      rowOf: () => EVIL,
      marks: () => [{ type: 'begins' as const, row: EVIL, label: EVIL, tone: EVIL }],
    })
    const report = await reportWith([{ name: EVIL, lines: evilLines(), page: timeline }], { text: EVIL })
    await on(await writePage(join(folder, 'evil.html'), report), async (page) => {
      for (let i = 0; i < 6; i++) {
        await page.click('#forward')
        assert.is(await page.locator('img').count(), 0)
      }
      // along its first row, and along the lane of its actor
      for (const [id, y] of [
        ['timeline', 24 + 16 + 11],
        ['diagram', 24 + 30 + 15],
      ] as const) {
        const tip = page.locator(`.surface:has(#${id}) .tip`)
        const width = (await page.locator(`#${id}`).boundingBox())?.width ?? 0
        for (let x = 90; x < width && !(await tip.innerText()).includes(EVIL); x += 8)
          await page.locator(`#${id}`).hover({ position: { x, y } })
        assert.match(await tip.innerText(), EVIL)
        assert.is(await page.locator('img').count(), 0)
      }
      await page.fill('#topic', EVIL)
      await page.click('#back')
      assert.is(await page.locator('img').count(), 0)
      assert.match(await text(page, '.run h2'), EVIL)
      assert.ok((await text(page, '#details')).split(EVIL).length > 3, await text(page, '#details'))
    })
  })

  test.run()
}
