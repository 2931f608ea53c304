/**
 * The threads of a job: moving to other processors, computing, or at rest. The times are calculated here, or processors
 * hold the threads and report their progress.
 */
import { cancel, type Decision, now, type Turn, turn } from '../../../lib/actor.ts'
import { placesOf } from '../mapping.ts'
import type { Remap } from '../messages.ts'
import { movingTime, stepAlone } from '../model.ts'
import type { Rectangle } from '../rectangle.ts'
import * as threads from '../threads/crew.ts'
import type { ToLeader } from '../threads/messages.ts'
import { numberOf } from '../threads/placement.ts'
import { type Asked, byOrder, type JobBook, observe, timer } from './book.ts'
import { obey } from './orders.ts'
import { MAPPINGS, paced, paceIn, timeLeft } from './pace.ts'

type It = Turn<JobBook>

// --- computing --------------------------------------------------------------------------------------------------------

export const compute = turn((it: It) => {
  const { partition, progress, of, detail, model, mapping } = it.context
  const pace = partition ? paceIn(model, mapping, partition) : 0
  const work = of?.work ?? null
  if (detail === 'fine') threads.run(it, work === null ? null : Math.ceil(work / stepAlone(model)))
  else {
    it.context.progress = paced(progress, now(), pace)
    const left = work === null ? null : timeLeft(it.context.progress)
    if (left !== null) it.do(timer('end', left, { type: 'completed' }, 'completion'))
  }
  it.do(observe({ type: 'resumed', pace }))
})

export const standStill = ({ progress }: JobBook): Decision<JobBook> => [
  { progress: paced(progress, now(), 0) },
  cancel('end'),
]

// --- moving -----------------------------------------------------------------------------------------------------------

/** Moves the threads; the event `moved` follows when all have arrived. A departed job has no threads to move. */
export function setOut(it: It, to: Rectangle): void {
  const { model, partition: from, detail, hasDeparted } = it.context
  const isCalculated = detail === 'coarse' || hasDeparted
  const took = hasDeparted ? 0 : isCalculated ? movingTime(model, from, to) : null
  it.context.partition = to
  it.do(observe(byOrder(it.context, { type: 'moved', partition: to, took })))
  if (took !== null) it.do(timer('moved', took, { type: 'moved' }))
  else bring(it, from, to)
}

/**
 * Directs processors to move the threads: in a ring partitions are halved or doubled, elsewhere the mapping decides.
 */
function bring(it: It, from: Rectangle | null, to: Rectangle): void {
  const { model, mapping, ring, crew } = it.context
  const before = from && crew.placement
  if (before && ring) return threads.refold(it, before, from, to)
  const places = placesOf(MAPPINGS[mapping].mapping, model.mesh, to)
  const placement = places.map((place) => numberOf(model.mesh, place))
  if (before) threads.remap(it, before, from, placement)
  else threads.load(it, placement)
}

/** Moves the threads to the partition of an order. */
export const remapped = turn((it: It, order: Remap) => {
  obey(it, order)
  setOut(it, order.partition)
})

export const halt = (): Decision<JobBook> => [{}, cancel('moved')]

// --- threads on processors --------------------------------------------------------------------------------------------

/** Handles an answer of a processor. If processors compute, it also updates the progress from their steps. */
export const onProcessors = turn((it: It, answer: ToLeader) => {
  threads.onAnswer(it, answer)
  const { detail, of, crew, model, progress } = it.context
  if (detail !== 'fine') return
  it.context.progress = { ...progress, left: Math.max(0, (of?.work ?? 0) - crew.step * stepAlone(model)) }
})

export const haltCrew = turn((it: It) => threads.halt(it))
export const dismiss = turn((it: It) => threads.dismiss(it))

/** Whether no answers of processors are missing. */
export const isReady = ({ context }: Asked): boolean => threads.isAtRest(context.crew)
