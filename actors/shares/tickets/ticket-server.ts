/**
 * The ticket server of one machine (paper, section 4.2): tells its processor what jobs of other machines hold of each
 * currency, and its peers what jobs hold here. Nobody waits for it. Of a peer that is silent the last report counts
 * until it is older than `keep`; its tickets between currencies stay in force, since they are not of its machine's jobs.
 *
 * A share that arrives at the very instant of a tick is in that tick's table. A new incarnation knows of no jobs elsewhere until
 * their machines' next tick. Tickets between currencies it has written down, its peers' too: for want of one a currency
 * would be worth nothing.
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
  /** How long a peer's report counts: by default three periods. */
  readonly keep: Time
  /** Base tickets that fund a currency: one for each user, as processors have it. */
  readonly funding: Readonly<Record<string, number>>
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Remembered[]
}

/** What it issued, which of that is void, and what its peers issued. */
type Remembered =
  | { readonly type: 'issued'; readonly ticket: Ticket; readonly issuer: Address }
  | { readonly type: 'void'; readonly ticket: string; readonly reason: string }
  | { readonly type: 'heard'; readonly peer: Address; readonly tickets: readonly Ticket[] }

interface Context {
  readonly keep: Time
  readonly funding: Readonly<Record<string, number>>
  readonly own: readonly Own[]
  readonly peers: Peers
  /** The tickets in force, as follows from these. */
  readonly valid: readonly Ticket[]
}

interface Own {
  readonly ticket: Ticket
  readonly issuer: Address
  /** Why it is void, once it is; that is final. */
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

/** Takes back what a peer's tickets have made void. */
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

/** Of peers an earlier incarnation knew tickets; their reports are too old to count. */
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

/** Each peer's last share. */
export type Peers = ReadonlyMap<Address, Heard>

/** With a share that has just come; an older one, which the network has doubled or held up, says nothing new. */
export const hear = (peers: Peers, from: Address, { at, issued, tickets }: Heard): Peers =>
  at < (peers.get(from)?.at ?? Number.NEGATIVE_INFINITY) ? peers : new Map(peers).set(from, { at, issued, tickets })

/** Amounts that other machines' jobs hold, by currency; what was reported before `oldest` is forgotten. */
export function issuedElsewhere(peers: Peers, oldest: Time): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { at, issued } of peers.values()) {
    if (at < oldest) continue
    for (const [currency, amount] of Object.entries(issued)) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return Object.fromEntries(sums)
}
