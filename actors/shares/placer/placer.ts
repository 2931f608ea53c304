/**
 * The placer: finds machines for jobs. It prefers the machine with the fewest competing tickets, then the one with
 * the fewest jobs, then the first (paper, section 4.3). It asks some machines at random, for one job after the other,
 * or decides by its own book. It persists its requests and decisions, so a new incarnation forgets no job and places
 * none twice.
 */
import { actor, type Decision, type Mail } from '../../../lib/actor.ts'
import { type Book, type Entry, enter } from './book.ts'
import { exited, refused, standing, unconfirmed } from './confirmation.ts'
import type { ToPlacer } from './messages.ts'
import { begin, conclude, load, request, serve } from './search.ts'
import { EMPTY_STATE, type PlacerState, PlacerTurn, type Terms } from './state.ts'

export type PlacerInput = Terms & {
  /** The records of earlier incarnations; absent in the first one. */
  readonly records?: readonly Entry[]
}

type Event = Mail<ToPlacer> | { type: 'unanswered' } | { type: 'unconfirmed'; job: string }

const { createMachine, rule, onEntry } = actor<{ input: PlacerInput; context: PlacerState; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

function decide(state: PlacerState, happens: (turn: PlacerTurn) => void): Decision<PlacerState> {
  const turn = new PlacerTurn(state)
  happens(turn)
  serve(turn)
  return turn.decision
}

/** A rule that handles an event in a turn of the placer, and then serves the queue. */
const placing = <T extends Type>(type: T, happens: (turn: PlacerTurn, event: Of<T>) => void) =>
  rule(type, (state, event) => decide(state, (turn) => happens(turn, event)))

const recall = (records: readonly Entry[]): Book => records.reduce(enter, EMPTY_STATE.book)

const isAsking = ({ context }: { context: PlacerState }) => context.inquiry !== null
const isFree = ({ context }: { context: PlacerState }) => context.inquiry === null

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => ({ ...EMPTY_STATE, ...terms, book: recall(records) }),
  entry: onEntry((state) => decide(state, begin)),
  initial: 'free',
  on: {
    place: { actions: placing('place', request) },
    load: { actions: placing('load', (turn, { from, ...answer }) => load(turn, from, answer)) },
    standing: { actions: placing('standing', (turn, { from, ...answer }) => standing(turn, from, answer)) },
    refused: { actions: placing('refused', (turn, { from, job, reason }) => refused(turn, from, job, reason)) },
    exited: { actions: placing('exited', (turn, { from, ...exit }) => exited(turn, from, exit)) },
    unconfirmed: { actions: placing('unconfirmed', (turn, { job }) => unconfirmed(turn, job)) },
  },
  states: {
    free: { always: { guard: isAsking, target: 'asking' } },
    asking: {
      always: { guard: isFree, target: 'free' },
      on: { unanswered: { actions: placing('unanswered', conclude) } },
    },
  },
})
