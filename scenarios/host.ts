/** The command of a host: runs points of sweeps and actors of runs that other computers start, over NATS. */
import { availableParallelism, hostname } from 'node:os'
import { nanoid } from 'nanoid'
import { loadRegistered, runMain, UsageError } from '../lib/cli/index.ts'
import { secretOf } from '../lib/distributed/access.ts'
import { Channel } from '../lib/distributed/channel.ts'
import { connectTo } from '../lib/distributed/connect.ts'
import { parseHost } from '../lib/distributed/coordinator/placement.ts'
import { serveHost } from '../lib/distributed/host/server.ts'
import { answerTo, MEETING, requireFree } from '../lib/distributed/names.ts'
import { serve } from '../lib/experiment/work-queue/host.ts'
import { hostFlags } from './host-flags.ts'
import './registered.ts'

/** The time within which a host of the same name would answer. */
const ANSWER_MS = 1000

await runMain({
  name: 'host',
  summary:
    'Works for runs with --workers and hosts actors of runs with --hosts on the same NATS server, until it is interrupted.',
  usage: 'Needs --nats URL, and --secret FILE or, on one machine, --insecure.',
  flags: hostFlags,
  main: async (invocation) => {
    const { options, note, begin, onInterrupt } = invocation
    const {
      nats: url,
      name = parseHost(hostname(), '--name'),
      parallel: lanes = availableParallelism(),
      secret,
      creds,
      ca,
      insecure,
    } = options
    if (!url) throw UsageError.requires('a host', '--nats URL')
    const end = new AbortController()
    const { signal } = end
    await loadRegistered(options.register)
    const access = { url, secret, creds, ca, insecure }
    const connection = await connectTo(access, name, '--nats')
    const sealing = secretOf(access)
    const channel = new Channel({ connection, secret: sealing, purpose: MEETING, self: nanoid(), note })
    try {
      await requireFree(channel, name, ANSWER_MS)
      answerTo(channel, name)
      begin()
      note(`${name} waits for work at ${url.host}, ${lanes} at a time`)
      const serving = Promise.all([
        serve({ channel, name, lanes, note, signal }),
        serveHost({ channel, secret: sealing, name, note, signal }),
      ])
      // the end is awaited, so that runs are told that the host leaves
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
