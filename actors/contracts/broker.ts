/**
 * A broker finds a site for each task, in the order of requests: it asks all sites, waits for their offers, and awards the
 * task to the best. A site that reneges or does not answer is passed over for the next best. If no offer is left, the broker
 * asks all sites again.
 */
import {
  actor,
  answered,
  asked,
  cancel,
  type Delivery,
  isAwaited,
  now,
  type Ref,
  type Turn,
  tell,
  turn,
} from '../../lib/actor.ts'
import {
  type BrokerFact,
  type BrokerInput,
  type Context,
  contextOf,
  type DecisionFact,
  enter,
  type Heard,
  nextOf,
  type SearchState,
  searchChart,
} from './broker-state.ts'
import type { Accepted, Offer, Refuse, Renege, Request, Round, ToBroker, ToClient, ToSite } from './messages.ts'
import { drop, get, itemsOf, put } from './sorted.ts'
import type { Preference } from './terms.ts'
import type { Task } from './values.ts'

type Waited = { readonly type: 'waited'; readonly task: number }
/** `sent` is how often the award was sent. */
type Unanswered = Round & { readonly type: 'unanswered'; readonly sent: number }
type Event = ToBroker | Waited | Unanswered
type It = Turn<Context>
type Doubted = Extract<DecisionFact, { type: 'doubted' }>

const { createMachine, handlers, onEntry, observe, timer } = actor<{
  input: BrokerInput
  context: Context
  event: Event
  reply: ToSite | ToClient
  fact: BrokerFact
}>({ charts: [searchChart] })

type Sender = Delivery<Ref<ToSite | ToClient>>

/** How often an unanswered award is sent. */
const AWARDS = 3

/** The orders of offers, the best first. */
const ORDERS: Readonly<Record<Preference, (one: Offer, other: Offer) => number>> = {
  earliest: (one, other) => one.completion - other.completion || one.price - other.price,
  cheapest: (one, other) => one.price - other.price || one.completion - other.completion,
}

const roundTimer = ({ task, round }: Round) => `wait ${task}.${round}`

/** Makes a handler that opens the rounds that can be opened after its event. */
const handling = <Args extends readonly unknown[]>(happens: (it: It, ...args: Args) => void) =>
  turn((it: It, ...args: Args) => {
    happens(it, ...args)
    openRounds(it)
  })

/** Tells a fact about a decision. Without a limit of waiting the broker decides by all answers, so that there is nothing to tell. */
function explain(it: It, fact: DecisionFact): void {
  const { patience, wait } = it.context
  if (patience !== null || wait !== null) it.do(observe(fact))
}

function openRounds(it: It): void {
  const { rounds } = it.context
  for (let next = nextOf(it.context.book); next; next = nextOf(it.context.book)) {
    if (rounds === 'one by one' && it.context.book.soliciting > 0) return
    openRound(it, next.context.of)
  }
}

function openRound(it: It, of: Task): void {
  const { task } = of
  const { sites, patience, wait, book } = it.context
  const round = book.count + 1
  enter(it, { type: 'opened', task, round })
  explain(it, { type: 'opened', task, round })
  hear(it, task, { answers: asked(round, sites), tried: [] })
  for (const site of sites) it.do(tell(site, { type: 'bid', task, round, of }))
  const longest = wait ?? patience
  if (longest !== null) it.do(timer(roundTimer({ task, round }), longest, { type: 'waited', task }))
}

const hear = (it: It, task: number, heard: Heard): void => {
  it.context.heard = put(it.context.heard, task, heard)
}

function onRequest(it: It, { of, search, lost }: Request, { from: client }: Sender): void {
  const { task } = of
  const { book } = it.context
  if (get(book.open, task)) return
  const before = get(book.over, task)
  if (before && search <= before.context.search) {
    if (search === before.context.search) answer(it, before)
    return
  }
  doubt(it, task, lost, 'given up')
  enter(it, { type: 'requested', of, client, search })
}

function answer(it: It, { context: { of, client, search, award } }: SearchState): void {
  const { task } = of
  if (!award) return it.do(tell(client, { type: 'no-site', task, search }))
  const { site, completion, price } = award
  it.do(tell(client, { type: 'contract', task, search, site, completion, price }))
}

/** Does not wait for these sites until they answer. */
function doubt(it: It, task: number, sites: readonly Ref<ToSite>[], why: Doubted['why']): void {
  it.context.silent = [...new Set([...it.context.silent, ...sites])]
  if (sites.length > 0) explain(it, { type: 'doubted', task, sites, why })
}

// --- choosing a site --------------------------------------------------------------------------------------------------

/** Takes the answer of a site. The broker waits for this site again from now on. */
function onAnswer(it: It, answer: Offer | Refuse, { from }: Sender): void {
  const { task, round } = answer
  it.context.silent = it.context.silent.filter((site) => site !== from)
  explain(it, { type: 'answered', task, round, site: from, offer: answer.type === 'offer' ? promiseOf(answer) : null })
  const [found, heard] = [get(it.context.book.open, task), get(it.context.heard, task)]
  if (found?.state !== 'soliciting' || !heard || !isAwaited(heard.answers, from, round)) return
  const answers = answered(heard.answers, from, answer.type === 'offer' ? answer : null)
  hear(it, task, { ...heard, answers })
  if (answers.missing.every((site) => it.context.silent.includes(site))) decide(it, found)
}

