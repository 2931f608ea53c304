/**
 * DSP's contractor bids at once while it has nothing to do. While it is busy it queues what is announced, and bids for
 * the best of it on becoming free: as late as possible, when it is known, and not guessed, which machine is free first.
 */
import { enqueue, type Request } from '../agenda.ts'
import { contractor } from '../contractor.ts'
import { answer, awaitAnswer, begin, bid, doing, hold, inTurn, knows, type Move, refuse, stamp } from '../moves.ts'
import { afterLapse } from './rules.ts'

const consider =
  (request: Request): Move =>
  (context) => {
    if (knows(context, request)) return [{}]
    const { executing, held, question, terms } = context
    if (executing || held.length > 0) return putOff(request)(context)
    if (terms.clash !== 'commit') return bid(request)(context)
    return question ? putOff(request)(context) : bidAndWait(request)(context)
  }

const putOff =
  (request: Request): Move =>
  (context) => {
    if (knows(context, request)) return [{}]
    const ack = answer(request.client, { type: 'ack', ...stamp(request) })
    return [{ queue: enqueue(context.queue, request) }, ack]
  }

/** Bids, and bids for nothing else in the queue before that is answered. */
const bidAndWait =
  (request: Request): Move =>
  (context) =>
    inTurn(context, bid(request), awaitAnswer(request, 2))

const bidForHead: Move = (context) => {
  const { executing, queue, question } = context
  const [head] = queue
  return executing || question || !head ? [{}] : bidAndWait(head)(context)
}

export default contractor({
  consider,
  accept: (award) => (context) =>
    context.executing && context.terms.clash === 'bump' ? doing(refuse(award))(context) : hold(award)(context),
  proceed: (context) => inTurn(context, begin, bidForHead),
  whileStranded: putOff,
  onLapse: (question) => (context) => [{ queue: afterLapse(context.queue, question.task) }],
})
