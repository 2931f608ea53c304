import type { BrokerTerms, Caution, SiteTerms } from '../../actors/contracts/terms.ts'
import type { Task } from '../../actors/contracts/values.ts'
import type { Address } from '../../lib/actor.ts'

export const BROKER: Address = 'broker@b'

export interface Market extends Caution {
  /** s1, s2, ...: each with so many processors, s1p1, s1p2, ... */
  readonly sites: readonly (SiteTerms & { readonly processors: number })[]
  readonly broker: BrokerTerms
  /** In order of arrival. */
  readonly tasks: readonly Task[]
  /** c1, c2, ...: task k is one of client k, counted round; default 1. */
  readonly clients?: number
  /** Dollars: the most that a site that was given up owes beyond its price, where nothing bounds the penalty. */
  readonly claimCap: number
  /** A copy of `actors/`, to be run in its place. */
  readonly actors?: URL | undefined
}

export const siteOf = (index: number): Address => `site@s${index + 1}`

export const processorsOf = (index: number, count: number): Address[] =>
  Array.from({ length: count }, (_, i): Address => `processor@s${index + 1}p${i + 1}`)

const clientOf = (index: number): Address => `client@c${index + 1}`

/** The first, and where nothing is said of clients the only one. */
export const CLIENT = clientOf(0)

export const clientsOf = (clients = 1): Address[] => Array.from({ length: clients }, (_, i) => clientOf(i))

/** Of a market without its tasks. */
interface Cast extends Pick<Market, 'clients'> {
  readonly sites: readonly { readonly processors: number }[]
}

/** In spawn order. */
export const addressesOf = ({ sites, clients }: Cast): Address[] => [
  ...sites.flatMap(({ processors }, i) => [...processorsOf(i, processors), siteOf(i)]),
  BROKER,
  ...clientsOf(clients),
]