/** Decides with the offers that have come. A decision cancels the timer of its round, so this round is still open. */
function onWaited(it: It, { task }: Waited): void {
  const [found, heard] = [get(it.context.book.open, task), get(it.context.heard, task)]
  if (!found || !heard) return
  doubt(it, task, heard.answers.missing, 'too late')
  decide(it, found)
}

const promiseOf = ({ completion, price, expires }: Offer) => ({ completion, price, expires })

/** The offers of a round from sites that were not awarded the task yet. */
const offersOf = ({ answers, tried }: Heard) =>
  [...answers.answers].flatMap(([site, offer]) => (offer && !tried.includes(site) ? { site, offer } : []))

/** The best offer that has not expired. */
function bestOf({ sites, preference }: Context, heard: Heard) {
  const order = ORDERS[preference]
  return offersOf(heard)
    .filter(({ offer: { expires } }) => expires === null || expires >= now())
    .sort((one, other) => order(one.offer, other.offer) || sites.indexOf(one.site) - sites.indexOf(other.site))[0]
}

/** Whether another round is worthwhile: a site made an offer, or no site refused. */
const isOpen = ({ answers: { answers } }: Heard): boolean =>
  answers.size === 0 || [...answers.values()].some((offer) => offer !== null)

/** Awards the task to the site with the best offer. Without offers it asks all sites again, or tells the client. */
function decide(it: It, search: SearchState): void {
  const { of, round, rounds } = search.context
  const { task } = of
  const heard = get(it.context.heard, task)
  if (!heard) return
  it.do(cancel(roundTimer({ task, round })))
  const best = bestOf(it.context, heard)
  const again = !best && isOpen(heard) && rounds <= it.context.rebids
  explain(it, { type: 'decided', task, round, site: best?.site ?? null, again })
  if (best) {
    const { site, offer } = best
    const { completion, price } = offer
    hear(it, task, { ...heard, tried: [...heard.tried, site] })
    enter(it, { type: 'awarded', task, site, completion, price })
    award(it, task)
  } else if (again) openRound(it, of)
  else close(it, search)
}

// --- awards -----------------------------------------------------------------------------------------------------------

/** Sends the award, for the first time or again. */
function award(it: It, task: number, sent = 1): void {
  const found = get(it.context.book.open, task)?.context
  if (!found?.award) return
  const { of, client, round } = found
  const { site, completion, price } = found.award
  it.do(tell(site, { type: 'award', task, round, completion, price, of, client }))
  const { patience } = it.context
  if (patience !== null) it.do(timer(`award ${task}`, patience, { type: 'unanswered', task, round, sent }))
}

/** Sends an award again, or passes the site over. The timer is cancelled when the site answers, so the award still stands. */
function onUnanswered(it: It, { task, round, sent }: Unanswered): void {
  const found = get(it.context.book.open, task)
  if (!found?.context.award) return
  if (sent < AWARDS) return award(it, task, sent + 1)
  const { site } = found.context.award
  doubt(it, task, [site], 'passed over')
  it.do(observe({ type: 'passed', task, round, site }))
  pass(it, task)
}

function pass(it: It, task: number): void {
  enter(it, { type: 'passed', task })
  it.do(cancel(`award ${task}`))
  const found = get(it.context.book.open, task)
  if (found) decide(it, found)
}

function close(it: It, search: SearchState): void {
  const { of, award } = search.context
  const { task } = of
  enter(it, { type: 'answered', task })
  explain(it, { type: 'closed', task, site: award?.site ?? null })
  it.context.heard = drop(it.context.heard, task)
  answer(it, search)
}

/** Handles an acceptance: the other offers are withdrawn. A site that was passed over comes too late and is told so. */
function onAccepted(it: It, { task, round }: Accepted, { from }: Sender): void {
  const { book, heard: all } = it.context
  const known = get(book.open, task) ?? get(book.over, task)
  if (!known) return
  const { award: awarded, held } = known.context
  if (known.state === 'awarded' && awarded?.site === from) {
    it.do(cancel(`award ${task}`))
    const heard = get(all, task)
    for (const { site } of heard ? offersOf(heard) : []) it.do(tell(site, { type: 'withdraw', task, round }))
    close(it, known)
  } else if (awarded?.site !== from && !held.includes(from)) it.do(tell(from, { type: 'void', task }))
}

function onRenege(it: It, { task, round }: Renege, { from }: Sender): void {
  const found = get(it.context.book.open, task)?.context
  if (found?.round !== round || found.award?.site !== from) return
  it.do(observe({ type: 'declined', task, round: found.round, site: from }))
  pass(it, task)
}

/** Continues in a later incarnation: repeats the awards, and asks again about all other open tasks. */
function start(it: It): void {
  const open = itemsOf(it.context.book.open).sort((one, other) => one.context.asked - other.context.asked)
  for (const { state, context } of open) {
    const { of, round } = context
    if (state === 'soliciting') openRound(it, of)
    if (state !== 'awarded') continue
    hear(it, of.task, { answers: asked(round, []), tried: [] })
    award(it, of.task)
  }
}

export default createMachine({
  context: ({ input }) => contextOf(input),
  entry: onEntry(handling(start)),
  on: handlers({
    request: handling(onRequest),
    offer: handling(onAnswer),
    refuse: handling(onAnswer),
    waited: handling(onWaited),
    accepted: handling(onAccepted),
    renege: handling(onRenege),
    unanswered: handling(onUnanswered),
  }),
})
