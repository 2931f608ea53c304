/** Some of the plans of faults; `npm run soak` has 300 of each. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { KINDS } from '../../scenarios/bidding/faults/plans.ts'
import { violationsOf } from '../../scenarios/bidding/faults/study.ts'
import { PROTOCOLS } from '../../scenarios/bidding/run.ts'

async function broken(runtime: 'threads' | 'inline', from: number, until: number): Promise<string[]> {
  const violations: string[] = []
  for (const protocol of PROTOCOLS) {
    for (const kind of KINDS) {
      for (let n = from; n < until; n++) violations.push(...(await violationsOf(protocol, kind, n, runtime)))
    }
  }
  return violations
}

test('whatever dies, stalls, is cut off or lost: every task of a client that lives is done, once', async () => {
  assert.equal(await broken('inline', 0, 5), [])
})

test('a machine whose processor and client are dead comes to rest, overdue or not', async () => {
  assert.equal(await violationsOf('eager', 'everything', 258, 'inline'), [])
})

test('on threads, too', async () => {
  assert.equal(await broken('threads', 0, 1), [])
})

test.run()
