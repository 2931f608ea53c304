/** The flags of a host. */
import { accessFlags, integer, optional, outputFlags, registerFlag } from '../lib/cli/index.ts'
import { parseHost } from '../lib/distributed/coordinator/placement.ts'
import { natsAddress } from './sweep-flags.ts'

// a host has no run of its own for a report
const { report: _report, ...output } = outputFlags

export const hostFlags = {
  ...output,
  nats: optional({
    metavar: 'URL',
    parse: natsAddress,
    help: 'address of the NATS server, such as nats://127.0.0.1:4222',
  }),
  name: optional({ metavar: 'NAME', parse: parseHost, help: 'name of the host (default: the name of its machine)' }),
  parallel: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'points to run at a time (default: one per core)',
  }),
  register: registerFlag,
  ...accessFlags,
}
