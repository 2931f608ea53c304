/**
 * A client has tasks, each from its arrival on. It asks its broker to find a site for each, and pays the site that finishes
 * first. A site with contracts that does not answer is given up: its contracts stand, the client looks for another site, and
 * claims what the first one owes (section 6).
 */
import {
  actor,
  awaitInspection,
  cancel,
  type Delivery,
  heardOf,
  inspected,
  type Joined,
  probed,
  type Ref,
  type Terminated,
  type Time,
  type Turn,
  tell,
  turn,
  watch,
} from '../../lib/actor.ts'
import { awaitNext, beginArrived } from '../arrivals.ts'
import {
  type ClientFact,
  type ClientInput,
  type Context,
  contextOf,
  enter,
  holderOf,
  type OrderState,
  orderChart,
  owed,
} from './client-state.ts'
import type { Contract, NoSite, Search, Settled, ToClient, ToSite } from './messages.ts'
import { drop, get, itemsOf, put } from './sorted.ts'
import type { Task } from './values.ts'

type Event =
  | ToClient
  | Joined
  | Terminated
  | { type: 'arrive' }
  | { type: 'inspect' }
  | { type: 'repeat'; task: number }
type It = Turn<Context>

const { createMachine, handlers, onEntry, observe, retry, timer } = actor<{
  input: ClientInput
  context: Context
  event: Event
  reply: ToSite
  fact: ClientFact
}>({ charts: [orderChart] })

type FromSite = Delivery<Ref<ToSite>>

// --- finding a site ---------------------------------------------------------------------------------------------------

function begin(it: It, of: Task): void {
  const { task } = of
  const { open, over } = it.context.book
  if (get(open, task) || get(over, task)) return
  enter(it, { type: 'requested', of })
  request(it, task)
  it.do(observe({ type: 'requested', task, of }))
}

/** Asks the broker for a site, and again until it answers. */
function request(it: It, task: number, pause: Time | null = it.context.patience): void {
  const order = get(it.context.book.open, task)
  if (order?.state !== 'searching') return
  const { of, search, deals } = order.context
  it.do(tell(it.context.broker, { type: 'request', of, search, lost: deals.map(({ site }) => site) }))
  const [next, ...again] = retry(`request ${task}`, pause, { type: 'repeat', task })
  if (next !== null) it.context.pauses = put(it.context.pauses, task, next)
  it.do(...again)
}

function stopAsking(it: It, task: number): void {
  if (it.context.patience !== null) it.do(cancel(`request ${task}`))
  it.context.pauses = drop(it.context.pauses, task)
}

/** Ends the search of an order. Returns the order, or null if the answer is out of date. */
function found(it: It, { task, search }: Search): OrderState | null {
  const order = get(it.context.book.open, task)
  if (order?.state !== 'searching' || order.context.search !== search) return null
  stopAsking(it, task)
  return order
}

function onContract(it: It, contract: Contract): void {
  const { task, search, site, completion, price } = contract
  if (!found(it, contract)) return unwanted(it, task, site)
  enter(it, { type: 'placed', task, search, site, completion, price })
  it.do(observe({ type: 'placed', task, site }))
  watchSites(it)
}

function onNoSite(it: It, answer: NoSite): void {
  const { task } = answer
  const order = found(it, answer)
  if (!order) return
  if (order.context.deals.length === 0) {
    enter(it, { type: 'unplaced', task })
    it.do(observe({ type: 'unplaced', task }))
    return
  }
  enter(it, { type: 'stranded', task })
  claim(it, order, null)
}

// --- settling ---------------------------------------------------------------------------------------------------------

/** Pays the first site that has finished. */
function onSettled(it: It, { task, finish, paid }: Settled, { from: site }: FromSite): void {
  hear(it, site)
  const { open, over } = it.context.book
  const order = get(open, task)
  if (!order) return get(over, task)?.context.by === site ? receipt(it, site, task) : unwanted(it, task, site)
  enter(it, { type: 'paid', task, site, paid })
  it.do(observe({ type: 'paid', task, site, finish, paid }))
  stopAsking(it, task)
  receipt(it, site, task)
  for (const deal of order.context.deals) if (deal.site !== site) it.do(tell(deal.site, { type: 'void', task }))
  claim(it, order, { by: site, finish })
}

