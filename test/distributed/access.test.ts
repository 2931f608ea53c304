import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Access, natsUrl, requireGuarded } from '../../lib/distributed/access.ts'
import { readSecret } from '../../lib/distributed/secret.ts'
import { decode } from '../../lib/experiment/work-queue/messages.ts'
import { throwsSaying } from '../throws.ts'
import { SECRET } from './secret.ts'

type Given = Partial<Omit<Access, 'url'>>

const guarded = (address: string, given: Given = {}) =>
  requireGuarded({ url: natsUrl(address, '--nats'), insecure: false, ...given }, '--nats')

test('an address must have a NATS scheme and a host', () => {
  for (const good of [
    'nats://127.0.0.1:4222',
    'tls://hub.example:4443',
    'nats://user:secret@hub',
    'nats://[::1]:4222',
  ]) {
    natsUrl(good, '--nats')
  }
  for (const bad of ['', 'hub:4222', 'http://hub', 'nats://', 'nats://hub/path', 'nats://hub?x=1']) {
    throwsSaying(() => natsUrl(bad, '--nats'), '--nats must be an address such as nats://127.0.0.1:4222')
  }
})

test('on this machine a secret or --insecure is required', () => {
  for (const near of ['nats://localhost:4222', 'nats://127.0.0.1', 'nats://127.1.2.3:1', 'nats://[::1]:4222']) {
    throwsSaying(() => guarded(near), '--nats needs a secret (--secret FILE), or --insecure on this machine')
    guarded(near, { secret: SECRET })
    guarded(near, { insecure: true })
  }
})

test('beyond this machine a secret is always required, and credentials or --insecure', () => {
  for (const far of ['nats://192.0.2.1:4222', 'nats://127.0.0.1.example', 'tls://hub.example']) {
    throwsSaying(() => guarded(far, { insecure: true }), '--nats needs a secret (--secret FILE) for ')
    throwsSaying(() => guarded(far, { creds: 'hub.creds' }), '--nats needs a secret (--secret FILE)')
    throwsSaying(() => guarded(far, { secret: SECRET }), '--nats needs credentials (--creds FILE')
    guarded(far, { secret: SECRET, insecure: true })
    guarded(far, { secret: SECRET, creds: 'hub.creds' })
  }
  guarded('nats://user:password@192.0.2.1', { secret: SECRET })
})

test('a secret is a file of 32 characters or more that only its owner may read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-secret-test-'))
  const file = (text: string, mode = 0o600): string => {
    const path = join(folder, `secret-${text.length}-${mode}`)
    writeFileSync(path, text, { mode })
    return path
  }
  try {
    readSecret(file('x'.repeat(32)), '--secret')
    const short = file('too short')
    throwsSaying(
      () => readSecret(short, '--secret'),
      `the secret in --secret ${short} must be 32 to 4096 characters long, not 9`,
    )
    throwsSaying(() => readSecret(file('x'.repeat(10_000)), '--secret'), '32 to 4096 characters long, not 4097')
    throwsSaying(() => readSecret(join(folder, 'none'), '--secret'), ': ENOENT')
    const open = file('y'.repeat(40), 0o644)
    throwsSaying(() => readSecret(open, '--secret'), `protect it with chmod 600 ${open}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('malformed messages are not read', () => {
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
  const offer = { type: 'offer', n: 0, module: 'lib/x.ts', export: 'f', point: null }
  assert.equal(decode('offer', bytes(offer)), offer)
  for (const spoiled of [
    { n: -1 },
    { n: 0.5 },
    { module: 3 },
    { export: '' },
    { point: undefined },
    { type: 'call' },
  ]) {
    assert.is(decode('offer', bytes({ ...offer, ...spoiled })), undefined, JSON.stringify(spoiled))
  }
  assert.is(decode('offer', bytes(null)), undefined)
  assert.is(decode('offer', Buffer.from('no JSON')), undefined)
  const result = { type: 'result', n: 3, ending: { result: null } }
  assert.equal(decode('result', bytes(result)), result)
  assert.is(decode('result', bytes({ ...result, ending: {} })), undefined)
})

test.run()
