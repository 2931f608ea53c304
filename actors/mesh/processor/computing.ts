/**
 * How a processor runs the threads of one job: they compute step by step and exchange data with neighbouring
 * processors.
 */
import {
  type Address,
  type Decision,
  type Delivery,
  draw,
  observe,
  type Time,
  type Turn,
  tell,
  timer,
  turn,
} from '../../../lib/actor.ts'
import type { Edge, Finish, Halt, Run } from '../threads/messages.ts'
import { computingTime } from '../threads/placement.ts'
import {
  begunBy,
  forgetting,
  hearing,
  isHeard,
  isThrough,
  mayBegin,
  type ProcessorBook,
  type Stepping,
  starting,
  threadsIn,
} from './book.ts'

type It = Turn<ProcessorBook>

/** Begins the next step, or reports that there is none. */
function stepOn(it: It, stepping: Stepping): void {
  const { job, leader, step } = stepping
  it.context.stepping = stepping
  if (isThrough(stepping)) it.do(observe({ type: 'rests', job }), tell(leader, { type: 'ran', job, step }))
  else if (mayBegin(stepping)) {
    it.context.stepping = { ...stepping, doing: 'computing' }
    it.do(timer('step', computingFor(stepping, it.context), { type: 'computed' }, 'completion'))
  }
}

function computingFor({ job, step }: Stepping, book: ProcessorBook): Time {
  const own = threadsIn(book, job)
  const mean = computingTime(book.model, own.length)
  const { delta } = book.model
  if (delta === 0) return mean
  const drawn = own.reduce((sum, thread) => sum + (2 * draw('step', `${job} ${step + 1} ${thread}`) - 1) * delta, 0)
  return Math.max(0, Math.round(mean + drawn))
}

function sendEdges(it: It, partners: readonly Address[], { job, step }: Stepping): void {
  it.do(...partners.map((partner) => tell<Edge>(partner, { type: 'edge', job, step: step + 1 })))
}

function exchange(it: It, stepping: Stepping, doing: 'vertical' | 'horizontal'): void {
  it.context.stepping = { ...stepping, doing }
  const takes = stepping[doing].threads * it.context.model.message
  it.do(timer('step', takes, { type: 'exchanged' }, 'completion'))
}

export const onComputed = turn((it: It) => {
  if (it.context.stepping) exchange(it, it.context.stepping, 'vertical')
})

export const onExchanged = turn((it: It) => {
  const { stepping } = it.context
  if (!stepping) return
  if (stepping.doing === 'vertical') {
    sendEdges(it, stepping.vertical.partners, stepping)
    exchange(it, stepping, 'horizontal')
  } else {
    sendEdges(it, stepping.horizontal.partners, stepping)
    it.context.stepping = { ...stepping, doing: 'waiting' }
    close(it)
  }
})

/** Ends the step if all partners have sent their data of it. */
function close(it: It): void {
  const { stepping, heard } = it.context
  if (stepping?.doing !== 'waiting' || !isHeard(stepping, heard)) return
  const step = stepping.step + 1
  it.context.heard = forgetting(heard, step)
  stepOn(it, { ...stepping, step, doing: null })
}

export const onEdge = turn((it: It, { job, step }: Edge) => {
  it.context.heard = hearing(it.context.heard, job, step)
  close(it)
})

export const onRun = turn((it: It, order: Run, { from }: Delivery) => {
  it.do(observe({ type: 'runs', job: order.job }))
  stepOn(it, starting(order, from))
})

export function onHalt({ stepping }: ProcessorBook, { job }: Halt, { from }: Delivery): Decision<ProcessorBook> {
  if (stepping?.job !== job) return [{}]
  const step = begunBy(stepping)
  return [{ stepping: { ...stepping, until: step, isHeld: true } }, tell(from, { type: 'halting', job, step })]
}

export const onFinish = turn((it: It, { job, step }: Finish) => {
  const { stepping } = it.context
  if (stepping?.job === job) stepOn(it, { ...stepping, until: step, isHeld: false })
})
