/** The model of a run of the contracts market: its sites, broker, clients and tasks, and their actors. */
import type { BrokerInput } from '../../actors/contracts/broker-state.ts'
import type { ClientInput } from '../../actors/contracts/client-state.ts'
import type { ToBroker, ToSite } from '../../actors/contracts/messages.ts'
import type { SiteInput } from '../../actors/contracts/site-state.ts'
import type { BrokerTerms, Detector, SiteTerms } from '../../actors/contracts/terms.ts'
import type { Task } from '../../actors/contracts/values.ts'
import type { Caution } from '../../actors/processor/employer.ts'
import type { ToProcessor } from '../../actors/processor/messages.ts'
import { type Address, type Ref, ref } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

export const BROKER: Ref<ToBroker> = ref('broker@b')

/** A market of contracts: its sites, its broker, and its clients with their tasks. */
export interface ContractsMarket extends Caution {
  /** The sites s1, s2, ... and the number of processors of each, s1p1, s1p2, ... */
  readonly sites: readonly (SiteTerms & { readonly processors: number })[]
  readonly broker: BrokerTerms
  /** The tasks in order of arrival. */
  readonly tasks: readonly Task[]
  /** The number of clients c1, c2, ..., which get the tasks in turn; default 1. */
  readonly clients?: number
  /** The most dollars that a site owes beyond its price after it was given up, for a task with an unbounded penalty. */
  readonly claimCap: number
  /** How clients find out that a site has died; default `probes`. */
  readonly detector?: Detector
  /** The ids of the tasks in their file, by number; default: the numbers. */
  readonly labels?: readonly string[] | undefined
}

export const siteOf = (index: number): Ref<ToSite> => ref(`site@s${index + 1}`)

export const processorsOf = (index: number, count: number): Ref<ToProcessor>[] =>
  Array.from({ length: count }, (_, i) => ref(`processor@s${index + 1}p${i + 1}`))

const clientOf = (index: number): Address => `client@c${index + 1}`

/** The first client, by default the only one. */
export const CLIENT = clientOf(0)

export const clientsOf = (clients = 1): Address[] => Array.from({ length: clients }, (_, i) => clientOf(i))

/** The parts of a market that determine its addresses. */
interface Cast extends Pick<ContractsMarket, 'clients'> {
  readonly sites: readonly { readonly processors: number }[]
}

/** All addresses in spawn order. */
export const addressesOf = ({ sites, clients }: Cast): Address[] => [
  ...sites.flatMap(({ processors }, i) => [...processorsOf(i, processors), siteOf(i)]),
  BROKER,
  ...clientsOf(clients),
]

/** Spawns all actors. */
export async function open(system: System, market: ContractsMarket, actors: URL = ACTORS): Promise<void> {
  const { sites, broker, tasks, clients, patience, claimCap, detector } = market
  const at = (module: string) => new URL(module, actors)
  const spawns = sites.flatMap(({ processors, ...terms }, i) => {
    const own = processorsOf(i, processors)
    const input: SiteInput = { ...terms, processors: own, patience }
    return [
      ...own.map((address) => system.spawn(address, at('processor/processor.ts'), { speed: 1 })),
      system.spawn(siteOf(i), at('contracts/site.ts'), input),
    ]
  })
  const brokerInput: BrokerInput = { ...broker, patience, sites: sites.map((_, i) => siteOf(i)) }
  spawns.push(system.spawn(BROKER, at('contracts/broker.ts'), brokerInput))
  for (const [i, client] of clientsOf(clients).entries()) {
    const own = tasks.filter(({ task }) => task % (clients ?? 1) === i)
    const input: ClientInput = { tasks: own, broker: BROKER, patience, claimCap, ...(detector && { detector }) }
    spawns.push(system.spawn(client, at('contracts/client.ts'), input))
  }
  await Promise.all(spawns)
}
