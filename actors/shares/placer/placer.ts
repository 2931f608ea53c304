/**
 * Finds machines for jobs: those with the fewest competing tickets, of these the ones with the fewest jobs, of these the
 * first (paper, section 4.3). It asks some machines at random, for one job after the other, or goes by its own book. It
 * writes down what it is given and what it decides, so a new incarnation forgets no job and places none twice.
 */
import { actor, type Decision, type Mail } from '../../../lib/actor.ts'
import { type Book, type Entry, enter } from './book.ts'
import { type Desk, EMPTY_DESK, type Terms } from './desk.ts'
import type { ToPlacer } from './messages.ts'
import { Placing } from './placing.ts'
import { begin, conclude, load, request, serve } from './search.ts'
import { exited, refused, standing, unconfirmed } from './whereabouts.ts'

export type PlacerInput = Terms & {
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

type Event = Mail<ToPlacer> | { type: 'unanswered' } | { type: 'unconfirmed'; job: string }

const { createMachine, rule, onEntry } = actor<{ input: PlacerInput; context: Desk; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

function decide(desk: Desk, happens: (it: Placing) => void): Decision<Desk> {
  const it = new Placing(desk)
  happens(it)
  serve(it)
  return it.decision
}

/** A rule that changes the desk, and then goes on with the queue. */
const placing = <T extends Type>(type: T, happens: (it: Placing, event: Of<T>) => void) =>
  rule(type, (desk, event) => decide(desk, (it) => happens(it, event)))

const recall = (records: readonly Entry[]): Book => records.reduce(enter, EMPTY_DESK.book)

const isAsking = ({ context }: { context: Desk }) => context.inquiry !== null
const isFree = ({ context }: { context: Desk }) => context.inquiry === null

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => ({ ...EMPTY_DESK, ...terms, book: recall(records) }),
  entry: onEntry((desk) => decide(desk, begin)),
  initial: 'free',
  on: {
    place: { actions: placing('place', request) },
    load: { actions: placing('load', (it, { from, ...answer }) => load(it, from, answer)) },
    standing: { actions: placing('standing', (it, { from, ...answer }) => standing(it, from, answer)) },
    refused: { actions: placing('refused', (it, { from, job, reason }) => refused(it, from, job, reason)) },
    exited: { actions: placing('exited', (it, { from, ...exit }) => exited(it, from, exit)) },
    unconfirmed: { actions: placing('unconfirmed', (it, { job }) => unconfirmed(it, job)) },
  },
  states: {
    free: { always: { guard: isAsking, target: 'asking' } },
    asking: {
      always: { guard: isFree, target: 'free' },
      on: { unanswered: { actions: placing('unanswered', conclude) } },
    },
  },
})
