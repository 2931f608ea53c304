/**
 * The ticket server of one machine (paper, section 4.2). It tells its processor how many tickets of each currency the
 * jobs of other machines hold, and its peers how many the jobs hold here. No actor waits for it. The last report of a
 * silent peer counts until it is older than `keep`. The peer's tickets between currencies stay in force, because they
 * do not belong to its machine's jobs.
 *
 * A share that arrives at the very instant of a tick is in that tick's table. A timer tells how old a report is, since the
 * clocks of machines may differ. A new incarnation knows of no jobs elsewhere until the next tick of their machines. It
 * persists tickets between currencies, also those of its peers: without one of them a currency would be worth nothing. A
 * ticket has no child chart: it changes once at most, from valid to void, as the lists of all servers decide. Nor has a
 * request, which is answered in the step that hears it.
 */
import {
  type Address,
  actor,
  type Delivery,
  eventSourced,
  groupOf,
  now,
  type Ref,
  ref,
  self,
  type Time,
  type Turn,
  tell,
  turn,
} from '../../../lib/actor.ts'
import { totalsOf } from '../../../lib/core/tally.ts'
import { isKnown } from '../../processor/currencies.ts'
import type { Report, Table } from '../../processor/jobs.ts'
import { type Issues, inForce, MAX_TICKETS, objection } from './in-force.ts'
import type { FromTicketServer, Heard, Issue, Share, Ticket, ToTicketServer } from './messages.ts'

/** What a ticket server is spawned with. */
export type TicketServerInput = {
  /** How long a peer's report counts; three periods by default. */
  readonly keep: Time
  /** The base tickets that fund each user's currency; the processors have the same. */
  readonly funding: Readonly<Record<string, number>>
  /** The records of earlier incarnations; absent in the first one. */
  readonly records?: readonly Entry[]
}

/** The records of a server: tickets that it issued, those of them that are void, and tickets that its peers issued. */
type Entry =
  | { readonly type: 'issued'; readonly ticket: Ticket; readonly issuer: Ref<FromTicketServer> }
  | { readonly type: 'void'; readonly ticket: string; readonly reason: string }
  | { readonly type: 'heard'; readonly peer: Address; readonly tickets: readonly Ticket[] }

/** The tickets between currencies that a server has issued or heard of. */
interface Register {
  readonly own: readonly Own[]
  readonly peers: Issues
}

interface Own {
  readonly ticket: Ticket
  readonly issuer: Ref<FromTicketServer>
  /** Why the ticket is void; null while it is in force. A void ticket stays void. */
  readonly refused: string | null
}

interface Context {
  readonly keep: Time
  readonly funding: Readonly<Record<string, number>>
  readonly register: Register
  /** The tickets in force, derived from the register. */
  readonly valid: readonly Ticket[]
  /** The time in the last share; -1 before the first one. */
  readonly shared: Time
  /** The last report of each peer that is not too old; those that earlier incarnations heard do not count. */
  readonly reports: ReadonlyMap<Address, Pick<Heard, 'at' | 'issued'>>
}

/** A peer has not been heard of for so long that its last report is too old. */
type Silent = { readonly type: 'silent'; readonly peer: Address }

/** The fact that a ticket server observes: the last report of a peer is too old, and does not count any more. */
export type TicketServerFact = { readonly type: 'forgot'; readonly peer: Address }

const { createMachine, handlers, observe, timer } = actor<{
  input: TicketServerInput
  context: Context
  event: ToTicketServer | Silent
  reply: FromTicketServer | Table
  fact: TicketServerFact
}>()

type Sender = Delivery<Ref<FromTicketServer | Table>>

const { recover, enter } = eventSourced<Register, Entry>({
  empty: { own: [], peers: new Map() },
  apply({ own, peers }, entry) {
    switch (entry.type) {
      case 'issued':
        return { own: [...own, { ticket: entry.ticket, issuer: entry.issuer, refused: null }], peers }
      case 'void':
        return {
          own: own.map((one) => (one.ticket.ticket === entry.ticket ? { ...one, refused: entry.reason } : one)),
          peers,
        }
      case 'heard':
        return { own, peers: new Map(peers).set(entry.peer, entry.tickets) }
    }
  },
})

