/**
 * A broker finds a site for each task, in the order of requests: it asks all sites, waits for their offers, and awards the
 * task to the best. A site that reneges or does not answer is passed over for the next best. If no offer is left, the broker
 * asks all sites again.
 */
import { type Address, actor, cancel, type Mail, now, observe, tell, timer } from '../../lib/actor.ts'
import { type BrokerInput, type Context, contextOf, isSearched, nextOf, type OpenSearch, Turn } from './broker-state.ts'
import type { Accepted, Offer, Renege, Request, Round, ToBroker } from './messages.ts'
import { get, itemsOf } from './sorted.ts'
import type { Preference } from './terms.ts'
import type { Task } from './values.ts'

type Event = Mail<ToBroker> | ({ type: 'waited' | 'unanswered' } & Round)

const { createMachine, rule, onEntry } = actor<{ input: BrokerInput; context: Context; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

/** How often an unanswered award is sent. */
const AWARDS = 3

/** The orders of offers, the best first. */
const ORDERS: Readonly<Record<Preference, (one: Offer, other: Offer) => number>> = {
  earliest: (one, other) => one.completion - other.completion || one.price - other.price,
  cheapest: (one, other) => one.price - other.price || one.completion - other.completion,
}

const roundTimer = ({ task, round }: Round) => `wait ${task}.${round}`

/** A rule that opens the rounds that can be opened after its event. */
const turn = <T extends Type>(type: T, happens: (turn: Turn, event: Of<T>) => void) =>
  rule(type, (context, event) => {
    const it = new Turn(context)
    happens(it, event)
    openRounds(it)
    return it.decision
  })

function openRounds(it: Turn): void {
  const { rounds } = it.context
  for (let next = nextOf(it.book); next; next = nextOf(it.book)) {
    if (rounds === 'one by one' && !itemsOf(it.book.open).every(isAwarded)) return
    openRound(it, next.of)
  }
}

const isAwarded = ({ award }: OpenSearch): boolean => award !== null

function openRound(it: Turn, of: Task): void {
  const { task } = of
  const { sites, patience, wait } = it.context
  const round = it.book.count + 1
  it.enter({ type: 'opened', task, round })
  it.hear(task, { missing: sites, offers: [], isOpen: true, sent: 0 })
  for (const site of sites) it.do(tell(site, { type: 'bid', task, round, of }))
  const longest = wait ?? patience
  if (longest !== null) it.do(timer(roundTimer({ task, round }), longest, { type: 'waited', task, round }))
}

function onRequest(it: Turn, { from: client, of, search, lost }: Mail<Request>): void {
  const { task } = of
  if (isSearched(it.book, task)) return
  const before = get(it.book.over, task)
  if (before && search <= before.search) return before.search === search ? answer(it, before) : undefined
  doubt(it, lost)
  it.enter({ type: 'requested', of, client, search })
}

function answer(it: Turn, { of: { task }, client, search, award }: OpenSearch): void {
  it.do(tell(client, award ? { type: 'contract', task, search, ...award } : { type: 'no-site', task, search }))
}

const doubt = (it: Turn, sites: readonly Address[]) => {
  it.silent = [...new Set([...it.silent, ...sites])]
}

/** Takes the answer of a site. The broker waits for this site again from now on. */
function answered(it: Turn, from: Address, round: Round, offer: Mail<Offer> | null): void {
  it.silent = it.silent.filter((site) => site !== from)
  const errand = it.soliciting(round)
  if (!errand?.heard.missing.includes(from)) return
  const { heard } = errand
  const missing = heard.missing.filter((site) => site !== from)
  const isOpen = offer !== null || (heard.isOpen && heard.offers.length > 0)
  it.hear(round.task, { ...heard, missing, isOpen, offers: offer ? [...heard.offers, offer] : heard.offers })
  if (missing.every((site) => it.silent.includes(site))) decide(it, errand)
}

function onWaited(it: Turn, round: Of<'waited'>): void {
  const errand = it.soliciting(round)
  if (!errand) return
  doubt(it, errand.heard.missing)
  decide(it, errand)
}

function best({ sites, preference }: Context, offers: readonly Mail<Offer>[]): Mail<Offer> | undefined {
  const valid = offers.filter(({ expires }) => expires === null || expires >= now())
  const order = ORDERS[preference]
  return [...valid].sort((one, other) => order(one, other) || sites.indexOf(one.from) - sites.indexOf(other.from))[0]
}

/** Awards the task to the site with the best offer. Without offers it asks all sites again, or tells the client. */
function decide(it: Turn, { of, round, rounds }: OpenSearch): void {
  const { task } = of
  const heard = get(it.heard, task)
  if (!heard) return
  it.do(cancel(roundTimer({ task, round })))
  const winner = best(it.context, heard.offers)
  if (winner) {
    const { from: site, completion, price } = winner
    it.hear(task, { ...heard, offers: heard.offers.filter((offer) => offer !== winner) })
    it.enter({ type: 'awarded', task, site, completion, price })
    award(it, task)
  } else if (heard.isOpen && rounds <= it.context.rebids) openRound(it, of)
  else close(it, task)
}

/** Sends the award, for the first time or again. */
function award(it: Turn, task: number): void {
  const [errand, heard] = [get(it.book.open, task), get(it.heard, task)]
  if (!errand?.award || !heard) return
  const { of, client, round } = errand
  const { site, ...promised } = errand.award
  it.hear(task, { ...heard, sent: heard.sent + 1 })
  it.do(tell(site, { type: 'award', task, round, ...promised, of, client }))
  const { patience } = it.context
  if (patience !== null) it.do(timer(`award ${task}`, patience, { type: 'unanswered', task, round }))
}

function onUnanswered(it: Turn, { task, round }: Of<'unanswered'>): void {
  const errand = get(it.book.open, task)
  if (!errand?.award || errand.round !== round) return
  if ((get(it.heard, task)?.sent ?? 0) < AWARDS) return award(it, task)
  const { site } = errand.award
  doubt(it, [site])
  it.do(observe({ type: 'passed', task, round, site }))
  pass(it, errand)
}

function pass(it: Turn, errand: OpenSearch): void {
  const { task } = errand.of
  const heard = get(it.heard, task)
  it.enter({ type: 'passed', task })
  if (heard) it.hear(task, { ...heard, sent: 0 })
  it.do(cancel(`award ${task}`))
  decide(it, errand)
}

function close(it: Turn, task: number): void {
  const errand = get(it.book.open, task)
  it.enter({ type: 'answered', task })
  it.hear(task, null)
  if (errand) answer(it, errand)
}

/** Handles an acceptance: the other offers are withdrawn. A site that was passed over comes too late and is told so. */
function onAccepted(it: Turn, { from, task, round }: Mail<Accepted>): void {
  const errand = get(it.book.open, task)
  if (errand?.award?.site === from) {
    it.do(cancel(`award ${task}`))
    for (const offer of get(it.heard, task)?.offers ?? []) it.do(tell(offer.from, { type: 'withdraw', task, round }))
    return close(it, task)
  }
  const known = errand ?? get(it.book.over, task)
  if (known && known.award?.site !== from && !known.held.includes(from)) it.do(tell(from, { type: 'void', task }))
}

function onRenege(it: Turn, { from, task, round }: Mail<Renege>): void {
  const errand = get(it.book.open, task)
  if (errand?.round === round && errand.award?.site === from) pass(it, errand)
}

/** Continues in a later incarnation: repeats the awards, and asks again about all other open tasks. */
const start = onEntry((context) => {
  const it = new Turn(context)
  const open = itemsOf(it.book.open).sort((one, other) => one.began - other.began)
  for (const errand of open) {
    const { task } = errand.of
    if (errand.award) {
      it.hear(task, { missing: [], offers: [], isOpen: true, sent: 0 })
      award(it, task)
    } else openRound(it, errand.of)
  }
  openRounds(it)
  return it.decision
})

export default createMachine({
  context: ({ input }) => contextOf(input),
  entry: start,
  on: {
    request: { actions: turn('request', onRequest) },
    offer: { actions: turn('offer', (it, offer) => answered(it, offer.from, offer, offer)) },
    refuse: { actions: turn('refuse', (it, refuse) => answered(it, refuse.from, refuse, null)) },
    waited: { actions: turn('waited', onWaited) },
    accepted: { actions: turn('accepted', onAccepted) },
    renege: { actions: turn('renege', onRenege) },
    unanswered: { actions: turn('unanswered', onUnanswered) },
  },
})
