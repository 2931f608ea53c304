/**
 * The placer: finds machines for jobs. It prefers the machine with the fewest competing tickets, then the one with
 * the fewest jobs, then the first (paper, section 4.3). It asks some machines at random, for one job after the other,
 * or decides by its own book. It persists its requests and decisions, so a new incarnation forgets no job and places
 * none twice.
 */
import { turn } from '../../../lib/actor.ts'
import type { Exited, Refused, Standing } from '../../processor/jobs.ts'
import { begin, conclude, load, request, serve, unconfirmed } from './search.ts'
import { createMachine, handlers, onEntry, type PlacerState, type PlacerTurn, toJob } from './state.ts'

/** A handler in a turn of the placer, which then serves the queue. */
const placing = <Args extends readonly unknown[]>(happens: (it: PlacerTurn, ...args: Args) => void) =>
  turn((it: PlacerTurn, ...args: Args) => {
    happens(it, ...args)
    serve(it)
  })

/** Hands the answer of a processor to the placement of its job. */
const handOver = placing((it, answer: Standing | Refused | Exited) => toJob(it, answer.job, answer))

const isAsking = ({ context }: { context: PlacerState }) => context.inquiry !== null
const isFree = ({ context }: { context: PlacerState }) => context.inquiry === null

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => ({
    ...terms,
    records,
    book: new Map(),
    queue: [],
    inquiry: null,
    silent: new Set(),
    queries: 0,
  }),
  entry: onEntry(placing(begin)),
  initial: 'free',
  on: handlers({
    place: placing(request),
    load: placing(load),
    standing: handOver,
    refused: handOver,
    exited: handOver,
    unconfirmed: placing(unconfirmed),
  }),
  states: {
    free: { always: { guard: isAsking, target: 'asking' } },
    asking: {
      always: { guard: isFree, target: 'free' },
      on: handlers({ unanswered: placing(conclude) }),
    },
  },
})
