/**
 * The threads of a job: moving to other processors, computing, or at rest. The times are calculated here, or processors
 * hold the threads and report their progress.
 */
import { cancel, type Decision, now, observe, timer } from '../../../lib/actor.ts'
import { placesOf } from '../mapping.ts'
import type { Remap } from '../messages.ts'
import { movingTime, stepAlone } from '../model.ts'
import type { Rectangle } from '../rectangle.ts'
import * as threads from '../threads/crew.ts'
import type { ToLeader } from '../threads/messages.ts'
import { numberOf } from '../threads/placement.ts'
import type { Asked, JobBook } from './book.ts'
import { obeying } from './orders.ts'
import { MAPPINGS, paced, paceIn, timeLeft } from './pace.ts'

const ofCrew = ({ model, of }: JobBook): threads.Of => ({ mesh: model.mesh, job: of?.job ?? 0 })

// --- computing --------------------------------------------------------------------------------------------------------

export function compute(book: JobBook): Decision<JobBook> {
  const { partition, progress, of, detail, model, mapping, crew } = book
  const pace = partition ? paceIn(model, mapping, partition) : 0
  if (detail === 'fine') {
    const until = of?.work == null ? null : Math.ceil(of.work / stepAlone(model))
    const [after, ...orders] = threads.running(crew, ofCrew(book), until)
    return [{ crew: after }, ...orders, observe({ type: 'resumed', pace })]
  }
  const going = paced(progress, now(), pace)
  const left = of?.work == null ? null : timeLeft(going)
  const end = left === null ? [] : [timer('end', left, { type: 'completed' }, 'completion')]
  return [{ progress: going }, ...end, observe({ type: 'resumed', pace })]
}

export const standStill = ({ progress }: JobBook): Decision<JobBook> => [
  { progress: paced(progress, now(), 0) },
  cancel('end'),
]

// --- moving -----------------------------------------------------------------------------------------------------------

/** Moves the threads; the event `moved` follows when all have arrived. A departed job has no threads to move. */
export function setOut(book: JobBook, to: Rectangle): Decision<JobBook> {
  const { model, partition: from, detail, hasDeparted } = book
  if (detail === 'coarse' || hasDeparted) {
    const took = hasDeparted ? 0 : movingTime(model, from, to)
    return [{ partition: to }, observe({ type: 'moved', partition: to, took }), timer('moved', took, { type: 'moved' })]
  }
  const [crew, ...orders] = brought(book, to)
  return [{ partition: to, crew }, observe({ type: 'moved', partition: to, took: null }), ...orders]
}

/**
 * Directs processors to move the threads: in a ring partitions are halved or doubled, elsewhere the mapping decides.
 */
function brought(book: JobBook, to: Rectangle) {
  const { model, mapping, ring, partition: from, crew } = book
  if (from && ring && crew.placement) return threads.refolding(crew, ofCrew(book), from, to)
  const places = placesOf(MAPPINGS[mapping].mapping, model.mesh, to)
  const placement = places.map((place) => numberOf(model.mesh, place))
  if (from && crew.placement) return threads.remapping(crew, ofCrew(book), from, placement)
  return threads.loading(crew, ofCrew(book), placement)
}

/** Moves the threads to the partition of an order. */
export function remapped(book: JobBook, order: Remap): Decision<JobBook> {
  const [changes, ...effects] = setOut(book, order.partition)
  return [obeying(order, changes), ...effects]
}

export const halt = (): Decision<JobBook> => [{}, cancel('moved')]

// --- threads on processors --------------------------------------------------------------------------------------------

/** Handles an answer of a processor. If processors compute, it also updates the progress from their steps. */
export function onProcessors(book: JobBook, answer: ToLeader): Decision<JobBook> {
  const [crew, ...effects] = threads.answered(book.crew, ofCrew(book), answer)
  if (book.detail !== 'fine') return [{ crew }, ...effects]
  const left = Math.max(0, (book.of?.work ?? 0) - crew.step * stepAlone(book.model))
  return [{ crew, progress: { ...book.progress, left } }, ...effects]
}

export function haltCrew(book: JobBook): Decision<JobBook> {
  const [crew, ...effects] = threads.halting(book.crew, ofCrew(book))
  return [{ crew }, ...effects]
}

export function dismiss(book: JobBook): Decision<JobBook> {
  const [crew, ...effects] = threads.dismissing(book.crew, ofCrew(book))
  return [{ crew }, ...effects]
}

/** Whether no answers of processors are missing. */
export const isReady = ({ context }: Asked): boolean => threads.isAtRest(context.crew)
