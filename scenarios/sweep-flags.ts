/** The flags of commands that run many settings in parallel. */
import { accessFlags, fileFlag, grouped, integer, optional, type Parser } from '../lib/cli/index.ts'
import { natsUrl } from '../lib/distributed/access.ts'

export const natsAddress: Parser<URL> = natsUrl

const parallel = optional({
  metavar: 'N',
  parse: integer({ min: 1, max: 1000 }),
  help: 'number of runs at a time (default: one per core)',
})

/** The flags that say where the runs take place: in processes here, or on hosts. */
export const placeFlags = {
  ...grouped('run', { parallel }),
  ...grouped('hosts', {
    workers: optional({
      metavar: 'URL',
      parse: natsAddress,
      help: 'run everything on the hosts of this NATS server (scenarios/host.ts), such as nats://127.0.0.1:4222',
    }),
  }),
  ...accessFlags,
}

const keptFlags = grouped('output', {
  keep: fileFlag('kept', 'keep every result in FILE, and skip runs whose result is there'),
  csv: fileFlag('result', 'write one line per row (CSV)'),
})

export const sweepFlags = { ...placeFlags, ...keptFlags }

/** The flags that write the tables and figures of a study. */
export const reportFlags = grouped('output', {
  markdown: fileFlag('result', 'write the tables (Markdown)'),
  svg: fileFlag('folder', 'draw the figures (SVG)'),
})
