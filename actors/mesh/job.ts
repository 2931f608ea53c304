/**
 * The leader of a job, and of the next job when that one is over. It asks the allocator for admission, has its threads
 * moved to the processors that it gets, computes while no thread moves, and departs when its work is done. All threads
 * run at the same pace, step by step. Under EQUI a job moves where the allocator tells it to. In a ring it exchanges
 * cells with its neighbours.
 */
import { actor } from '../../lib/actor.ts'
import { type Asked, type JobBook, type JobEvent, type JobInput, newBook } from './job/book.ts'
import {
  again,
  awaitAnswer,
  begin,
  begun,
  cease,
  depart,
  done,
  free,
  frozen,
  hasDeparted,
  inAnyCase,
  isForIt,
  isNew,
  isOver,
  isToLeave,
  isUnknown,
  mayLeave,
  onAsk,
  resumed,
  swappedOut,
  vacated,
} from './job/orders.ts'
import * as ring from './job/ring.ts'
import * as work from './job/work.ts'

const { createMachine, rule, onEntry } = actor<{ input: JobInput; context: JobBook; event: JobEvent }>()

/** Transitions for the answers of processors. */
const answers = {
  placed: { actions: rule('placed', work.onProcessors) },
  dropped: { actions: rule('dropped', work.onProcessors) },
  halting: { actions: rule('halting', work.onProcessors) },
  ran: { actions: rule('ran', work.onProcessors) },
}

const move = rule('remap', work.remapped)
const remap = { guard: isNew, target: 'moving', actions: move }
const freeze = { guard: isNew, target: 'freezing', actions: rule('freeze', begun) }
const stop = { guard: isNew, target: 'stopping', actions: rule('stop', begun) }
const vacate = [
  { guard: isOver, target: 'idle', actions: rule('vacate', vacated) },
  { guard: isNew, target: 'waiting', actions: rule('vacate', vacated) },
]
const setOut = onEntry(ring.setOutInRing)

const inRing = {
  link: { guard: ring.isOrder, actions: rule('link', ring.link) },
  split: { guard: ring.isOrder, actions: rule('split', ring.split) },
  tick: { guard: ring.isOrder, actions: rule('tick', ring.tick) },
  shift: { guard: ring.isOrder, actions: rule('shift', ring.shift) },
  report: { guard: ring.isOrder, actions: rule('report', ring.report) },
  size: { actions: rule('size', ring.onSize) },
  cell: { actions: rule('cell', ring.onCell) },
  taken: { actions: rule('taken', ring.onTaken) },
  vacate,
}

/** Transitions for the due work of a job in a ring, one piece after the other. */
const toDo = [
  { guard: ring.isFolding, target: 'folding', actions: setOut },
  { guard: ring.isToMove, target: 'spreading', actions: setOut },
  { guard: ring.isToOffer, actions: onEntry(ring.offer) },
  { guard: ring.hasDone, actions: onEntry(done) },
]

/** One state for each event that a computing job may wait for. */
const waiting = (own: ring.Wait) => ({
  always: ring.WAITS.filter((wait) => wait !== own).map((wait) => ({
    guard: ({ context }: Asked) => ring.waitOf(context) === wait,
    target: wait,
  })),
})

/** A state while threads move. The next state is decided when they have arrived. */
const inMotion = {
  exit: onEntry(work.halt),
  on: { ...inRing, ...answers, moved: [{ guard: hasDeparted, target: 'departing' }, { target: 'running' }] },
}

export default createMachine({
  context: ({ input }) => newBook(input),
  initial: 'idle',
  on: {
    ask: { actions: rule('ask', onAsk) },
    leave: { actions: rule('leave', () => [{ isLeaving: true }]) },
    freeze: { actions: rule('freeze', inAnyCase) },
    stop: { actions: rule('stop', inAnyCase) },
    vacate: { actions: rule('vacate', inAnyCase) },
    remap: { actions: rule('remap', inAnyCase) },
    resume: { actions: rule('resume', inAnyCase) },
    start: { actions: rule('start', inAnyCase) },
    link: { actions: rule('link', inAnyCase) },
    split: { actions: rule('split', inAnyCase) },
    tick: { actions: rule('tick', inAnyCase) },
    shift: { actions: rule('shift', inAnyCase) },
    report: { actions: rule('report', inAnyCase) },
  },
  states: {
    idle: {
      entry: onEntry(free),
      on: { begin: { guard: isUnknown, target: 'waiting', actions: rule('begin', begin) } },
    },
    waiting: {
      entry: onEntry(awaitAnswer),
      exit: onEntry(cease),
      always: { guard: isToLeave, target: 'departing', actions: onEntry(depart) },
      on: {
        again: { actions: rule('again', again) },
        remap: { guard: isForIt, target: 'moving', actions: move },
        start: { guard: isForIt, target: 'spreading', actions: [rule('start', ring.start), setOut] },
        vacate,
      },
    },
    moving: {
      exit: onEntry(work.halt),
      on: { ...answers, remap, freeze, vacate, moved: { target: 'still', actions: rule('moved', done) } },
    },
    /** Waits until the threads have completed the step that they have begun. */
    freezing: {
      entry: onEntry(work.haltCrew),
      always: { guard: work.isReady, target: 'still', actions: onEntry(frozen) },
      on: { ...inRing, ...answers },
    },
    /** Waits until all processors have forgotten the job. */
    stopping: {
      entry: onEntry(work.dismiss),
      always: { guard: work.isReady, target: 'waiting', actions: onEntry(swappedOut) },
      on: { ...inRing, ...answers },
    },
    /** Waits until all processors have forgotten the job before it departs. A `freeze` is answered later, in `departing`. */
    dismissing: {
      entry: onEntry(work.dismiss),
      always: { guard: work.isReady, target: 'departing', actions: onEntry(depart) },
      on: { ...inRing, ...answers, freeze: { actions: rule('freeze', () => [{}]) } },
    },
    still: {
      on: {
        ...inRing,
        remap,
        freeze,
        stop,
        resume: { guard: isNew, target: 'running', actions: rule('resume', resumed) },
        link: { ...inRing.link, target: 'running' },
      },
    },
    folding: inMotion,
    spreading: inMotion,
    running: {
      entry: onEntry(work.compute),
      exit: onEntry(work.standStill),
      initial: 'quiet',
      always: [...toDo, { guard: mayLeave, target: 'dismissing' }],
      on: {
        ...inRing,
        ...answers,
        freeze,
        stop,
        completed: { actions: rule('completed', () => [{ isLeaving: true }]) },
      },
      states: {
        quiet: waiting('quiet'),
        asking: waiting('asking'),
        awaiting: waiting('awaiting'),
        offering: waiting('offering'),
      },
    },
    /** Waits until the allocator has taken over the cells. */
    departing: {
      entry: onEntry(awaitAnswer),
      exit: onEntry(cease),
      always: toDo,
      on: { ...inRing, again: { actions: rule('again', again) } },
    },
  },
})