const issuedBy = ({ own }: Register): Ticket[] =>
  own.flatMap(({ ticket, refused }) => (refused === null ? [ticket] : []))

const validIn = (register: Register): Ticket[] => inForce(new Map([...register.peers, [self(), issuedBy(register)]]))

function write(it: Turn<Context>, entry: Entry): void {
  const [register, ...effects] = enter(it.context.register, entry, true)
  it.context.register = register
  it.context.valid = validIn(register)
  it.do(...effects)
}

const onReport = ({ register, reports, shared, valid }: Context, { issued }: Report, { from }: Sender) => {
  const backing = valid.map(({ currency, amount, holder }) => ({ currency, amount, holder }))
  const at = Math.max(now(), shared + 1)
  return [
    { shared: at },
    tell(from, { type: 'table', issued: issuedElsewhere(reports), backing }),
    tell(ref<Share>(groupOf(self())), { type: 'share', at, issued, tickets: issuedBy(register) }),
  ] as const
}

const namesOf = (tickets: readonly Ticket[] = []): string => tickets.map(({ ticket }) => ticket).join()

/** Takes in a share. An old one, or a copy of the last one, changes nothing: the network duplicates and delays messages. */
const onShare = turn((it: Turn<Context>, { at, issued, tickets }: Share, { from: peer }: Delivery) => {
  const { context } = it
  if (at <= (context.reports.get(peer)?.at ?? Number.NEGATIVE_INFINITY)) return
  context.reports = new Map(context.reports).set(peer, { at, issued })
  // a report that is as old as `keep` still counts
  it.do(timer(`silent ${peer}`, context.keep + 1, { type: 'silent', peer }))
  if (namesOf(tickets) === namesOf(context.register.peers.get(peer))) return
  write(it, { type: 'heard', peer, tickets })
  revoke(it)
})

const onSilent = turn((it: Turn<Context>, { peer }: Silent) => {
  const reports = new Map(it.context.reports)
  reports.delete(peer)
  it.context.reports = reports
  it.do(observe({ type: 'forgot', peer }))
})

/** Revokes own tickets that a peer's tickets have made void. */
function revoke(it: Turn<Context>): void {
  const names = new Set(it.context.valid.map(({ ticket }) => ticket))
  for (const { ticket, issuer, refused } of it.context.register.own) {
    if (refused !== null || names.has(ticket.ticket)) continue
    const reason = `with a ticket issued before elsewhere ${ticket.holder} would hold itself`
    write(it, { type: 'void', ticket: ticket.ticket, reason })
    it.do(tell(issuer, { type: 'refused', ticket: ticket.ticket, reason }))
  }
}

const onIssue = turn((it: Turn<Context>, issue: Issue, { from }: Sender) => {
  const { ticket: name, currency, amount, holder } = issue
  const before = it.context.register.own.find(({ ticket }) => ticket.ticket === name)
  const reason = before ? before.refused : objectionTo(it.context, issue)
  if (reason !== null) return it.do(tell(from, { type: 'refused', ticket: name, reason }))
  if (!before)
    write(it, { type: 'issued', ticket: { ticket: name, currency, amount, holder, at: now() }, issuer: from })
  it.do(tell(from, { type: 'issued', ticket: name }))
})

function objectionTo({ register, funding, valid }: Context, issue: Issue): string | null {
  if (register.own.length >= MAX_TICKETS) return `${MAX_TICKETS} tickets (MAX_TICKETS) are issued here already`
  return objection(valid, issue, isKnown({ funding, issued: {}, backing: valid }, issue.currency))
}

/** The amounts that jobs on other machines hold, by currency. */
const issuedElsewhere = (reports: Context['reports']): Record<string, number> =>
  Object.fromEntries(totalsOf([...reports.values()].flatMap(({ issued }) => Object.entries(issued))))

export default createMachine({
  context: ({ input: { keep, funding, records } }) => {
    const register = recover(records)
    return { keep, funding, register, valid: validIn(register), shared: -1, reports: new Map() }
  },
  on: handlers({ report: onReport, share: onShare, silent: onSilent, issue: onIssue }),
})
