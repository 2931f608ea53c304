/** `npm run pictures [-- NAME]`: makes the pictures of the manual, from report pages of runs and figures in a browser. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { FAMILIES } from '../scenarios/families.ts'
import { exampleOf } from '../scenarios/family.ts'
import { browserAt, chromiumPath, NO_BROWSER } from './report/browser/chromium.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'lib/report/pictures')

interface Picture {
  /** The program below scenarios, and its flags. */
  readonly words: readonly string[]
  /** The link of the answer that is followed first; a figure needs none. */
  readonly link?: string
}

const runs = FAMILIES.flatMap((family): [string, Picture][] => {
  const { name, picture } = family
  if (!picture) return []
  const { flags, ...selected } = picture
  return [[name, { words: [exampleOf(family)[0], '--runtime', 'inline', ...flags], ...selected }]]
})

const figures = FAMILIES.flatMap(({ name, figure }): [string, Picture][] =>
  figure === null ? [] : [[`${name}-figure`, { words: figure.split(' ') }]],
)

/** A run of each family, and its main figure. */
const PICTURES: Readonly<Record<string, Picture>> = Object.fromEntries([...runs, ...figures])

/** Two charts side by side. */
const FIGURE_WIDTH = 1400

async function take(browser: Browser, name: string, folder: string): Promise<void> {
  const { words = [], link } = PICTURES[name] ?? {}
  const [scenario = '', ...flags] = words
  const page = `${name}.html`
  const script = join(root, 'scenarios', `${scenario}.ts`)
  const args = ['--import', import.meta.resolve('tsx'), script, ...flags, '--quiet', '--report', page]
  execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const tab = await browser.newPage({
    viewport: { width: name.endsWith('-figure') ? FIGURE_WIDTH : 1120, height: 900 },
  })
  await tab.goto(`file://${join(folder, page)}`)
  await tab.waitForSelector('main')
  const isRun = (await tab.locator('.run').count()) > 0
  if (link !== undefined) await tab.locator('#answer a', { hasText: link }).first().click()
  await tab.mouse.move(0, 0)
  await tab.evaluate('scrollTo(0, 0)')
  await tab.waitForTimeout(300)
  const clip = isRun ? await clipOfRun(tab, name, link !== undefined) : await clipOfFigure(tab)
  await tab.screenshot({ path: join(target, `${name}.png`), clip, fullPage: true })
  await tab.close()
  console.log(`lib/report/pictures/${name}.png`)
}

/** Shows the answer of a figure with the claims of the paper, and its first charts. */
async function clipOfFigure(tab: Page) {
  await tab.evaluate(`{
    const left = [...document.querySelectorAll('figure')].slice(2)
    const others = document.querySelectorAll('.again, figure details, #results > section > :not(.charts)')
    for (const part of [...left, ...others]) part.style.display = 'none'
  }`)
  const end = await tab.locator('.charts').boundingBox()
  const width = (await tab.locator('figure').count()) > 1 ? FIGURE_WIDTH : 1000
  return { x: 0, y: 0, width, height: end ? end.y + end.height + 8 : 700 }
}

/** Shows the timeline and the diagram, below the answer if it is wanted. */
async function clipOfRun(tab: Page, name: string, hasAnswer: boolean) {
  await tab.waitForFunction(`document.querySelector('#sight')?.textContent !== ''`)
  await tab.evaluate(`{
    const left = document.querySelectorAll('.again, #answer details, .objects, .run h2, .run > div > p.faint:not(#sight)')
    for (const part of left) part.style.display = 'none'
  }`)
  const top = await tab.locator(hasAnswer ? '#answer' : '.run').boundingBox()
  const end = await tab.locator('#sight').boundingBox()
  if (!top || !end) throw new Error(`${name}: there is nothing to show`)
  return { x: top.x - 8, y: top.y, width: top.width + 16, height: end.y - top.y }
}

const path = chromiumPath()
if (path === undefined) {
  console.error(NO_BROWSER)
  process.exitCode = 1
} else {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-pictures-'))
  mkdirSync(target, { recursive: true })
  const browser = await browserAt(path)
  try {
    const wanted = process.argv.slice(2)
    for (const name of Object.keys(PICTURES))
      if (wanted.length === 0 || wanted.includes(name)) await take(browser, name, folder)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}
