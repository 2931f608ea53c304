/**
 * DSP's contractor bids at once while it has no task. While it is busy, it queues requests, and it bids for the head of
 * the queue when it becomes free. By then it is known which machine is free first, and no estimate is needed for that.
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

/** Bids, and waits for the answer before it bids for another request of the queue. */
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
