/** A search that runs in blocks on all cores. What a block has found so far counts, too, if the search is cut off. */
import { performance } from 'node:perf_hooks'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { BourseError } from '../../../lib/core/error.ts'
import { sum } from '../../../lib/core/tally.ts'
import type { Time } from '../../../lib/core/time.ts'
import type { Pool } from '../../../lib/experiment/pool.ts'
import { requireForgiven } from '../../../lib/experiment/worker-process.ts'
import { type PlainFailure, seeded, type UnfinishedRun } from '../../../lib/explore/counterexample.ts'
import { coverageOfPairs } from '../../../lib/explore/schedulers.ts'
import { isScript } from '../subject.ts'
import type { Block, BlockFound, Examined, Quest } from './block.ts'

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
  /** The run that was going on when the time was up, if the search had no news for long. */
  readonly unfinished?: UnfinishedRun | undefined
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
  /** Called with the first failing run of each broken promise of a block, as soon as it is known. */
  readonly onFailure: (failure: PlainFailure) => void
  /** The time in ms without any news after which steps are watched (default 20,000). */
  readonly silentMs?: number
  /** Runs a block again, for a limited time in ms, when the time of the search is up after a long silence (default: not done). */
  readonly examine?: (block: Block, ms: number) => Promise<Examined>
}

/**
 * The most runs in a block, which one process makes. A guided search learns within a block, so the result of a search depends on this
 * number, and not on the number of processes.
 */
const BLOCK = 50

/**
 * The time without any news after which a step of a run may never end. Then the blocks that have not ended are run again, and their steps
 * are watched. A slow run is watched in vain: that takes time, and changes no result.
 */
const SILENT_MS = 20_000
/** The share of the time of a search without any news after which a block is examined when the time is up. */
const SILENT_SHARE = 1 / 2

/** What a block has found so far. Only a whole block says for sure that it has no failing run. */
type Known = BlockFound & { readonly isWhole: boolean }

