/** The small instance of the market, which the laboratory searches: what meets there by default. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Address } from '../../lib/actor.ts'
import type { Time } from '../../lib/core/time.ts'
import { execute } from '../../lib/explore/execution.ts'
import { fifo } from '../../lib/explore/strategies/fifo.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'

const test = suite('the small instance of the market')

interface Life {
  readonly client: Address
  readonly from: Time
  readonly to: Time
}

/** The lives of the tasks of an undisturbed run, from the first announcement to the end. */
async function livesWith(line: string): Promise<readonly Life[]> {
  const { flags } = biddingMarket
  const small = biddingMarket.specification(biddingMarket.small(collect(flags, line.split(' ')).given))
  const lives = new Map<unknown, Life>()
  const listening: typeof small = {
    ...small,
    open: (system) => {
      system.onFact(({ type, task }, { who: client, at }) => {
        const life = lives.get(task)
        if (type === 'announced' && !life) lives.set(task, { client, from: at, to: at })
        if (type === 'done' && life) lives.set(task, { ...life, to: at })
      })
      return small.open(system)
    },
  }
  await execute(listening, fifo({ seed: 1, run: 0, decisions: 0 }))
  return [...lives.values()]
}

test('has two clients with several tasks each, which are open at the same time', async () => {
  for (const seed of [1, 2, 3, 4, 5, 77]) {
    const lives = await livesWith(`--seed ${seed}`)
    for (const client of ['client@c1', 'client@c2']) {
      assert.ok(lives.filter((life) => life.client === client).length >= 2, `${client} with seed ${seed}`)
    }
    const meet = (one: Life, other: Life): boolean =>
      one.client !== other.client && one.from < other.to && other.from < one.to
    assert.ok(
      lives.some((one) => lives.some((other) => meet(one, other))),
      `tasks of both clients with seed ${seed}`,
    )
  }
})

test('keeps its size without queries, on which its timeout and its silence depend', () => {
  const { flags, small } = biddingMarket
  const given = small(collect(flags, ['--query', 'off']).given)
  assert.equal(given.get('tasks'), ['6'])
  assert.equal(
    ['timeout', 'silence'].map((key) => given.has(key)),
    [false, false],
  )
})

test('has queries, a timeout and a silence, so that the dead are noticed', () => {
  const given = biddingMarket.small(new Map())
  assert.equal(
    ['query', 'timeout', 'silence'].map((key) => given.get(key)),
    [['20'], ['10'], ['40']],
  )
})

test('an eager market whose machines are all dead need not come to rest, and its run is ended early', async () => {
  const line = ['--protocol', 'eager', '--kill', '@m1 at 20', '--kill', '@m2 at 20', '--kill', '@m3 at 20']
  const { flags, small, specification } = biddingMarket
  const dead = specification(small(collect(flags, line).given))
  const { violations, result } = await execute(
    { ...dead, limits: { unfair: 1000 } },
    fifo({ seed: 1, run: 0, decisions: 0 }),
  )
  assert.equal(violations, [])
  assert.ok(result.steps < 5000, `${result.steps} steps`)
})

test.run()
