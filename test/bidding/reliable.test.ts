import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runReliably } from './reliable.ts'

async function broken(count: number, runtime: 'threads' | 'inline'): Promise<string[]> {
  const violations: string[] = []
  for (let n = 0; n < count; n++) violations.push(...(await runReliably(n, runtime)))
  return violations
}

test('with reliable delivery 20 % loss and 10 % duplication cost no living client a task, whoever is killed', async () => {
  assert.equal(await broken(100, 'inline'), [])
  assert.equal(await broken(5, 'threads'), [])
})

test.run()
