/** A host on this machine for runs on others: takes points that they give out, and has actors of theirs, over NATS. */
import { availableParallelism, hostname } from 'node:os'
import { accessFlags, integer, optional, plainFlags, runMain, UsageError } from '../lib/cli.ts'
import { connectTo } from '../lib/nats/connect.ts'
import { lodge } from '../lib/nats/lodging/lodge.ts'
import { requireFree, serve } from '../lib/nats/points/host.ts'
import { parseHost } from '../lib/nats/run/placement.ts'
import { natsAddress } from './sweep-flags.ts'

await runMain({
  name: 'host',
  summary:
    'Takes part in the work of runs with --workers, and has actors of runs with --hosts, on the same NATS server, until it is interrupted.',
  flags: {
    ...plainFlags,
    nats: optional({ metavar: 'URL', parse: natsAddress, help: 'of the NATS server, such as nats://127.0.0.1:4222' }),
    name: optional({ metavar: 'NAME', parse: parseHost, help: 'what it is called (default: as its machine)' }),
    parallel: optional({
      metavar: 'N',
      parse: integer({ min: 1, max: 1000 }),
      help: 'points at a time (default: one per core)',
    }),
    ...accessFlags,
  },
  main: async (invocation) => {
    const { options, note, onInterrupt } = invocation
    const {
      nats: url,
      name = parseHost(hostname(), '--name'),
      parallel: lanes = availableParallelism(),
      creds,
      ca,
      insecure,
    } = options
    if (!url) throw new UsageError('--nats', 'the address of a NATS server', 'nothing')
    const end = new AbortController()
    const { signal } = end
    const connection = await connectTo({ url, creds, ca, insecure }, name, '--nats')
    try {
      await requireFree(connection, name)
      note(`${name} waits for work at ${url.host}, ${lanes} at a time`)
      const serving = Promise.all([
        serve({ connection, name, lanes, note, signal }),
        lodge({ connection, name, note, signal }),
      ])
      // not only told to end, but waited for: runs are to hear that it leaves
      onInterrupt(async () => {
        end.abort()
        await serving
      })
      const [points] = await serving
      return { results: { points }, checks: [], messages: 0, text: `${points} points run` }
    } finally {
      await connection.close()
    }
  },
})
