/**
 * The ticket server of one machine (paper, section 4.2). It tells its processor how many tickets of each currency the
 * jobs of other machines hold, and its peers how many the jobs hold here. No actor waits for it. The last report of a
 * silent peer counts until it is older than `keep`. The peer's tickets between currencies stay in force, because they
 * do not belong to its machine's jobs.
 *
 * A share that arrives at the very instant of a tick is in that tick's table. A new incarnation knows of no jobs
 * elsewhere until the next tick of their machines. It persists tickets between currencies, also those of its peers:
 * without one of them a currency would be worth nothing.
 */
import {
  type Address,
  actor,
  type Decision,
  type Effect,
  groupOf,
  type Mail,
  now,
  persist,
  self,
  type Time,
  tell,
} from '../../../lib/actor.ts'
import { isKnown } from '../../processor/currencies.ts'
import type { Table } from '../../processor/jobs.ts'
import { type Issues, inForce, MAX_TICKETS, objection } from './in-force.ts'
import type { FromTicketServer, Heard, Issue, Share, Ticket, ToTicketServer } from './messages.ts'

export type TicketServerInput = {
  /** How long a peer's report counts; three periods by default. */
  readonly keep: Time
  /** The base tickets that fund each user's currency; the processors have the same. */
  readonly funding: Readonly<Record<string, number>>
  /** The records of earlier incarnations; absent in the first one. */
  readonly records?: readonly Remembered[]
}

/** The records of a server: tickets that it issued, those of them that are void, and tickets that its peers issued. */
type Remembered =
  | { readonly type: 'issued'; readonly ticket: Ticket; readonly issuer: Address }
  | { readonly type: 'void'; readonly ticket: string; readonly reason: string }
  | { readonly type: 'heard'; readonly peer: Address; readonly tickets: readonly Ticket[] }

interface Context {
  readonly keep: Time
  readonly funding: Readonly<Record<string, number>>
  readonly own: readonly Own[]
  readonly peers: Peers
  /** The tickets in force, derived from `own` and `peers`. */
  readonly valid: readonly Ticket[]
}

interface Own {
  readonly ticket: Ticket
  readonly issuer: Address
  /** Why the ticket is void; null while it is in force. A void ticket stays void. */
  readonly refused: string | null
}

type Event = Mail<ToTicketServer>

const { createMachine, rule } = actor<{ input: TicketServerInput; context: Context; event: Event }>()

const answer = (to: Address, message: FromTicketServer | Table) => tell(to, message)
const share = (message: Share) => tell(groupOf(self()), message)
const remember = (record: Remembered) => persist(record)

const issuedBy = (own: readonly Own[]): Ticket[] =>
  own.flatMap(({ ticket, refused }) => (refused === null ? [ticket] : []))

const issuesOf = ({ own, peers }: Pick<Context, 'own' | 'peers'>): Issues =>
  new Map([...[...peers].map(([peer, { tickets }]) => [peer, tickets] as const), [self(), issuedBy(own)]])

const validIn = (known: Pick<Context, 'own' | 'peers'>): Ticket[] => inForce(issuesOf(known))

const onReport = rule('report', (context, { issued, from }) => {
  const { keep, own, peers, valid } = context
  const elsewhere = issuedElsewhere(peers, now() - keep)
  const backing = valid.map(({ currency, amount, holder }) => ({ currency, amount, holder }))
  return [
    {},
    answer(from, { type: 'table', issued: elsewhere, backing }),
    share({ type: 'share', at: now(), issued, tickets: issuedBy(own) }),
  ]
})

const namesOf = (tickets: readonly Ticket[] = []): string => tickets.map(({ ticket }) => ticket).join()

const onShare = rule('share', (context, { from: peer, ...heard }) => {
  const peers = hear(context.peers, peer, heard)
  const tickets = peers.get(peer)?.tickets ?? []
  if (namesOf(tickets) === namesOf(context.peers.get(peer)?.tickets)) return [{ peers }]
  const [changes, ...effects] = revoke(context.own, peers)
  return [changes, remember({ type: 'heard', peer, tickets }), ...effects]
})

