import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { PROTOCOLS, type Protocol } from '../../scenarios/bidding/run.ts'
import { runReliably } from './reliable.ts'

async function broken(count: number, protocol: Protocol, runtime: 'threads' | 'inline'): Promise<string[]> {
  const violations: string[] = []
  for (let n = 0; n < count; n++) violations.push(...(await runReliably(n, protocol, runtime)))
  return violations
}

for (const protocol of PROTOCOLS) {
  test(`${protocol}: with reliable delivery 20 % loss and 10 % duplication cost no living client a task`, async () => {
    assert.equal(await broken(30, protocol, 'inline'), [])
    assert.equal(await broken(3, protocol, 'threads'), [])
  })
}

test.run()
