/** The setup of one machine, as the flags describe it. */
import type { Program } from '../../../actors/processor/jobs.ts'
import { type Credit, type Sharing, STANDARD } from '../../../actors/processor/sharing.ts'
import type { Cluster, Said } from '../model.ts'
import type { Client, Options, Sleeper } from './flags.ts'

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
  const bursts = sleepers.filter((one) => one.name === name).map(({ run, sleep }) => ({ run, sleep }))
  return bursts.length > 0 ? { kind: 'bursts', bursts, cycles: null } : { kind: 'compute', work: null }
}

/**
 * The cluster to run. All clients come at once, and are withdrawn at the end, so that the last stay on the processor
 * is told, too.
 */
export function machineOf(options: Options): Cluster {
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
  return { machines: 1, sharing: sharingOf(options), orders: [...come, ...go] }
}
