/** A connection to a NATS server. Its client is an optional package, loaded only here and only when it is needed. */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { bytesOf } from '../core/input.ts'
import { UsageError } from '../core/usage-error.ts'
import { type Access, requireGuarded } from './access.ts'

export type { Msg, NatsConnection, Subscription }

/** After this time without an answer the client counts the server as lost, and looks for it until it is found. */
const PING_MS = 2000
const AGAIN_MS = 250
/** The most time that a NATS server may take to accept a connection. */
const TAKEN_MS = 5000

async function client(where: string) {
  try {
    return await import('./transport.ts')
  } catch {
    throw UsageError.requires(where, 'the package @nats-io/transport-node (npm install)')
  }
}

/**
 * Connects, as `name`; `where` is the flag that asked for it.
 *
 * @throws UsageError if the client is not installed, a file cannot be read, or no server accepts the connection
 */
export async function connectTo(access: Access, name: string, where: string): Promise<NatsConnection> {
  requireGuarded(access, where)
  const { url, creds, ca } = access
  const { connect, credsAuthenticator, TimeoutError } = await client(where)
  const authenticator = creds === undefined ? undefined : credsAuthenticator(contentOf(creds, '--creds'))
  const certificates = ca === undefined ? undefined : contentOf(ca, '--ca').toString()
  const needsTls = url.protocol === 'tls:' || certificates !== undefined
  // for a server whose name is a number, the client would compare the certificate with `localhost`
  const tls = { host: url.hostname.replace(/^\[|\]$/g, ''), ...(certificates !== undefined && { ca: certificates }) }
  try {
    return await connect({
      name,
      servers: url.host,
      timeout: TAKEN_MS,
      pingInterval: PING_MS,
      reconnectTimeWait: AGAIN_MS,
      maxReconnectAttempts: -1,
      ...(url.username !== '' && { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }),
      ...(authenticator && { authenticator }),
      ...(needsTls && { tls }),
    })
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error)
    const why = error instanceof TimeoutError ? `no answer in ${TAKEN_MS / 1000} s` : told
    throw UsageError.cannot(`use the NATS server of ${where} at ${url.host}`, why)
  }
}

/** Most bytes of credentials or certificates. */
const ACCESS_BYTES_MAX = 1_000_000

const contentOf = (path: string, flag: string): Buffer =>
  bytesOf(path, `${flag} ${path}`, {
    bytes: ACCESS_BYTES_MAX,
    most: `${ACCESS_BYTES_MAX} bytes (ACCESS_BYTES_MAX)`,
  })
