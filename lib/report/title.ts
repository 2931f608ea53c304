/** The title of a page, which tells it from others in a row of tabs: what was run, and whether a check failed. */
import { shortened } from '../core/format.ts'
import type { Front } from './types.ts'

/** The most characters of the flags. */
const FLAGS_MAX = 70
/** Flags about the output say nothing about the run. */
const OUTPUT = new Set(['--quiet', '--json', '--live'])

/** The title of a page, such as `failed: bidding/market --tasks 200 - Bourse`. */
export function titleOf({ scenario, command, checks }: Pick<Front, 'scenario' | 'command' | 'checks'>): string {
  // what follows the program, as in `npx tsx scenarios/bidding/market.ts --tasks 200`
  const words = command.replace(/^npx (?:tsx(?: \S*lab\/run\.ts)?|bourse(?: run)?) \S+/, '').split(' ')
  const all = words.filter((word) => word !== '' && !OUTPUT.has(word)).join(' ')
  const flags = shortened(all, FLAGS_MAX)
  const verdict = checks.some(({ ok }) => !ok) ? ['failed:'] : []
  return `${[...verdict, scenario, flags].filter(Boolean).join(' ')} - Bourse`
}