/** Revokes own tickets that a peer's tickets have made void. */
function revoke(own: readonly Own[], peers: Peers): Decision<Context> {
  const valid = validIn({ own, peers })
  const names = new Set(valid.map(({ ticket }) => ticket))
  const effects: Effect[] = []
  const checked = own.map((one) => {
    const { ticket, issuer, refused } = one
    if (refused !== null || names.has(ticket.ticket)) return one
    const reason = `with a ticket issued before elsewhere ${ticket.holder} would hold itself`
    effects.push(
      remember({ type: 'void', ticket: ticket.ticket, reason }),
      answer(issuer, { type: 'refused', ticket: ticket.ticket, reason }),
    )
    return { ...one, refused: reason }
  })
  return [{ peers, own: checked, valid }, ...effects]
}

const onIssue = rule('issue', (context, issue) => {
  const { peers } = context
  const { from, ticket: name, currency, amount, holder } = issue
  const refuse = (reason: string) => answer(from, { type: 'refused', ticket: name, reason })
  const before = context.own.find(({ ticket }) => ticket.ticket === name)
  if (before)
    return [{}, before.refused === null ? answer(from, { type: 'issued', ticket: name }) : refuse(before.refused)]
  const reason = objectionTo(context, issue)
  if (reason !== null) return [{}, refuse(reason)]
  const ticket = { ticket: name, currency, amount, holder, at: now() }
  const own = [...context.own, { ticket, issuer: from, refused: null }]
  return [
    { own, valid: validIn({ own, peers }) },
    remember({ type: 'issued', ticket, issuer: from }),
    answer(from, { type: 'issued', ticket: name }),
  ]
})

function objectionTo({ own, funding, valid }: Context, issue: Issue): string | null {
  if (own.length >= MAX_TICKETS) return `${MAX_TICKETS} tickets (MAX_TICKETS) are issued here already`
  return objection(valid, issue, isKnown({ funding, issued: {}, backing: valid }, issue.currency))
}

function ownIn(records: readonly Remembered[]): Own[] {
  const reasons = new Map(records.flatMap((record) => (record.type === 'void' ? [[record.ticket, record.reason]] : [])))
  return records.flatMap((record) =>
    record.type === 'issued' ? [{ ...record, refused: reasons.get(record.ticket.ticket) ?? null }] : [],
  )
}

/** The peers' tickets that earlier incarnations recorded. The peers' reports are too old to count. */
const peersIn = (records: readonly Remembered[]): Peers =>
  new Map(
    records.flatMap((record) => {
      if (record.type !== 'heard') return []
      return [[record.peer, { at: Number.NEGATIVE_INFINITY, issued: {}, tickets: record.tickets }] as const]
    }),
  )

function recall(records: readonly Remembered[]): Pick<Context, 'own' | 'peers' | 'valid'> {
  const known = { own: ownIn(records), peers: peersIn(records) }
  return { ...known, valid: validIn(known) }
}

export default createMachine({
  context: ({ input: { keep, funding, records = [] } }) => ({ keep, funding, ...recall(records) }),
  on: {
    report: { actions: onReport },
    share: { actions: onShare },
    issue: { actions: onIssue },
  },
})

/** The last share of each peer. */
export type Peers = ReadonlyMap<Address, Heard>

/**
 * The peers with a share that has just arrived. An older share, which the network has duplicated or delayed, changes
 * nothing.
 */
export const hear = (peers: Peers, from: Address, { at, issued, tickets }: Heard): Peers =>
  at < (peers.get(from)?.at ?? Number.NEGATIVE_INFINITY) ? peers : new Map(peers).set(from, { at, issued, tickets })

/** The amounts that jobs on other machines hold, by currency; reports from before `oldest` do not count. */
export function issuedElsewhere(peers: Peers, oldest: Time): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { at, issued } of peers.values()) {
    if (at < oldest) continue
    for (const [currency, amount] of Object.entries(issued)) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return Object.fromEntries(sums)
}
