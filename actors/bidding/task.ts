/**
 * The statechart of a client's conversation about one task, from its announcement to its end. The client passes it the
 * messages and timers of the current attempt; those of older attempts never arrive here.
 */
import { cancel, childChart, type Delivery, type Reaction, sender, tell, timer, turn } from '../../lib/actor.ts'
import {
  ALL_CONTRACTORS,
  askLater,
  award,
  beginNextAttempt,
  type Conversation,
  collect,
  createMachine,
  endWithout,
  finish,
  handlers,
  holderOf,
  type It,
  type Measured,
  moveTo,
  type Offer,
  observe,
  onEntry,
  rfbOf,
} from './conversation.ts'
import type { Attempt, Bump, CutOff, Result, Status } from './messages.ts'

export interface TaskProtocol {
  /** Adds to a request for bids, usually the timer of the evaluation (`evaluateAfter`). */
  readonly onAnnounce: (it: It) => void
  /** Adds to the first bid for an announcement; default nothing. */
  readonly onFirstBid?: (it: It) => void
  /** The winner of the evaluation; undefined if no offer is good enough. A task with a holder then stays there. */
  readonly choose: (task: Conversation) => Offer | undefined
  /** Adds to the award of the task; default nothing. */
  readonly onAward?: (it: It, winner: Offer) => void
  /** Adds to an evaluation without bids; default nothing. */
  readonly onNoBid?: (it: It) => void
  /** Answers a bid of another contractor than the holder for an awarded task; default not at all. */
  readonly onLateBid?: readonly Reaction<Conversation, Bid>[]
  /** Whether contractors may still keep something of a task that has a result. If so, all are told to forget it. Default always. */
  readonly isKeptAfterResult?: (task: Conversation) => boolean
}

/** A bid, as far as the client believes it. */
export type Bid = { type: 'bid'; offer: Offer }
type Unanswered = Attempt & { type: 'unanswered' }
/** The timers of a conversation. */
export type Due = (Attempt & { type: 'evaluate' | 'retry' | 'ask' }) | Unanswered
/** What may end an attempt. */
export type Ending = Bump | Status | Unanswered
/** What the client passes on as it comes. */
export type Passed = Exclude<Due, Unanswered> | Result | CutOff
/** The client adds what it knows of its calls, since the estimate of the next attempt depends on it. */
export type Informed = { measured: Measured }

type Met<Event = unknown> = { readonly context: Conversation; readonly event: Event }

const isOfHolder = ({ context }: Met) => context.holder?.contractor === sender()
const isKept = (met: Met<Bump>) => isOfHolder(met) && met.event.kept
const isRefusal = (met: Met<Bump>) => isOfHolder(met) && !met.event.kept
const isLost = (met: Met<Status>) => isOfHolder(met) && met.event.state === 'unknown'
const isAlive = (met: Met<Status>) => isOfHolder(met) && met.event.state !== 'unknown'
const isBidOfHolder = ({ context, event }: Met<Bid>) => context.holder?.contractor === event.offer.contractor
const isSingle = ({ context }: Met) => context.job.restartable === false
const isLostForGood = (met: Met<Status>) => isLost(met) && isSingle(met)
const hasOffer = ({ context }: Met) => context.offers.length > 0
const hasTimeout = ({ context }: Met) => context.terms.timeout !== null
const hasThrown = ({ event: { outcome } }: Met<Result>) => outcome !== undefined && 'error' in outcome

const onRetry = turn((it: It) =>
  it.do(observe({ type: 'repeated', task: it.context.job.id, attempt: it.context.attempt })),
)

const onBump = turn((it: It, _: Bump, { from: contractor }: Delivery) =>
  it.do(observe({ type: 'bumped', task: it.context.job.id, attempt: it.context.attempt, contractor })),
)

const onNextAttempt = turn((it: It, { measured }: Informed) => beginNextAttempt(it, measured))

const onFailure = turn((it: It, { type }: Status | Due) => {
  const reason = type === 'status' ? 'lost' : 'silent'
  it.do(
    observe({
      type: 'failed',
      task: it.context.job.id,
      attempt: it.context.attempt,
      contractor: holderOf(it).contractor,
      reason,
    }),
  )
})

/** Ends a task whose holder failed, and which may not be started twice. */
const onLastFailure = turn((it: It) => endWithout(it, 'not restartable', holderOf(it).contractor))

const onCutOff = turn((it: It, _: object, { from }: Delivery) => endWithout(it, 'cut off', from))

const onQuery = turn((it: It) => {
  it.do(tell(holderOf(it).contractor, { type: 'query', task: it.context.job.id, attempt: it.context.attempt }))
  askLater(it)
})

const awaitAnswer = turn((it: It) => {
  const { job, terms } = it.context
  const id = `unanswered:${job.id}`
  if (terms.timeout !== null)
    it.do(timer<Due>(id, terms.timeout, { type: 'unanswered', task: it.context.job.id, attempt: it.context.attempt }))
})

const stopWaiting = turn((it: It) => it.do(cancel(`unanswered:${it.context.job.id}`)))

