/**
 * DSP's contractor bids at once while it has no task. While it is busy, it queues requests, and it bids for the head of
 * the queue when it becomes free. By then it is known which machine is free first, and no estimate is needed for that.
 */
import { tell } from '../../../lib/actor.ts'
import { enqueue, type Request } from '../agenda.ts'
import { contractor } from '../contractor.ts'
import { awaitAnswer, begin, bid, hold, type It, knows, refuse } from '../moves.ts'
import { afterLapse } from './rules.ts'

function consider(it: It, request: Request): void {
  const { executing, held, question, terms } = it.context
  if (knows(it.context, request)) return
  if (executing || held.length > 0) return putOff(it, request)
  if (terms.clash !== 'commit') return bid(it, request)
  return question ? putOff(it, request) : bidAndWait(it, request)
}

function putOff(it: It, request: Request): void {
  if (knows(it.context, request)) return
  it.context.queue = enqueue(it.context.queue, request)
  it.do(tell(request.client, { type: 'ack', task: request.task, attempt: request.attempt }))
}

/** Bids, and waits for the answer before it bids for another request of the queue. */
function bidAndWait(it: It, request: Request): void {
  bid(it, request)
  awaitAnswer(it, request, 2)
}

function bidForHead(it: It): void {
  const { executing, queue, question } = it.context
  const [head] = queue
  if (!executing && !question && head) bidAndWait(it, head)
}

export default contractor({
  consider,
  accept: (it, award) =>
    it.context.executing && it.context.terms.clash === 'bump' ? refuse(it, award) : hold(it, award),
  proceed: (it) => {
    begin(it)
    bidForHead(it)
  },
  whileStranded: putOff,
  onLapse: (it, { task }) => {
    it.context.queue = afterLapse(it.context.queue, task)
  },
})
