/**
 * A broker finds a site for each task: asks all, waits for what they promise, and awards it to the best, in the order of
 * requests. Who reneges is passed over for the next best.
 */
import {
  type Address,
  actor,
  cancel,
  type Decision,
  type Effect,
  type Mail,
  now,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { Offer, Round, ToBroker } from './messages.ts'
import type { BrokerTerms, Preference } from './terms.ts'
import type { Task } from './values.ts'

export type BrokerInput = BrokerTerms & {
  /** In the order in which equals are preferred. */
  readonly sites: readonly Address[]
}

interface Request {
  readonly of: Task
  readonly client: Address
}

/** A task whose round is open, or that is awarded and not yet taken. */
interface Open extends Request {
  readonly round: number
  /** Sites that have not answered. */
  readonly missing: readonly Address[]
  /** Those that may still be taken up. */
  readonly offers: readonly Mail<Offer>[]
  readonly awarded: Mail<Offer> | null
}

interface Context extends BrokerInput {
  /** Requests whose round is to come. */
  readonly queue: readonly Request[]
  readonly open: ReadonlyMap<number, Open>
  /** So far. */
  readonly count: number
}

type Event = Mail<ToBroker> | ({ type: 'waited' } & Round)

const { createMachine, rule } = actor<{ input: BrokerInput; context: Context; event: Event }>()

/** The best first. */
const ORDERS: Readonly<Record<Preference, (one: Offer, other: Offer) => number>> = {
  earliest: (one, other) => one.completion - other.completion || one.price - other.price,
  cheapest: (one, other) => one.price - other.price || one.completion - other.completion,
}

function best({ sites, preference }: Context, offers: readonly Mail<Offer>[]): Mail<Offer> | undefined {
  const valid = offers.filter(({ expires }) => expires === null || expires >= now())
  const order = ORDERS[preference]
  return [...valid].sort((one, other) => order(one, other) || sites.indexOf(one.from) - sites.indexOf(other.from))[0]
}

const waitFor = ({ task, round }: Round) => `wait ${task}.${round}`

const isDecided = ({ awarded }: Open): boolean => awarded !== null

/** Opens the rounds that may be opened. */
function openRounds(context: Context): Decision<Context> {
  let { count } = context
  const open = new Map(context.open)
  const effects: Effect[] = []
  const queue = [...context.queue]
  const isFree = () => context.rounds === 'all at once' || [...open.values()].every(isDecided)
  while (queue.length > 0 && isFree()) {
    const request = queue.shift()
    if (!request) break
    const { task } = request.of
    const round = ++count
    open.set(task, { ...request, round, missing: context.sites, offers: [], awarded: null })
    for (const site of context.sites) effects.push(tell(site, { type: 'bid', task, round, of: request.of }))
    const { wait } = context
    if (wait !== null) effects.push(timer(waitFor({ task, round }), wait, { type: 'waited', task, round }))
  }
  return [{ queue, open, count }, ...effects]
}

/** With `open` replaced, and whatever rounds that lets open. */
function goOn(context: Context, task: number, after: Open | null, effects: readonly Effect[]): Decision<Context> {
  const open = new Map(context.open)
  if (after) open.set(task, after)
  else open.delete(task)
  const [changes, ...more] = openRounds({ ...context, open })
  return [changes, ...effects, ...more]
}

/** All have answered, or it has waited long enough: to the best of those who did, or to nobody. */
function decide(context: Context, one: Open): Decision<Context> {
  const { of, client, round } = one
  const { task } = of
  const winner = best(context, one.offers)
  const stop = cancel(waitFor({ task, round }))
  if (!winner) return goOn(context, task, null, [stop, tell(client, { type: 'no-site', task })])
  const { completion, price } = winner
  const losers = one.offers.filter((offer) => offer !== winner)
  return goOn(context, task, { ...one, awarded: winner, offers: losers }, [
    stop,
    tell(winner.from, { type: 'award', task, round, completion, price, of, client }),
  ])
}

const onRequest = rule('request', (context, { from, of }) => {
  const isKnown = context.open.has(of.task) || context.queue.some((one) => one.of.task === of.task)
  return isKnown ? [{}] : openRounds({ ...context, queue: [...context.queue, { of, client: from }] })
})

/** The round that this answers, if it is still open. */
function roundOf({ open }: Context, { task, round }: Round): Open | null {
  const one = open.get(task)
  return one?.round === round ? one : null
}

function answered(context: Context, from: Address, round: Round, offer: Mail<Offer> | null): Decision<Context> {
  const one = roundOf(context, round)
  if (!one || isDecided(one) || !one.missing.includes(from)) return [{}]
  const missing = one.missing.filter((site) => site !== from)
  const heard = { ...one, missing, offers: offer ? [...one.offers, offer] : one.offers }
  if (missing.length > 0) return [{ open: new Map(context.open).set(round.task, heard) }]
  return decide(context, heard)
}

/** It is under contract: the others need not remember what they offered. */
const onAccepted = rule('accepted', (context, { from, task, round }) => {
  const one = roundOf(context, { task, round })
  if (one?.awarded?.from !== from) return [{}]
  const { completion, price } = one.awarded
  return goOn(context, task, null, [
    ...one.offers.map((offer) => tell(offer.from, { type: 'withdraw', task, round })),
    tell(one.client, { type: 'contract', task, site: from, completion, price }),
  ])
})

const onRenege = rule('renege', (context, { from, ...round }) => {
  const one = roundOf(context, round)
  return one?.awarded?.from === from ? decide(context, { ...one, awarded: null }) : [{}]
})

export default createMachine({
  context: ({ input }) => ({ ...input, queue: [], open: new Map(), count: 0 }),
  on: {
    request: { actions: onRequest },
    offer: { actions: rule('offer', (context, offer) => answered(context, offer.from, offer, offer)) },
    refuse: { actions: rule('refuse', (context, refuse) => answered(context, refuse.from, refuse, null)) },
    waited: {
      actions: rule('waited', (context, round) => {
        const one = roundOf(context, round)
        return one && !isDecided(one) ? decide(context, one) : [{}]
      }),
    },
    accepted: { actions: onAccepted },
    renege: { actions: onRenege },
    settled: {},
  },
})