const receipt = (it: It, site: Ref<ToSite>, task: number) => it.do(tell(site, { type: 'receipt', task }))

/** Voids the contract that a site may have for a task that is over. */
function unwanted(it: It, task: number, site: Ref<ToSite>): void {
  const over = get(it.context.book.over, task)
  if (over && over.context.by !== site) it.do(tell(site, { type: 'void', task }))
}

/** Claims what the given-up sites owe. */
function claim(
  it: It,
  { state, context: { of, deals } }: OrderState,
  done: { by: Ref<ToSite>; finish: Time } | null,
): void {
  for (const deal of deals) {
    const { site, isLost } = deal
    const isDone = done?.by === site
    if (!isLost || (isDone && state !== 'stranded')) continue
    const amount = isDone ? 0 : owed(of, deal, done?.finish ?? null, it.context.claimCap)
    it.do(observe({ type: 'claimed', task: of.task, site, amount }))
  }
}

// --- watching sites ---------------------------------------------------------------------------------------------------

const holders = ({ book }: Context): Ref<ToSite>[] => itemsOf(book.open).flatMap((order) => holderOf(order)?.site ?? [])

/** Watches the sites with contracts: sets the timer of the next inspection, or has each death told by the runtime. */
function watchSites(it: It): void {
  const { patience, isPerfect } = it.context
  if (patience === null || holders(it.context).length === 0) return
  if (isPerfect) return it.do(...holders(it.context).map((site) => watch(site)))
  awaitInspection(it, timer('inspect', patience, { type: 'inspect' }))
}

/** Gives up the sites that have not answered since the last inspection, and queries all holders of contracts. */
function onInspect(it: It): void {
  const [detector, suspects] = inspected(it.context.detector)
  for (const site of suspects) for (const order of itemsOf(it.context.book.open)) lose(it, order, site)
  it.context.detector = probed(detector, holders(it.context))
  for (const site of it.context.detector.silent) it.do(tell(site, { type: 'query' }))
  watchSites(it)
}

/** Gives up a site that is dead, if the detector is perfect. */
function onTerminated(it: It, { address }: Terminated): void {
  for (const order of itemsOf(it.context.book.open)) {
    const site = holderOf(order)?.site
    if (site === address) lose(it, order, site)
  }
}

function lose(it: It, order: OrderState, site: Ref<ToSite>): void {
  const { task } = order.context.of
  if (holderOf(order)?.site !== site) return
  enter(it, { type: 'lost', task })
  it.do(observe({ type: 'lost', task, site }))
  request(it, task)
}

const hear = (it: It, site: Ref<ToSite>): void => {
  it.context.detector = heardOf(it.context.detector, site)
}

// --- restarts ---------------------------------------------------------------------------------------------------------

function requestAll(it: It): void {
  for (const { context } of itemsOf(it.context.book.open)) request(it, context.of.task)
}

/** Handles a restart: a broker may have forgotten requests, and a site may still run tasks that were done elsewhere. */
function onJoined(it: It, { address }: Joined): void {
  if (address === it.context.broker) requestAll(it)
  for (const { context } of itemsOf(it.context.book.over)) {
    const deal = context.deals.find(({ site }) => site === address)
    if (deal) unwanted(it, context.of.task, deal.site)
  }
}

/** Continues in a later incarnation: requests sites for open orders, and watches the sites with contracts. */
function start(it: It): void {
  requestAll(it)
  watchSites(it)
  it.do(...awaitNext(it.context.tasks[it.context.arrived]?.arrival))
}

export default createMachine({
  context: ({ input }) => contextOf(input),
  entry: onEntry(turn(start)),
  on: handlers({
    arrive: turn((it: It) => beginArrived(it, it.context.tasks, (task) => begin(it, task))),
    contract: turn(onContract),
    'no-site': turn(onNoSite),
    settled: turn(onSettled),
    standing: turn((it: It, _: unknown, { from }: FromSite) => hear(it, from)),
    repeat: turn((it: It, { task }: { task: number }) => request(it, task, get(it.context.pauses, task))),
    inspect: turn(onInspect),
    terminated: turn(onTerminated),
    joined: turn(onJoined),
  }),
})
