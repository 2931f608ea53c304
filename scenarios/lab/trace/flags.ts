import {
  fileFlag,
  integer,
  type OptionsOf,
  oneOf,
  optional,
  outputFlags,
  registerFlag,
  value,
} from '../../../lib/cli/index.ts'
import { TRACE_BYTES_MAX } from '../../../lib/trace/read.ts'

export const flags = {
  to: optional({
    metavar: 'FORMAT',
    parse: oneOf('shiviz', 'perfetto', 'mermaid', 'dot'),
    help: 'format of an export: shiviz, perfetto, mermaid or dot',
  }),
  out: fileFlag('result', 'file of an export (default: stdout)'),
  most: optional({
    metavar: 'N',
    parse: integer({ min: 1 }),
    help: 'most rows of a list or events of an export; longer ones are cut, or refused by shiviz and perfetto (default 200; shiviz 5000, mermaid 400, dot 1000, perfetto 1000000)',
  }),
  bytes: value({
    metavar: 'N',
    parse: integer({ min: 1 }),
    fallback: String(TRACE_BYTES_MAX),
    help: 'most bytes of a trace to read',
  }),
  register: registerFlag,
  ...outputFlags,
}

export type Options = OptionsOf<typeof flags>
