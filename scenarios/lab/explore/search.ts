/** A search that runs in blocks on all cores. */
import { performance } from 'node:perf_hooks'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { BourseError } from '../../../lib/core/error.ts'
import type { Time } from '../../../lib/core/time.ts'
import type { Pool } from '../../../lib/experiment/pool.ts'
import { requireForgiven } from '../../../lib/experiment/worker-process.ts'
import { type PlainFailure, seeded } from '../../../lib/explore/counterexample.ts'
import { coverageOfPairs } from '../../../lib/explore/schedulers.ts'
import { isScript } from '../subject.ts'
import type { Block, BlockFound, Quest } from './block.ts'

/** What the blocks of a search have found together. The failures are in the order of their numbers. */
export interface Searched extends Omit<BlockFound, 'outcomes' | 'pairs' | 'seen'> {
  readonly outcomes: ReadonlyMap<string, number>
  /** The pairs of events that were pending at one actor together, and how many of them came in both orders. */
  readonly pairs: { readonly met: number; readonly both: number }
  /** The reachability goals that were met. */
  readonly seen: ReadonlySet<string>
  readonly seconds: number
  /** Whether the time was up before all schedules were run. */
  readonly outOfTime: boolean
}

export interface Bounds {
  readonly schedules: number
  /** The number of seeds of the scenario, from the quest's on; each block has one. */
  readonly seeds: number
  /** The limit in seconds of the wall clock; undefined: none. */
  readonly seconds?: number | undefined
  readonly pool: Pool
  readonly signal: AbortSignal
  /** Called with the number of runs so far, and what they found. */
  readonly onDone: (done: number, soFar: () => Searched) => void
  /** Called with a failing run of each broken promise of a block, as soon as the block has ended. */
  readonly onFailure: (failure: PlainFailure) => void
}

/** The most runs in a block: few enough for frequent progress, enough to be worth a process. */
const BLOCK = 50

export async function search(quest: Quest, bounds: Bounds): Promise<Searched> {
  const { schedules, seeds, seconds, pool, signal, onDone, onFailure } = bounds
  const size = Math.min(BLOCK, Math.ceil(schedules / seeds))
  const starts = Array.from({ length: Math.ceil(schedules / size) }, (_, i) => i * size)
  const seedOf = (i: number): number | undefined => (seeds === 1 ? undefined : quest.seed + (i % seeds))
  const blocks: Block[] = starts.map((from, i) => ({
    ...quest,
    given: seeded(quest.given, seedOf(i)),
    from,
    until: Math.min(from + size, schedules),
  }))
  const found: (BlockFound | undefined)[] = []
  const began = performance.now()
  const late = new AbortController()
  const enough = new AbortController()
  const timer = seconds === undefined ? undefined : setTimeout(() => late.abort(), seconds * 1000)
  let done = 0
  const soFar = (): Searched => ({
    ...merged(quest.first ? untilFailure(found) : found),
    seconds: (performance.now() - began) / 1000,
    outOfTime: late.signal.aborted,
  })
  try {
    await pool.run({
      study: {
        module: new URL('./block.ts', import.meta.url).href,
        export: isScript(quest.scenario) ? 'exploreFile' : 'exploreBlock',
      },
      points: blocks,
      signal: AbortSignal.any([signal, late.signal, enough.signal]),
      onReady: () => onDone(0, soFar),
      onEnding: (index, ending) => {
        requireForgiven(ending)
        if ('message' in ending) throw new BourseError(ending.code ?? 'BOURSE_SWEEP', ending.message)
        const block = foundIn(ending.result)
        const seed = seedOf(index)
        const failures = block.failures.map((failure) => ({ ...failure, seed }))
        found[index] = { ...block, failures }
        for (const failure of failures) onFailure(failure)
        done += block.schedules
        onDone(done, soFar)
        if (quest.first && isDecided(found)) enough.abort()
      },
    })
  } catch (error) {
    if (!(late.signal.aborted || enough.signal.aborted) || signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
  return soFar()
}

const hasFailed = (block: BlockFound | undefined): boolean => block !== undefined && block.failed > 0

/** The blocks up to the first one that has a failing run, however many others have ended before it. */
function untilFailure(blocks: readonly (BlockFound | undefined)[]): readonly (BlockFound | undefined)[] {
  const first = blocks.findIndex(hasFailed)
  return first < 0 ? blocks : blocks.slice(0, first + 1)
}

/** Says whether no block that is still running can have an earlier failing run. */
const isDecided = (blocks: readonly (BlockFound | undefined)[]): boolean =>
  blocks.some(hasFailed) && !untilFailure(blocks).includes(undefined)

/** Merges the blocks in the order of their runs, so the speed of processes does not matter. */
function merged(blocks: readonly (BlockFound | undefined)[]) {
  const outcomes = new Map<string, number>()
  const failures = new Map<string, PlainFailure>()
  const pairs = new Set<string>()
  const seen = new Set<string>()
  const sums = { schedules: 0, struck: 0, decisions: 0, steps: 0, cutHolds: 0, failed: 0 }
  let longestHold: Time = 0
  for (const block of blocks) {
    if (!block) continue
    for (const key of ['schedules', 'struck', 'decisions', 'steps', 'cutHolds', 'failed'] as const)
      sums[key] += block[key]
    longestHold = Math.max(longestHold, block.longestHold)
    for (const [outcome, runs] of block.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + runs)
    for (const pair of block.pairs) pairs.add(pair)
    for (const name of block.seen) seen.add(name)
    for (const failure of block.failures) {
      const property = failure.violations[0]?.property ?? ''
      if (!failures.has(property)) failures.set(property, failure)
    }
  }
  return { ...sums, longestHold, outcomes, failures: [...failures.values()], pairs: coverageOfPairs(pairs), seen }
}

/** Reads the result of a block. @throws TypeError if it is something else */
function foundIn(result: Plain): BlockFound {
  if (isFound(result)) return result
  throw new TypeError(`this is not the result of a block of runs: ${JSON.stringify(result).slice(0, 80)}`)
}

const isFound = (value: unknown): value is BlockFound =>
  isObject(value) &&
  ['schedules', 'struck', 'decisions', 'steps', 'longestHold', 'cutHolds', 'failed'].every(
    (key) => typeof value[key] === 'number',
  ) &&
  ['outcomes', 'pairs', 'seen', 'failures'].every((key) => Array.isArray(value[key]))
