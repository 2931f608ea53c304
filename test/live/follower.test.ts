/** The follower of a running run. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Follower, LIVE_LIMITS } from '../../lib/live/follower.ts'
import type { ShownRun } from '../../lib/report/types.ts'
import { type Line, TRACE_VERSION } from '../../lib/trace/lines.ts'

/** The lines of an actor with a number of timers that fire. */
function lines(count: number): Line[] {
  const who = 'a@m1'
  const event = { type: 'tick' }
  return [
    { t: 'trace', version: TRACE_VERSION, seed: 1 },
    { t: 'spawn', at: 0, who, slot: 1, life: 0, module: 'nowhere.ts', input: null },
    { t: 'start', at: 0, who },
    ...Array.from(
      { length: count },
      (_, n): Line => ({ t: 'timer', at: n, who, id: 'tick', n, kind: 'protocol', event }),
    ),
  ]
}

async function followed(count: number, isWanted: boolean): Promise<ShownRun[]> {
  const shown: ShownRun[] = []
  const follower = new Follower(
    {},
    {
      isWanted: () => isWanted,
      onShown: (run) => shown.push(run),
      onQuiet: () => {},
      onFailure: (error) => {
        throw error
      },
    },
  )
  for (const line of lines(count)) follower.add(line)
  await follower.finish()
  return shown
}

test('of a long run the page shows the beginning, and says how many events there are', async () => {
  const [run] = await followed(LIVE_LIMITS.events, true)
  assert.is(run?.events.lane.length, LIVE_LIMITS.events)
  assert.match(run?.omissions.join() ?? '', /^The page has the first 20,000 of 20,002 events, up to time \S+ of \S+\. /)
})

test('without viewers no report is made', async () => {
  assert.equal(await followed(10, false), [])
})

test.run()
