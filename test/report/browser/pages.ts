/** Page files for tests, made from runs in memory, and visits to them. */
import { writeFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { type CommandOutcome, reportOf } from '../../../lib/report/command.ts'
import type { Recorded } from '../../../lib/report/model.ts'
import { htmlOf } from '../../../lib/report/page.ts'
import type { Report } from '../../../lib/report/types.ts'

/** The report of a command with these runs. */
export const reportWith = (runs: readonly Recorded[], more: Partial<CommandOutcome> = {}): Promise<Report> =>
  reportOf({
    scenario: 'test/scenario',
    summary: 'Tests.',
    command: 'npx tsx test',
    version: '0',
    text: 'a table',
    options: [
      ['--seed', '1'],
      ['--tasks', '10'],
      ['--load', '0.8'],
    ],
    checks: [{ name: 'no task lost', ok: true, measured: 0, expected: 0, tolerance: null }],
    exhibits: { runs },
    systems: [],
    ...more,
  })

export async function writePage(path: string, report: Report): Promise<string> {
  writeFileSync(path, await htmlOf(report))
  return `file://${path}`
}

/** Opens a page, and fails if it logs an error, loads anything, or opens a dialog. */
export async function visit(
  browser: Browser,
  url: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light', ...options })
  page.setDefaultTimeout(15_000)
  const wrong: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())))
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('request', (request) => void (/^(file|data):/.test(request.url()) || wrong.push(request.url())))
  page.on('dialog', (dialog) => {
    wrong.push(`a dialog says ${dialog.message()}`)
    void dialog.dismiss()
  })
  try {
    await page.goto(url)
    await page.waitForSelector('main')
    await use(page)
    assert.equal(wrong, [])
  } finally {
    await page.close()
  }
}