const onAsk = { guard: hasTimeout, target: 'asked', handle: [onQuery, awaitAnswer] }
const onAnswer = { guard: isAlive, target: 'quiet', handle: stopWaiting }

/** The chart of a client of this protocol. */
export function taskChart(protocol: TaskProtocol) {
  const { onAnnounce, onFirstBid, choose, onAward, onNoBid, onLateBid = [], isKeptAfterResult = () => true } = protocol
  const announce = onEntry(
    turn((it: It) => {
      it.context.offers = []
      it.do(tell(ALL_CONTRACTORS, rfbOf(it.context)))
      onAnnounce(it)
    }),
  )

  const onBid = turn((it: It, { offer }: Bid) => {
    const isFirst = it.context.offers.length === 0
    it.context.offers = collect(it.context.offers, offer)
    if (isFirst) onFirstBid?.(it)
  })

  const hasWinner = ({ context }: Met) => choose(context) !== undefined

  function place(it: It, winner: Offer): void {
    const { contractor, start, completion } = winner
    award(it, winner)
    it.do(
      observe({ type: 'awarded', task: it.context.job.id, attempt: it.context.attempt, contractor, start, completion }),
    )
    onAward?.(it, winner)
  }

  const placeBest = turn((it: It) => {
    const winner = choose(it.context)
    if (winner) place(it, winner)
  })

  /** Renews the promise of a holder that could not keep the old one, or moves the task. */
  const replace = turn((it: It) => {
    const winner = choose(it.context)
    if (!winner) return
    const { contractor, start, completion } = winner
    const previous = holderOf(it).contractor
    moveTo(it, winner)
    it.do(
      observe({
        type: 'replaced',
        task: it.context.job.id,
        attempt: it.context.attempt,
        contractor,
        previous,
        start,
        completion,
      }),
    )
  })

  const onResult = turn((it: It, result: Result, { from }: Delivery) =>
    finish(it, result, from, isKeptAfterResult(it.context)),
  )

  // --- the statechart ----------------------------------------------------------------------------------------------

  return childChart(
    createMachine({
      id: 'task',
      context: ({ input: { terms, job, attempt, priority, points } }) => {
        return { terms, job, attempt, priority, points, offers: [], holder: null }
      },
      initial: 'soliciting',
      on: handlers({
        // the first result counts, even of a contractor that has just lost the task to a late bidder
        result: [
          { guard: hasThrown, target: '.ended', handle: onResult },
          { target: '.done', handle: onResult },
        ],
      }),
      states: {
        soliciting: {
          entry: announce,
          on: handlers({
            bid: onBid,
            evaluate: [
              { guard: hasWinner, target: 'awarded', handle: placeBest },
              { target: 'noBid', handle: turn((it: It) => onNoBid?.(it)) },
            ],
            retry: [{ guard: hasOffer }, { target: 'soliciting', reenter: true, handle: onRetry }],
          }),
        },
        // the first bid gets the task
        noBid: {
          on: handlers({
            bid: { target: 'awarded', handle: turn((it: It, { offer }: Bid) => place(it, offer)) },
            retry: { target: 'soliciting', handle: onRetry },
          }),
        },
        awarded: {
          initial: 'firm',
          on: handlers({
            ask: onQuery,
            bump: { guard: isRefusal, target: 'soliciting', handle: [onBump, onNextAttempt] },
            cutOff: { guard: isOfHolder, target: 'ended', handle: onCutOff },
            status: [
              { guard: isLostForGood, target: 'ended', handle: [onFailure, onLastFailure] },
              { guard: isLost, target: 'soliciting', handle: [onFailure, onNextAttempt] },
            ],
            unanswered: [
              { guard: isSingle, target: 'ended', handle: [onFailure, onLastFailure] },
              { target: 'soliciting', handle: [onFailure, onNextAttempt] },
            ],
          }),
          states: {
            firm: {
              entry: onEntry(() => [{ offers: [] }]),
              initial: 'quiet',
              on: handlers({ bid: [{ guard: isBidOfHolder }, ...onLateBid] }),
              states: {
                quiet: {
                  on: handlers({
                    ask: onAsk,
                    bump: { guard: isKept, target: '#task.awarded.bumped', handle: onBump },
                  }),
                },
                asked: {
                  on: handlers({
                    status: onAnswer,
                    bump: { guard: isKept, target: '#task.awarded.bumped.asked', handle: onBump },
                  }),
                },
              },
            },
            // it holds the task until its client has evaluated other bids, and asks for a new promise
            bumped: {
              entry: announce,
              initial: 'quiet',
              on: handlers({ bid: onBid }),
              states: {
                quiet: {
                  on: handlers({
                    ask: onAsk,
                    evaluate: [
                      { guard: hasWinner, target: '#task.awarded.firm', handle: replace },
                      '#task.awarded.firm',
                    ],
                  }),
                },
                asked: {
                  on: handlers({
                    status: onAnswer,
                    evaluate: [
                      { guard: hasWinner, target: '#task.awarded.firm', handle: replace },
                      '#task.awarded.firm.asked',
                    ],
                  }),
                },
              },
            },
          },
        },
        done: { type: 'final' },
        ended: { type: 'final' },
      },
    }),
  )
}
