import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { moduleAt, pathOfModule } from '../../lib/code.ts'
import { natsUrl, requireGuarded } from '../../lib/nats/access.ts'
import { decode } from '../../lib/nats/points/messages.ts'
import { throwsSaying } from '../throws.ts'

const guarded = (address: string, more: { readonly creds?: string; readonly insecure?: boolean } = {}) =>
  requireGuarded({ url: natsUrl(address, '--nats'), insecure: false, ...more }, '--nats')

test('an address is of NATS, and says a host', () => {
  for (const good of [
    'nats://127.0.0.1:4222',
    'tls://hub.example:4443',
    'nats://user:secret@hub',
    'nats://[::1]:4222',
  ]) {
    natsUrl(good, '--nats')
  }
  for (const bad of ['', 'hub:4222', 'http://hub', 'nats://', 'nats://hub/path', 'nats://hub?x=1']) {
    throwsSaying(() => natsUrl(bad, '--nats'), '--nats: expected an address such as nats://127.0.0.1:4222')
  }
})

test('beyond this machine credentials are asked for, or a word that none are wanted', () => {
  for (const near of ['nats://localhost:4222', 'nats://127.0.0.1', 'nats://127.1.2.3:1', 'nats://[::1]:4222'])
    guarded(near)
  for (const far of ['nats://192.0.2.1:4222', 'nats://127.0.0.1.example', 'tls://hub.example']) {
    throwsSaying(() => guarded(far), '--nats: expected credentials (--creds FILE')
    guarded(far, { insecure: true })
    guarded(far, { creds: 'hub.creds' })
  }
  guarded('nats://user:secret@192.0.2.1')
})

test('only a source of this project is loaded for another machine', () => {
  const own = pathOfModule(import.meta.url)
  assert.is(own, 'test/nats/access.test.ts')
  assert.is(moduleAt(own), import.meta.url)
  const foreign = [
    ...['../outside.ts', 'lib/../../outside.ts', '/lib/plain.ts', 'node_modules/x/index.ts', 'lib/plain.js', 'lib'],
    ...['file:///lib/plain.ts', 'data:text/javascript,1.ts', 'lib/a b.ts', 'lib//plain.ts', 'lib/%2e%2e/x.ts', ''],
  ]
  for (const path of foreign) assert.is(moduleAt(path), undefined, path)
})

test('what is no message of ours is nobody’s message', () => {
  const json = (value: unknown) => ({ json: () => value })
  const offer = { type: 'offer', run: 'r', n: 0, path: 'lib/x.ts', export: 'f', point: null }
  assert.equal(decode('offer', json(offer)), offer)
  for (const spoiled of [{ n: -1 }, { n: 0.5 }, { run: '' }, { path: 3 }, { point: undefined }, { type: 'call' }]) {
    assert.is(decode('offer', json({ ...offer, ...spoiled })), undefined, JSON.stringify(spoiled))
  }
  assert.is(decode('offer', json(null)), undefined)
  assert.is(
    decode('offer', {
      json: () => {
        throw new SyntaxError('no JSON')
      },
    }),
    undefined,
  )
  const result = { type: 'result', run: 'r', n: 3, host: 'h', ending: { result: null } }
  assert.equal(decode('result', json(result)), result)
  assert.is(decode('result', json({ ...result, ending: {} })), undefined)
})

test.run()
