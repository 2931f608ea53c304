/** A block of runs of a search, which a separate process runs; its input and output are plain data. */

import type { Time } from '../../../lib/core/time.ts'
import {
  type Circumstances,
  type PlainFailure,
  specificationOf,
  type UnfinishedRun,
} from '../../../lib/explore/counterexample.ts'
import { type Baseline, baselineOf, explore, type Found } from '../../../lib/explore/explore.ts'
import { parseAllowed } from '../../../lib/explore/fault-generator.ts'
import { strategyOf } from '../../../lib/explore/strategies/strategies.ts'
import { printFault } from '../../../lib/scenario/faults.ts'
import { loadScenario } from '../../../lib/scenario/load.ts'
import type { Scenario } from '../../../lib/scenario/scenario.ts'
import type { Specification } from '../../../lib/scenario/specification.ts'
import type { System } from '../../../lib/system/system.ts'
import { scenarioNamed } from '../scenarios.ts'

/** The scenario to explore, and how to explore it. */
export type Quest = Circumstances & {
  /** The name of the scenario, or its file. */
  readonly scenario: string
  readonly strategy: string
  readonly seed: number
  /** The faults that may happen. */
  readonly allowed: readonly string[]
  /** Whether the first failing run ends the search. */
  readonly first: boolean
}

/** The runs from number `from` to `until`, which is not included. */
export type Block = Quest & { readonly from: number; readonly until: number }

export type BlockFound = {
  readonly schedules: number
  /** The number of runs that a fault struck. */
  readonly struck: number
  readonly decisions: number
  readonly steps: number
  /** How long an event could be held back, how many events were, and how many of these holds ended for that reason. */
  readonly longestHold: Time
  readonly holds: number
  readonly cutHolds: number
  readonly outcomes: readonly (readonly [outcome: string, runs: number])[]
  /** The number of runs that broke a promise. `failures` has the first one for each promise. */
  readonly failed: number
  readonly failures: readonly PlainFailure[]
  readonly pairs: readonly string[]
  readonly seen: readonly string[]
}

/** The set-up that all blocks of one search in a process share. */
let known: { readonly quest: string; readonly specification: Specification; readonly baseline: Baseline } | undefined

async function setUp(scenario: Scenario, { from: _, until: __, ...own }: Block) {
  const quest = JSON.stringify(own)
  if (known?.quest !== quest) {
    const specification = specificationOf(scenario, own)
    known = { quest, specification, baseline: await baselineOf(specification) }
  }
  return known
}

/** Hears what a block has found so far. */
type Tell = (found: BlockFound) => void

/** Runs a block of a scenario of this project; hosts may run it. */
export const exploreBlock = (block: Block, tell?: Tell): Promise<BlockFound> =>
  runBlock(scenarioNamed(block.scenario), block, tell)

/** Runs a block of the scenario in a file. It is not registered, so no host loads a file that a frame names. */
export const exploreFile = async (block: Block, tell?: Tell): Promise<BlockFound> =>
  runBlock(await loadScenario(block.scenario), block, tell)

/** The least time between two tellings, and the most of the time that they take: what was found so far may be large. */
const TELL_MS = 50
const TELL_SHARE = 1 / 20

async function runBlock(scenario: Scenario, block: Block, tell?: Tell): Promise<BlockFound> {
  const { specification, baseline } = await setUp(scenario, block)
  let next = performance.now() + TELL_MS
  const onRun = (soFar: Found): void => {
    const began = performance.now()
    if (!tell || began < next) return
    tell(plainOf(soFar))
    const ended = performance.now()
    next = ended + Math.max(TELL_MS, (ended - began) / TELL_SHARE)
  }
  return plainOf(await explore({ specification, ...searchOf(block), onRun }, baseline))
}

const searchOf = ({ strategy, seed, allowed, first, from, until }: Block) => ({
  strategy: strategyOf(strategy, '--strategy'),
  seed,
  allowed: allowed.map((text) => parseAllowed(text, '--faults')),
  isEnough: () => first,
  from,
  until,
})

/** What is found in a block that was run again, and the run that had not ended in the end. */
export type Examined = { readonly found: BlockFound; readonly unfinished: UnfinishedRun | undefined }

/** The most time, in ms, that a run goes on for after its time is up, so that an event is seen. */
const LAST_EVENT_MS = 1000

/** Runs a block again in this process, for a limited time, with its steps watched: it tells which of its runs goes on, and where. */
export async function examine(scenario: Scenario, block: Block, ms: number, signal: AbortSignal): Promise<Examined> {
  const { specification, baseline } = await setUp(scenario, { ...block, limits: { ...block.limits, isWatched: true } })
  let system: System | undefined
  let last: UnfinishedRun['last'] = null
  const late = new AbortController()
  const end = (): void => late.abort()
  // listening takes time, so only the last events are heard
  const listen = (): void => {
    system?.onHandling(({ who, type, isTimer }) => {
      last = { who, type, isTimer }
      setImmediate(end)
    })
  }
  const timers = [setTimeout(listen, ms), setTimeout(end, ms + LAST_EVENT_MS)]
  signal.addEventListener('abort', end)
  const open: Specification['open'] = (opened) => {
    system = opened
    return specification.open(opened)
  }
  try {
    const search = { specification: { ...specification, open }, ...searchOf(block), late: late.signal }
    const found = await explore(search, baseline)
    const { cut } = found
    const unfinished = cut && { ...cut, faults: cut.faults.map(printFault), last, seconds: ms / 1000 }
    return { found: plainOf(found), unfinished }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

function plainOf({ failures, outcomes, pairs, seen, cut: _, ...counts }: Found): BlockFound {
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
    failures: firsts.map(({ faults, run, violations, deviations, limit }) => ({
      run,
      limit,
      deviations,
      faults: faults.map(printFault),
      violations: violations.map(({ property, text }) => ({ property, text })),
    })),
  }
}
