/** Some runs of a search, as a process of their own does them: what goes in and what comes out is plain. */

import type { Deviations } from '../../../lib/actor/schedule.ts'
import { type Baseline, baselineOf, explore } from '../../../lib/explore/explore.ts'
import { parseAllowed } from '../../../lib/explore/fault-generator.ts'
import { strategyOf } from '../../../lib/explore/strategies/strategies.ts'
import { printFault } from '../../../lib/scenario/faults.ts'
import { bounded, type Specification } from '../../../lib/scenario/specification.ts'
import { type Explorable, explorableOf } from '../specifications.ts'

/** What is explored, and how. */
export type Quest = {
  readonly scenario: string
  /** Its flags by key, each with the texts given for it. */
  readonly given: readonly (readonly [key: string, texts: readonly string[]])[]
  readonly strategy: string
  readonly seed: number
  /** As in `Stage`. */
  readonly livelock: number
  /** Faults that may happen. */
  readonly allowed: readonly string[]
}

export const specificationOf = (
  { scenario, given, livelock }: Pick<Quest, 'scenario' | 'given' | 'livelock'>,
  explorable: Explorable = explorableOf(scenario),
): Specification => bounded(explorable.stage(new Map(given)), livelock)

/** Runs `from` to `until`, that one left out. */
export type Block = Quest & { readonly from: number; readonly until: number }

export type BlockFound = {
  readonly schedules: number
  readonly decisions: number
  readonly steps: number
  readonly outcomes: readonly (readonly [outcome: string, runs: number])[]
  /** Runs that broke a promise; of each promise the first of them whole. */
  readonly failed: number
  readonly failures: readonly PlainFailure[]
  readonly pairs: readonly string[]
  readonly seen: readonly string[]
}

export type PlainFailure = {
  readonly run: number
  readonly violations: readonly { readonly property: string; readonly text: string }[]
  readonly deviations: Deviations
  readonly faults: readonly string[]
}

/** One after another in a process, and all of one quest: what they have in common is found once. */
let known: { readonly quest: string; readonly stage: Specification; readonly baseline: Baseline } | undefined

async function setUp({ from: _, until: __, ...own }: Block) {
  const quest = JSON.stringify(own)
  if (known?.quest !== quest) {
    const stage = specificationOf(own)
    known = { quest, stage, baseline: await baselineOf(stage) }
  }
  return known
}

export async function exploreBlock(block: Block): Promise<BlockFound> {
  const { stage, baseline } = await setUp(block)
  const { strategy, seed, allowed, from, until } = block
  const plan = allowed.map((text) => parseAllowed(text, '--faults'))
  const search = { stage, strategy: strategyOf(strategy, '--strategy'), seed, allowed: plan, from, until }
  const { failures, outcomes, pairs, seen, ...counts } = await explore(search, baseline)
  const firsts = failures.filter(
    ({ violations: [first] }, i) =>
      failures.findIndex(({ violations }) => violations[0]?.property === first?.property) === i,
  )
  return {
    ...counts,
    outcomes: [...outcomes],
    pairs: [...pairs],
    seen: [...seen],
    failed: failures.length,
    failures: firsts.map(({ faults, run, violations, deviations }) => ({
      run,
      deviations,
      faults: faults.map(printFault),
      violations: violations.map(({ property, text }) => ({ property, text })),
    })),
  }
}
