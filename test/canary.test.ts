import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundle } from '../lib/runtime/bundle.ts'
import { calledInBoth, calledInMain, halfCalled } from './fixtures/canary/both.ts'
import { called } from './fixtures/canary/main.ts'

const canary = suite('the canary of the coverage')

canary('is loaded by the main thread', () => {
  assert.is(called(), 'here')
  assert.is(calledInBoth('main'), 'in main')
  assert.is(calledInMain(), 'in main only')
  assert.is(halfCalled(true), 'this half')
})

canary('is loaded by a worker', async () => {
  const module = new URL('./fixtures/canary/worker.ts', import.meta.url)
  const file = await bundle(module, new URL('./fixtures/entry.ts', import.meta.url))
  const [code] = await once(new Worker(file, { execArgv: [] }), 'exit')
  assert.is(code, 0)
})

canary.run()
