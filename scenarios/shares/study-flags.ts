/** The flags of one run, with examples of those who take part here. */
import { runFlags as shared } from '../../lib/cli/index.ts'

export const sharedFlags = {
  ...shared,
  fault: {
    ...shared.fault,
    help: 'such as "kill ticket-server@m2 at 500", "restart ticket-server@m2 at 700", "kill @m3 after 20 share", "kill random every 400", "stall processor@m1 for 50 at 100", "cut m1,m2 | m3,m4 at 100 until 300"',
  },
}