export async function search(quest: Quest, bounds: Bounds): Promise<Searched> {
  const { schedules, seeds, seconds, pool, signal, onDone, onFailure, silentMs = SILENT_MS, examine } = bounds
  const size = Math.min(BLOCK, Math.ceil(schedules / seeds))
  const starts = Array.from({ length: Math.ceil(schedules / size) }, (_, i) => i * size)
  const seedOf = (i: number): number | undefined => (seeds === 1 ? undefined : quest.seed + (i % seeds))
  const blocks: Block[] = starts.map((from, i) => ({
    ...quest,
    given: seeded(quest.given, seedOf(i)),
    from,
    until: Math.min(from + size, schedules),
  }))
  const found: (Known | undefined)[] = blocks.map(() => undefined)
  let began = performance.now()
  const late = new AbortController()
  const enough = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let unfinished: UnfinishedRun | undefined
  let heardAt = Number.POSITIVE_INFINITY
  // the time of a search does not include that of starting processes
  const begin = (): void => {
    const isFirst = heardAt === Number.POSITIVE_INFINITY
    heardAt = performance.now()
    if (!isFirst) return
    began = heardAt
    if (seconds !== undefined) timer = setTimeout(() => late.abort(), seconds * 1000)
    onDone(0, soFar)
  }
  const hear = (index: number, result: Plain, isWhole: boolean): void => {
    heardAt = performance.now()
    add(index, foundIn(result), isWhole)
  }
  const add = (index: number, { failures: all, ...block }: BlockFound, isWhole: boolean): void => {
    // a block that is run again has found less than before at first
    if (!isWhole && block.schedules < (found[index]?.schedules ?? 0)) return
    const seed = seedOf(index)
    const failures = all.map((failure) => ({ ...failure, seed }))
    const known = found[index]?.failures.length ?? 0
    found[index] = { ...block, failures, isWhole }
    for (const failure of failures.slice(known)) onFailure(failure)
    onDone(
      sum(found, (one) => one?.schedules ?? 0),
      soFar,
    )
    if (quest.first && isDecided(found)) enough.abort()
  }
  const soFar = (): Searched => ({
    ...merged(quest.first ? untilFailure(found) : found),
    seconds: (performance.now() - began) / 1000,
    outOfTime: late.signal.aborted,
    unfinished,
  })
  /** Runs the first block that has not ended again, if there were no news for long: the silent run, or one like it, is in it. */
  const examineSilent = async (limit: number): Promise<void> => {
    const index = found.findIndex((one) => !one?.isWhole)
    const block = blocks[index]
    if (!examine || !block || performance.now() - heardAt < limit * SILENT_SHARE) return
    const examined = await examine(block, Math.min(limit, silentMs))
    signal.throwIfAborted()
    add(index, examined.found, false)
    unfinished = examined.unfinished && { ...examined.unfinished, seed: seedOf(index) }
  }
  /** Runs the blocks that have not ended. Returns false if they have been silent for so long that a step may never end. */
  const runAll = async (isWatched: boolean): Promise<boolean> => {
    const open = [...blocks.keys()].filter((index) => !found[index]?.isWhole)
    const silence = new AbortController()
    const listener = setInterval(() => {
      if (!isWatched && performance.now() - heardAt > silentMs) silence.abort()
    }, silentMs / 10)
    const placeOf = (index: number): number => open[index] ?? index
    try {
      await pool.run({
        study: {
          module: new URL('./block.ts', import.meta.url).href,
          export: isScript(quest.scenario) ? 'exploreFile' : 'exploreBlock',
        },
        points: open.map((index) => ({ ...blocks[index], limits: { ...quest.limits, isWatched } })),
        signal: AbortSignal.any([signal, late.signal, enough.signal, silence.signal]),
        onReady: begin,
        onPart: (index, part) => hear(placeOf(index), part, false),
        onEnding: (index, ending) => {
          requireForgiven(ending)
          if ('message' in ending) throw new BourseError(ending.code ?? 'BOURSE_SWEEP', ending.message)
          hear(placeOf(index), ending.result, true)
        },
      })
      return true
    } catch (error) {
      if (signal.aborted) throw error
      if (late.signal.aborted || enough.signal.aborted) return true
      if (!silence.signal.aborted) throw error
      return false
    } finally {
      clearInterval(listener)
    }
  }
  try {
    if (!(await runAll(false))) await runAll(true)
    if (seconds !== undefined && late.signal.aborted) await examineSilent(seconds * 1000)
  } finally {
    clearTimeout(timer)
  }
  return soFar()
}

/** The number of the first block that has a failing run; -1 if none has. */
const failingAt = (blocks: readonly (Known | undefined)[]): number =>
  blocks.findIndex((block) => block !== undefined && block.failed > 0)

/** The blocks up to the first one that has a failing run, however many others have ended before it. */
const untilFailure = (blocks: readonly (Known | undefined)[]): readonly (Known | undefined)[] =>
  failingAt(blocks) < 0 ? blocks : blocks.slice(0, failingAt(blocks) + 1)

/** Says whether a block has a failing run, and no block that is still running can have an earlier one. */
const isDecided = (blocks: readonly (Known | undefined)[]): boolean =>
  failingAt(blocks) >= 0 && blocks.slice(0, failingAt(blocks)).every((block) => block?.isWhole)

/** The numbers of blocks that are added up. */
const SUMS = ['schedules', 'struck', 'decisions', 'steps', 'holds', 'cutHolds', 'failed'] as const

/** Merges the blocks in the order of their runs, so the speed of processes does not matter. */
function merged(blocks: readonly (Known | undefined)[]) {
  const outcomes = new Map<string, number>()
  const failures = new Map<string, PlainFailure>()
  const pairs = new Set<string>()
  const seen = new Set<string>()
  const sums = { schedules: 0, struck: 0, decisions: 0, steps: 0, holds: 0, cutHolds: 0, failed: 0 }
  let longestHold: Time = 0
  for (const block of blocks) {
    if (!block) continue
    for (const key of SUMS) sums[key] += block[key]
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
  [...SUMS, 'longestHold'].every((key) => typeof value[key] === 'number') &&
  ['outcomes', 'pairs', 'seen', 'failures'].every((key) => Array.isArray(value[key]))
