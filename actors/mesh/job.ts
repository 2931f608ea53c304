/**
 * The leader of a job, and when that is over of another one: asks the allocator to be let in, has its threads brought to the processors that it is given, computes
 * unless it is told to stand still, and leaves when its work is done. All its threads go at the same pace, step by step.
 */
import { type Address, actor, cancel, type Mail, now, observe, type Time, tell, timer } from '../../lib/actor.ts'
import { leastLoad, simpleLoad } from './mapping.ts'
import type { Begin, ToJob } from './messages.ts'
import { type Model, movingTime, stepAlone, stepTime } from './model.ts'
import { paced, timeLeft, type Work } from './progress.ts'
import type { Rectangle } from './rectangle.ts'

export type JobInput = {
  readonly allocator: Address
  readonly model: Model
  /** Under EQUI+ threads are laid out in a snake, as evenly as can be. */
  readonly mapping: 'simple' | 'snake'
}

interface Context extends JobInput {
  /** Null: there is none. */
  readonly of: (Begin & { readonly user: Address }) | null
  readonly progress: Work
  readonly partition: Rectangle | null
  /** The last order of the allocator that it has begun to obey. */
  readonly change: number
  readonly isLeaving: boolean
}

/** For whoever folds a run. */
export type JobFact =
  | { readonly type: 'began'; readonly job: number }
  /** `partition` is its own, from now on, and it stands still until its threads are there. */
  | { readonly type: 'moved'; readonly partition: Rectangle; readonly took: Time }
  | { readonly type: 'resumed'; readonly pace: number }
  | { readonly type: 'stopped' }
  | { readonly type: 'ended'; readonly job: number; readonly left: number }

type Event = Mail<ToJob> | { type: 'moved' } | { type: 'completed' }

const { createMachine, rule, onEntry } = actor<{ input: JobInput; context: Context; event: Event }>()
type Of<T extends Event['type']> = Extract<Event, { type: T }>
type Args<T extends Event['type']> = { readonly context: Context; readonly event: Of<T> }

const paceIn = ({ model, mapping }: Context, partition: Rectangle): number => {
  const load = mapping === 'simple' ? simpleLoad : leastLoad
  return stepAlone(model) / stepTime(model, partition, load(model.mesh, partition))
}

const compute = onEntry((context) => {
  const { partition, progress, of } = context
  const going = paced(progress, now(), partition ? paceIn(context, partition) : 0)
  const left = of?.work == null ? null : timeLeft(going)
  const end = left === null ? [] : [timer('end', left, { type: 'completed' }, 'completion')]
  return [{ progress: going }, ...end, observe({ type: 'resumed', pace: going.pace })]
})

const standStill = onEntry(({ progress }) => [{ progress: paced(progress, now(), 0) }, cancel('end')])

/** Its threads go where the allocator says. */
const move = rule('remap', ({ model, partition: from }, { change, partition }) => {
  const took = movingTime(model, from, partition)
  return [{ change, partition }, observe({ type: 'moved', partition, took }), timer('moved', took, { type: 'moved' })]
})

const answerDone = rule('moved', ({ allocator, change, partition }) => [
  {},
  tell(allocator, { type: 'done', change, cells: partition ? [partition] : [] }),
])

const answerFrozen = rule('freeze', ({ allocator }, { change }) => [
  { change },
  tell(allocator, { type: 'frozen', change }),
])

const swapOut = rule('stop', ({ allocator }, { change }) => [
  { change, partition: null },
  observe({ type: 'stopped' }),
  tell(allocator, { type: 'swapped-out', change }),
])

/** Lets itself be let in. */
const begin = rule('begin', ({ allocator }, { from, ...of }) => [
  { of: { ...of, user: from }, progress: { left: of.work ?? 0, pace: 0, since: now() }, isLeaving: false },
  observe({ type: 'began', job: of.job }),
  tell(allocator, { type: 'arrive', minimum: of.minimum }),
])

/** Free for another job. */
const end = onEntry(({ of, allocator, progress }) => {
  if (!of) return [{}]
  const { user, job } = of
  return [
    { of: null, partition: null },
    observe({ type: 'ended', job, left: progress.left }),
    ...[tell(allocator, { type: 'depart' }), tell(user, { type: 'over', job })],
  ]
})

/** What the allocator has ordered since is not undone by what it ordered before. */
const isNew = ({ context, event }: Args<'remap' | 'freeze' | 'stop'>) => event.change >= context.change
const isCurrent = ({ context, event }: Args<'resume'>) => event.change === context.change
const isLeaving = ({ context }: { readonly context: Context }) => context.isLeaving

const remap = { guard: isNew, target: 'moving', actions: move }
const freeze = { guard: isNew, target: 'still', actions: answerFrozen }
const stop = { guard: isNew, target: 'waiting', actions: swapOut }

export default createMachine({
  context: ({ input }) => ({
    ...input,
    ...{ of: null, partition: null, change: 0, isLeaving: false },
    progress: { left: 0, pace: 0, since: 0 },
  }),
  initial: 'idle',
  on: { leave: { actions: rule('leave', () => [{ isLeaving: true }]) } },
  states: {
    idle: { entry: end, on: { begin: { target: 'waiting', actions: begin } } },
    waiting: { on: { remap } },
    moving: { on: { moved: { target: 'still', actions: answerDone } } },
    still: { on: { remap, freeze, stop, resume: { guard: isCurrent, target: 'running' } } },
    running: {
      entry: compute,
      exit: standStill,
      always: { guard: isLeaving, target: 'idle' },
      on: { freeze, stop, completed: 'idle' },
    },
  },
})
