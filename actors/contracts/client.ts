/**
 * A client has tasks, each from its arrival on. It asks its broker to find a site for each, and pays the site that finishes
 * first. A site with contracts that does not answer is given up: its contracts stand, the client looks for another site, and
 * claims what the first one owes (section 6).
 */
import { type Address, actor, cancel, type Joined, type Mail, now, type Time, tell, timer } from '../../lib/actor.ts'
import { type ClientInput, type Context, contextOf, holderOf, type Order, owed, Turn } from './client-state.ts'
import type { Contract, NoSite, Settled, ToClient } from './messages.ts'
import { drop, get, itemsOf, put } from './sorted.ts'
import { LONGEST_PAUSE } from './terms.ts'

type Event = Mail<ToClient> | Joined | { type: 'arrive' | 'inspect' } | { type: 'repeat'; task: number }

const { createMachine, rule, onEntry } = actor<{ input: ClientInput; context: Context; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

const turn = <T extends Type>(type: T, happens: (turn: Turn, event: Of<T>) => void) =>
  rule(type, (context, event) => {
    const it = new Turn(context)
    happens(it, event)
    return it.decision
  })

// --- finding a site ---------------------------------------------------------------------------------------------------

function awaitArrival(it: Turn): void {
  const next = it.context.tasks[it.arrived]
  if (next) it.do(timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival'))
}

function onArrive(it: Turn): void {
  const { tasks } = it.context
  for (let next = tasks[it.arrived]; next && next.arrival <= now(); next = tasks[++it.arrived]) {
    const { task } = next
    if (get(it.book.open, task) || get(it.book.over, task)) continue
    it.enter({ type: 'requested', of: next })
    request(it, task)
    it.note({ type: 'requested', task, of: next })
  }
  awaitArrival(it)
}

/** Asks the broker for a site, and again after a pause that doubles each time until the broker answers. */
function request(it: Turn, task: number, pause = it.context.patience): void {
  const order = get(it.book.open, task)
  if (order?.state !== 'searching') return
  const lost = order.deals.map(({ site }) => site)
  it.do(tell(it.context.broker, { type: 'request', of: order.of, search: order.search, lost }))
  if (pause === null) return
  it.pauses = put(it.pauses, task, 2 * pause)
  if (pause <= LONGEST_PAUSE) it.do(timer(`request ${task}`, pause, { type: 'repeat', task }))
}

/** Ends the search of an order. Returns the order, or null if the answer is out of date. */
function found(it: Turn, { task, search }: Contract | NoSite): Order | null {
  const order = get(it.book.open, task)
  if (order?.state !== 'searching' || order.search !== search) return null
  if (it.context.patience !== null) it.do(cancel(`request ${task}`))
  it.pauses = drop(it.pauses, task)
  return order
}

function onContract(it: Turn, { from: _, type: __, ...contract }: Mail<Contract>): void {
  const { task, site } = contract
  if (found(it, { type: 'contract', ...contract })) {
    it.enter({ type: 'placed', ...contract })
    it.note({ type: 'placed', task, site })
    watch(it)
  } else unwanted(it, task, site)
}

function onNoSite(it: Turn, answer: Mail<NoSite>): void {
  const { task } = answer
  const order = found(it, answer)
  if (!order) return
  if (order.deals.length === 0) {
    it.enter({ type: 'unplaced', task })
    it.note({ type: 'unplaced', task })
    return
  }
  it.enter({ type: 'stranded', task })
  claim(it, order, null)
}

// --- settling ---------------------------------------------------------------------------------------------------------

/** Pays the first site that has finished. */
function onSettled(it: Turn, { from: site, task, finish, paid }: Mail<Settled>): void {
  const order = get(it.book.open, task)
  if (!order) return get(it.book.over, task)?.by === site ? receipt(it, site, task) : unwanted(it, task, site)
  it.enter({ type: 'paid', task, site, paid })
  it.note({ type: 'paid', task, site, finish, paid })
  if (order.state === 'searching' && it.context.patience !== null) it.do(cancel(`request ${task}`))
  receipt(it, site, task)
  for (const deal of order.deals) if (deal.site !== site) it.do(tell(deal.site, { type: 'void', task }))
  claim(it, order, { by: site, finish })
}

const receipt = (it: Turn, site: Address, task: number) => it.do(tell(site, { type: 'receipt', task }))

/** Voids the contract that a site may have for a task that is over. */
function unwanted(it: Turn, task: number, site: Address): void {
  const over = get(it.book.over, task)
  if (over && over.by !== site) it.do(tell(site, { type: 'void', task }))
}

/** Claims what the given-up sites owe. */
function claim(it: Turn, { of, state, deals }: Order, done: { by: Address; finish: Time } | null): void {
  for (const { site, isLost, ...promised } of deals) {
    const isDone = done?.by === site
    if (!isLost || (isDone && state !== 'stranded')) continue
    const amount = isDone ? 0 : owed(of, { ...promised }, done?.finish ?? null, it.context.claimCap)
    it.note({ type: 'claimed', task: of.task, site, amount })
  }
}

// --- watching sites ---------------------------------------------------------------------------------------------------

const holders = (it: Turn): Address[] => [
  ...new Set(itemsOf(it.book.open).flatMap((order) => holderOf(order)?.site ?? [])),
]

/** Sets the timer of the next inspection while any site has a contract. */
function watch(it: Turn): void {
  const { patience } = it.context
  if (patience === null || it.isWatching || holders(it).length === 0) return
  it.isWatching = true
  it.do(timer('inspect', patience, { type: 'inspect' }))
}

/** Gives up the sites that have not answered since the last inspection, and queries all holders of contracts. */
function onInspect(it: Turn): void {
  it.isWatching = false
  for (const site of it.quiet) for (const order of itemsOf(it.book.open)) lose(it, order, site)
  it.quiet = holders(it)
  for (const site of it.quiet) it.do(tell(site, { type: 'query' }))
  watch(it)
}

function lose(it: Turn, order: Order, site: Address): void {
  const { task } = order.of
  if (holderOf(order)?.site !== site) return
  it.enter({ type: 'lost', task })
  it.note({ type: 'lost', task, site })
  request(it, task)
}

/** Handles a restart: a broker may have forgotten requests, and a site may still run tasks that were done elsewhere. */
function onJoined(it: Turn, { address }: Joined): void {
  if (address === it.context.broker) for (const { of } of itemsOf(it.book.open)) request(it, of.task)
  for (const { task, others } of itemsOf(it.book.over)) if (others.includes(address)) unwanted(it, task, address)
}

const hear = (it: Turn, from: Address) => {
  it.quiet = it.quiet.filter((site) => site !== from)
}

/** Continues in a later incarnation: requests sites for open orders, and watches the sites with contracts. */
const start = onEntry((context) => {
  const it = new Turn(context)
  for (const { of } of itemsOf(it.book.open)) request(it, of.task)
  watch(it)
  awaitArrival(it)
  return it.decision
})

export default createMachine({
  context: ({ input }) => contextOf(input),
  entry: start,
  on: {
    arrive: { actions: turn('arrive', onArrive) },
    contract: { actions: turn('contract', onContract) },
    'no-site': { actions: turn('no-site', onNoSite) },
    settled: {
      actions: turn('settled', (it, settled) => {
        hear(it, settled.from)
        onSettled(it, settled)
      }),
    },
    standing: { actions: turn('standing', (it, { from }) => hear(it, from)) },
    repeat: { actions: turn('repeat', (it, { task }) => request(it, task, get(it.pauses, task))) },
    inspect: { actions: turn('inspect', onInspect) },
    joined: { actions: turn('joined', onJoined) },
  },
})
