/**
 * The transport of a connection. The client's own transport (3.3.1), when closed, keeps the socket to a server that has
 * not yet greeted it; the process would then not end before that server hangs up.
 */
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import {
  type ConnectionOptions,
  type NatsConnection,
  NatsConnectionImpl,
  type ServerInfo,
  setTransportFactory,
} from '@nats-io/transport-node'
import { NodeTransport, nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js'
import { quoted } from '../core/format.ts'

export { credsAuthenticator, TimeoutError } from '@nats-io/transport-node'

class Transport extends NodeTransport {
  /** Opens a socket, and keeps it from the start, so that an attempt to connect can be aborted. */
  override async dial({ hostname, port }: { readonly hostname: string; readonly port: number }): Promise<Socket> {
    this.socket = createConnection(port, hostname).setNoDelay(true)
    await once(this.socket, 'connect')
    return this.socket
  }

  /** Reads the greeting of the server, and refuses a server that is not NATS. */
  override async peekInfo(): Promise<ServerInfo> {
    try {
      return await super.peekInfo()
    } catch (error) {
      const said = Buffer.concat(this.yields).toString('latin1')
      throw said === '' ? (error ?? new Error('it hangs up')) : new Error(`it says ${quoted(said)}`)
    }
  }

  override async close(error?: Error): Promise<void> {
    if (!this.connected) this.discard()
    await super.close(error)
  }
}

export function connect(options: ConnectionOptions): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new Transport(), dnsResolveFn: nodeResolveHost })
  return NatsConnectionImpl.connect(options)
}
