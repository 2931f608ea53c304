/** Looks for what keeps some readers from the contents of a page, with axe-core, on a large and a small screen. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

export const SCREENS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

/** The faults of a page that keep some readers from its contents, in a line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations }: AxeResults = await page.evaluate('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** How many pixels the contents of a page are wider than its screen. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
