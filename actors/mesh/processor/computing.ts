/**
 * How a processor runs the threads of one job: they compute step by step and exchange data with neighbouring
 * processors.
 */
import {
  type Address,
  type Decision,
  draw,
  type Effect,
  type Mail,
  observe,
  type Time,
  tell,
  timer,
} from '../../../lib/actor.ts'
import type { Edge, Finish, Halt, Run } from '../threads/messages.ts'
import { computingTime } from '../threads/placement.ts'
import {
  begunBy,
  forgetting,
  type Heard,
  hearing,
  isHeard,
  isThrough,
  mayBegin,
  type ProcessorBook,
  type Stepping,
  starting,
  threadsIn,
} from './book.ts'

/** Begins the next step, or reports that there is none. */
function stepOn(stepping: Stepping, book: ProcessorBook): Decision<ProcessorBook> {
  const { job, leader, step } = stepping
  if (isThrough(stepping))
    return [{ stepping }, observe({ type: 'rests', job }), tell(leader, { type: 'ran', job, step })]
  if (!mayBegin(stepping)) return [{ stepping }]
  const takes = computingFor(stepping, book)
  return [{ stepping: { ...stepping, doing: 'computing' } }, timer('step', takes, { type: 'computed' }, 'completion')]
}

function computingFor({ job, step }: Stepping, book: ProcessorBook): Time {
  const own = threadsIn(book, job)
  const mean = computingTime(book.model, own.length)
  const { delta } = book.model
  if (delta === 0) return mean
  const drawn = own.reduce((sum, thread) => sum + (2 * draw('step', `${job} ${step + 1} ${thread}`) - 1) * delta, 0)
  return Math.max(0, Math.round(mean + drawn))
}

const edgesTo = (partners: readonly Address[], { job, step }: Stepping): Effect[] =>
  partners.map((partner) => tell<Edge>(partner, { type: 'edge', job, step: step + 1 }))

const exchanging = (stepping: Stepping, doing: 'vertical' | 'horizontal', { model }: ProcessorBook) =>
  [
    { ...stepping, doing },
    timer('step', stepping[doing].threads * model.message, { type: 'exchanged' }, 'completion'),
  ] as const

export function onComputed(book: ProcessorBook): Decision<ProcessorBook> {
  if (!book.stepping) return [{}]
  const [stepping, effect] = exchanging(book.stepping, 'vertical', book)
  return [{ stepping }, effect]
}

export function onExchanged(book: ProcessorBook): Decision<ProcessorBook> {
  const { stepping } = book
  if (stepping?.doing !== 'vertical') return stepping ? waiting(stepping, book) : [{}]
  const [next, effect] = exchanging(stepping, 'horizontal', book)
  return [{ stepping: next }, ...edgesTo(stepping.vertical.partners, stepping), effect]
}

function waiting(stepping: Stepping, book: ProcessorBook): Decision<ProcessorBook> {
  const [changes, ...effects] = closed({ ...stepping, doing: 'waiting' }, book, book.heard)
  return [changes, ...edgesTo(stepping.horizontal.partners, stepping), ...effects]
}

/** Ends the step if all partners have sent their data of it. */
function closed(stepping: Stepping, book: ProcessorBook, heard: Heard): Decision<ProcessorBook> {
  if (stepping.doing !== 'waiting' || !isHeard(stepping, heard)) return [{ stepping, heard }]
  const step = stepping.step + 1
  const [changes, ...effects] = stepOn({ ...stepping, step, doing: null }, book)
  return [{ heard: forgetting(heard, step), ...changes }, ...effects]
}

export function onEdge(book: ProcessorBook, { job, step }: Edge): Decision<ProcessorBook> {
  const heard = hearing(book.heard, job, step)
  return book.stepping ? closed(book.stepping, book, heard) : [{ heard }]
}

export function onRun(book: ProcessorBook, order: Mail<Run>): Decision<ProcessorBook> {
  const [changes, ...effects] = stepOn(starting(order), book)
  return [changes, observe({ type: 'runs', job: order.job }), ...effects]
}

export function onHalt({ stepping }: ProcessorBook, { from, job }: Mail<Halt>): Decision<ProcessorBook> {
  if (stepping?.job !== job) return [{}]
  const step = begunBy(stepping)
  return [{ stepping: { ...stepping, until: step, isHeld: true } }, tell(from, { type: 'halting', job, step })]
}

export function onFinish(book: ProcessorBook, { job, step }: Finish): Decision<ProcessorBook> {
  const { stepping } = book
  return stepping?.job === job ? stepOn({ ...stepping, until: step, isHeld: false }, book) : [{}]
}
