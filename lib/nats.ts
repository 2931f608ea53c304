/** The API for work on several machines, which meet on a NATS server. It needs the optional packages of NATS. */
export { type Access, secretOf } from './distributed/access.ts'
export { Channel, type ChannelOptions } from './distributed/channel.ts'
export { connectTo } from './distributed/connect.ts'
export { serveHost } from './distributed/host/server.ts'
export { type Distribution, distributed } from './experiment/work-queue/distribute.ts'
export { type HostOptions, serve } from './experiment/work-queue/host.ts'
