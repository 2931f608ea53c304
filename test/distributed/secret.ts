/** The secret that runs and hosts share in tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Access } from '../../lib/distributed/access.ts'
import { Channel } from '../../lib/distributed/channel.ts'
import type { NatsConnection } from '../../lib/distributed/connect.ts'
import { MEETING } from '../../lib/distributed/names.ts'
import { readSecret } from '../../lib/distributed/secret.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-secret-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

export const SECRET_FILE = join(folder, 'bourse.secret')
writeFileSync(SECRET_FILE, 'a secret that only the tests may know\n', { mode: 0o600 })
export const SECRET = readSecret(SECRET_FILE, '--secret')

export const accessTo = (url: URL): Access => ({ url, secret: SECRET, insecure: false })

/** One end of the channel on which runs and hosts meet. */
export const meeting = (connection: NatsConnection, self: string, note?: (text: string) => void): Channel =>
  new Channel({ connection, secret: SECRET, purpose: MEETING, self, note })
