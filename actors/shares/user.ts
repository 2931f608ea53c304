/**
 * A user at a machine. She sends her orders when they are due (jobs to submit or withdraw, tickets to issue), and
 * observes the answers. A new incarnation sends the past orders again, because the jobs that her machine ran may be
 * gone. She is a table without states: an answer changes nothing that she does next.
 */
import { type Address, actor, type Decision, type Delivery, now, type Time, tell } from '../../lib/actor.ts'
import type { Exited, Refused, ToScheduler } from '../processor/jobs.ts'
import type { FromPlacer, Place } from './placer/messages.ts'
import type { FromTicketServer, Issue } from './tickets/messages.ts'

/** What a user is spawned with. */
export type UserInput = {
  /** The orders by time, earliest first. */
  readonly orders: readonly Order[]
}

/** A message that a user sends at a time. */
export type Order = { readonly at: Time; readonly to: Address; readonly message: ToScheduler | Issue | Place }

/** The fact that a user observes: an answer that she received. */
export type UserFact = Heard & { readonly from: Address }

type Heard = Refused | Exited | FromTicketServer | FromPlacer
type Event = Heard | { type: 'speak' }

const { createMachine, handlers, onEntry, observe, timer } = actor<{
  input: UserInput
  context: UserInput
  event: Event
  fact: UserFact
}>()

/** Sends the orders that are due, and sets a timer for the next one. */
function speak({ orders }: UserInput): Decision<UserInput> {
  const due = orders.filter(({ at }) => at <= now())
  const later = orders.slice(due.length)
  const said = due.map(({ to, message }) => tell(to, message))
  const [next] = later
  return next
    ? [{ orders: later }, ...said, timer('next', next.at - now(), { type: 'speak' }, 'arrival')]
    : [{}, ...said]
}

/** Observes an answer. */
const hear = (_: UserInput, heard: Heard, { from }: Delivery): Decision<UserInput> => [{}, observe({ ...heard, from })]

export default createMachine({
  context: ({ input }) => input,
  // not by a timer without delay: orders for the start of the run arrive before the first tick.
  entry: onEntry(speak),
  on: handlers({
    speak,
    refused: hear,
    exited: hear,
    placed: hear,
    found: hear,
    missing: hear,
    issued: hear,
  }),
})
