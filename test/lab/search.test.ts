/** A search over blocks that a pool runs: what counts of blocks that have not ended. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import type { Plain } from '../../lib/core/data.ts'
import type { Pool } from '../../lib/experiment/pool.ts'
import { type BlockFound, examine, exploreFile } from '../../scenarios/lab/explore/block.ts'
import { type Bounds, search } from '../../scenarios/lab/explore/search.ts'
import storming from '../fixtures/storming/storming.ts'

const test = suite('lab/explore/search')

/** What a block has found after so many runs. The runs from number `failing` on break a promise, each another one. */
function foundIn(runs: number, failing: readonly number[] = []): BlockFound {
  const numbers = {
    struck: 0,
    decisions: runs,
    steps: runs,
    longestHold: 0,
    holds: 2 * runs,
    cutHolds: 0,
    failed: failing.length,
  }
  const failures = failing.map((run) => ({
    run,
    violations: [{ property: `promise ${run}`, text: 'broken' }],
    deviations: { ...NO_DEVIATIONS },
    faults: [],
  }))
  return { schedules: runs, ...numbers, outcomes: [['one', runs]], pairs: [], seen: [], failures }
}

/** A search of 100 runs in two blocks, in a pool that does `run`. */
async function searched(
  run: Pool['run'],
  first = false,
  limits: Pick<Bounds, 'seconds' | 'silentMs' | 'examine'> = { seconds: 0.001 },
) {
  const quest = { scenario: 'none', given: [], limits: {}, strategy: 'random', seed: 1, allowed: [], first }
  const progress: number[] = []
  const failed: number[] = []
  const found = await search(quest, {
    schedules: 100,
    seeds: 1,
    ...limits,
    pool: {
      run: async (work) => {
        work.onReady?.()
        await run(work)
      },
      status: '',
    },
    signal: new AbortController().signal,
    onDone: (done) => progress.push(done),
    onFailure: ({ run }) => failed.push(run),
  })
  return { found, progress, failed }
}

const aborted = ({ signal }: Parameters<Pool['run']>[0]): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

test('counts each run that ended, also of blocks that have not, and keeps their failing runs', async () => {
  const { found, progress, failed } = await searched(async (work) => {
    work.onPart?.(0, foundIn(2))
    work.onPart?.(1, foundIn(1))
    work.onPart?.(0, foundIn(3, [2]))
    work.onPart?.(0, foundIn(5, [2, 4]))
    await aborted(work)
  })
  assert.equal([found.schedules, found.holds, found.failed, found.outOfTime], [6, 12, 2, true])
  assert.equal(found.outcomes, new Map([['one', 6]]))
  assert.equal(
    found.failures.map(({ run }) => run),
    [2, 4],
  )
  assert.equal(
    [progress, failed],
    [
      [0, 2, 3, 4, 6],
      [2, 4],
    ],
  )
})

test('the end of a block replaces its parts', async () => {
  const { found, failed } = await searched(async (work) => {
    work.onPart?.(0, foundIn(49, [3]))
    work.onEnding(0, { result: foundIn(50, [3]) })
    work.onEnding(1, { result: foundIn(50) })
  })
  assert.equal([found.schedules, found.failed], [100, 1])
  assert.equal(failed, [3])
})

test('with --first a failing run decides only after all earlier runs have ended', async () => {
  const decided: boolean[] = []
  const { found } = await searched(async (work) => {
    const tell = (say: () => void): void => {
      say()
      decided.push(work.signal?.aborted ?? false)
    }
    tell(() => work.onEnding(1, { result: foundIn(3, [52]) }))
    tell(() => work.onPart?.(0, foundIn(49)))
    tell(() => work.onEnding(0, { result: foundIn(50) }))
    await aborted(work)
  }, true)
  assert.equal(decided, [false, false, true])
  assert.equal([found.schedules, found.failed], [53, 1])
})

