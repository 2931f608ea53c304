/** The setup of one machine, as the flags describe it. */
import type { Program } from '../../../actors/processor/jobs.ts'
import { type Credit, type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import { MAX_UNITS } from '../../../lib/core/format.ts'
import { type Time, units } from '../../../lib/core/time.ts'
import type { Setup } from '../../../lib/scenario/definition.ts'
import type { Cluster, Said } from '../model.ts'
import { burstsOf, type Sleeper } from '../shared-flags.ts'
import { type Client, type Options, requireSense } from './flags.ts'

const USER = { user: 'user@m1', to: 'processor@m1' } as const

const DEFAULT_CAP = 95

function creditOf({ policy, catchUp = 1, cap = DEFAULT_CAP }: Options): Credit {
  if (policy === 'stride') return { policy: 'none' }
  if (policy === 'credit') return { policy: 'system', catchUp, cap, competing: 'resident' }
  if (catchUp === 'adaptive') throw new Error('loans have no adaptive catch-up time')
  return { policy: 'loan', catchUp }
}

const sharingOf = (options: Options): Sharing => {
  const { quantum, switch: switching, start, preempt } = options
  return { ...STANDARD, quantum, switching, start, preempt, credit: creditOf(options) }
}

function programOf({ name }: Client, sleepers: readonly Sleeper[]): Program {
  const bursts = burstsOf(name, sleepers)
  return bursts.length > 0 ? { kind: 'bursts', bursts, cycles: null } : { kind: 'compute', work: null }
}

/** The greatest lateness of the user in real time. */
const LATE_MS = 2000

/** The latest end of the run, which is needed if the user dies. */
function endOf({ quanta, quantum, time, scale }: Options): Time {
  const end = quanta * quantum
  return time === 'real' ? end + Math.max(end, units(Math.min(LATE_MS / scale, MAX_UNITS))) : end
}

/**
 * The cluster to run. All clients come at once, and are withdrawn at the end, so that the last stay on the processor
 * is told, too.
 *
 * @throws UsageError for combinations of flags that make no sense
 */
export function setUp(options: Options): Setup<Cluster> {
  requireSense(options)
  const { clients, sleeper, declines, quanta, quantum } = options
  const come = clients.map(
    (client): Said => ({
      ...USER,
      at: 0,
      message: {
        type: 'submit',
        job: client.name,
        currency: 'base',
        amount: client.tickets,
        program: programOf(client, sleeper),
        borrows: !declines.includes(client.name),
      },
    }),
  )
  const go = clients.map(
    ({ name }): Said => ({ ...USER, at: quanta * quantum, message: { type: 'withdraw', job: name } }),
  )
  return { model: { machines: 1, sharing: sharingOf(options), orders: [...come, ...go], until: endOf(options) } }
}
