/** The flags of whatever runs many settings side by side. */
import { integer, optional, text } from '../lib/cli.ts'

export const sweepFlags = {
  parallel: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'runs at a time (default: one per core)',
  }),
  keep: optional({ metavar: 'FILE', parse: text, help: 'keep every result, and run nothing again that is in FILE' }),
  csv: optional({ metavar: 'FILE', parse: text, help: 'write a line per row' }),
}

/** For people. */
export const reportFlags = {
  markdown: optional({ metavar: 'FILE', parse: text, help: 'write the tables in Markdown' }),
  svg: optional({ metavar: 'FOLDER', parse: text, help: 'draw the figures as SVG' }),
}