test('blocks that are silent for too long run again with their steps watched, and nothing that they have told is lost', async () => {
  const asked: (readonly Plain[])[] = []
  const { found, progress, failed } = await searched(
    async (work) => {
      asked.push(work.points)
      if (asked.length === 1) {
        work.onEnding(0, { result: foundIn(50) })
        work.onPart?.(1, foundIn(7, [53]))
        return aborted(work)
      }
      work.onPart?.(0, foundIn(2))
      work.onEnding(0, { result: foundIn(50, [53, 60]) })
    },
    false,
    { silentMs: 20 },
  )
  const block = { scenario: 'none', given: [], strategy: 'random', seed: 1, allowed: [], first: false }
  const unwatched = { ...block, limits: { isWatched: false } }
  const second = { ...block, limits: { isWatched: true }, from: 50, until: 100 }
  assert.equal(asked, [
    [
      { ...unwatched, from: 0, until: 50 },
      { ...unwatched, from: 50, until: 100 },
    ],
    [second],
  ])
  assert.equal([found.schedules, found.failed, found.outOfTime], [100, 2, false])
  assert.equal(progress, [0, 50, 57, 100])
  assert.equal(failed, [53, 60])
})

test('if the time is up after a long silence, the first block that has not ended is examined', async () => {
  const asked: unknown[] = []
  const run = { run: 4, deviations: NO_DEVIATIONS, faults: [], steps: 900, now: 70, last: null, seconds: 0.02 }
  const examine: Bounds['examine'] = async ({ from, until }, ms) => {
    asked.push([from, until, ms])
    return { found: foundIn(4, [3]), unfinished: run }
  }
  const { found, failed } = await searched(
    async (work) => {
      work.onPart?.(0, foundIn(2))
      work.onEnding(1, { result: foundIn(50) })
      await aborted(work)
    },
    false,
    { seconds: 0.02, examine },
  )
  assert.equal(asked, [[0, 50, 20]])
  assert.equal([found.schedules, found.failed, found.outOfTime], [54, 1, true])
  assert.equal(failed, [3])
  assert.equal(found.unfinished, { ...run, seed: undefined })
})

test('no block is examined if all have ended, or if there was news until the end', async () => {
  const examine: NonNullable<Bounds['examine']> = async () => ({ found: foundIn(0, [1]), unfinished: undefined })
  const whole = await searched(
    async (work) => {
      work.onEnding(0, { result: foundIn(50) })
      work.onEnding(1, { result: foundIn(50) })
      await aborted(work)
    },
    false,
    { seconds: 0.02, examine },
  )
  const told = await searched(
    async (work) => {
      const news = setInterval(() => work.onPart?.(0, foundIn(2)), 1)
      await aborted(work).finally(() => clearInterval(news))
    },
    false,
    { seconds: 0.2, examine },
  )
  assert.equal([whole.failed, told.failed], [[], []])
})

test('an examined block tells the run that goes on, its steps and its last event', async () => {
  const { found, unfinished } = await examine(
    storming,
    {
      scenario: 'test/fixtures/storming/storming.ts',
      given: [['storm', ['knocks']]],
      limits: { livelock: 1e9 },
      strategy: 'portfolio',
      seed: 7, // its first run goes on for ever
      allowed: [],
      first: false,
      from: 0,
      until: 50,
    },
    300,
    new AbortController().signal,
  )
  assert.is(found.schedules, 0)
  assert.equal(
    [unfinished?.run, unfinished?.last, unfinished?.seconds],
    [0, { who: 'door@d', type: 'knock', isTimer: true }, 0.3],
  )
  assert.ok((unfinished?.steps ?? 0) > 20, `${unfinished?.steps} steps`)
})

test('a block tells what it has found while it runs', async () => {
  const parts: number[] = []
  const block = { scenario: 'test/fixtures/slow.ts', given: [], limits: {}, strategy: 'random', seed: 1, allowed: [] }
  const whole = await exploreFile({ ...block, first: false, from: 0, until: 3 }, ({ schedules }) =>
    parts.push(schedules),
  )
  // on a busy computer a telling may take so long that the next run is not told
  assert.is(parts[0], 1)
  assert.equal(
    parts,
    [1, 2, 3].filter((part) => parts.includes(part)),
  )
  assert.is(whole.schedules, 3)
})

test.run()
