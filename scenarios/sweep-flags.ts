/** The flags of whatever runs many settings side by side. */
import { accessFlags, integer, optional, type Parser, text } from '../lib/cli/index.ts'
import { natsUrl } from '../lib/distributed/access.ts'

export const natsAddress: Parser<URL> = natsUrl

/** Where runs are run. */
export const placeFlags = {
  parallel: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'runs at a time (default: one per core)',
  }),
  workers: optional({
    metavar: 'URL',
    parse: natsAddress,
    help: 'run everything on the hosts at this NATS server (scenarios/host.ts), such as nats://127.0.0.1:4222',
  }),
  ...accessFlags,
}

export const sweepFlags = {
  ...placeFlags,
  keep: optional({
    metavar: 'FILE',
    file: 'kept',
    parse: text,
    help: 'keep every result, and run nothing again that is in FILE',
  }),
  csv: optional({ metavar: 'FILE', file: 'result', parse: text, help: 'write a line per row' }),
}

/** For people. */
export const reportFlags = {
  markdown: optional({ metavar: 'FILE', file: 'result', parse: text, help: 'write the tables in Markdown' }),
  svg: optional({ metavar: 'FOLDER', file: 'folder', parse: text, help: 'draw the figures as SVG' }),
}
