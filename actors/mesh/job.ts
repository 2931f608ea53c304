/**
 * The leader of a job, and of the next job when that one is over. It asks the allocator for admission, has its threads
 * moved to the processors that it gets, computes while no thread moves, and departs when its work is done. All threads
 * run at the same pace, step by step. Under EQUI a job moves where the allocator tells it to. In a ring it exchanges
 * cells with its neighbours.
 */
import { type Asked, createMachine, handlers, isAllocator, newBook, onEntry } from './job/book.ts'
import * as orders from './job/orders.ts'
import { isForIt, isNew } from './job/orders.ts'
import * as ring from './job/ring.ts'
import * as work from './job/work.ts'

/** Handlers for the answers of processors. */
const answers = {
  placed: work.onProcessors,
  dropped: work.onProcessors,
  halting: work.onProcessors,
  ran: work.onProcessors,
}

const remap = { guard: isNew, target: 'moving', handle: work.remapped }
const freeze = { guard: isNew, target: 'freezing', handle: orders.begun }
const stop = { guard: isNew, target: 'stopping', handle: orders.begun }
/** An order whose answer has to wait. Outside of a ring the request to depart is the answer. */
const later = { guard: isNew, handle: orders.begun }
const vacate = [
  { guard: orders.isOver, target: 'idle', handle: orders.vacated },
  { guard: orders.isToWait, target: 'waiting', handle: orders.vacated },
]

const inRing = {
  link: { guard: ring.isOrder, handle: ring.link },
  split: { guard: ring.isOrder, handle: ring.split },
  tick: { guard: ring.isOrder, handle: ring.tick },
  shift: { guard: ring.isOrder, handle: ring.shift },
  report: { guard: ring.isOrder, handle: ring.report },
  size: ring.onSize,
  cell: ring.onCell,
  taken: ring.onTaken,
  vacate,
}

/** Transitions for the due work of a job in a ring, one piece after the other. */
const toDo = [
  { guard: ring.isFolding, target: 'folding', actions: onEntry(ring.setOutInRing) },
  { guard: ring.isToMove, target: 'spreading', actions: onEntry(ring.setOutInRing) },
  { guard: ring.isToOffer, actions: onEntry(ring.offer) },
  { guard: ring.hasDone, actions: onEntry(orders.done) },
]

/** A state while the next order or a neighbour is awaited. An allocator that has taken the leader for dead sends it no order. */
const doubting = { entry: onEntry(orders.doubt), exit: onEntry(orders.doubtNoMore) }
const doubts = {
  again: { handle: [orders.tellHoldings, orders.awaitLonger] },
  joined: { guard: isAllocator, handle: [orders.tellHoldings, orders.doubt] },
}

/** One state for each event that a computing job may wait for. */
const waiting = (own: ring.Wait) => ({
  ...(own === 'quiet' ? {} : { ...doubting, on: handlers(doubts) }),
  always: ring.WAITS.filter((wait) => wait !== own).map((wait) => ({
    guard: ({ context }: Asked) => ring.waitOf(context) === wait,
    target: wait,
  })),
})

/** A state while threads move. The next state is decided when they have arrived. */
const inMotion = {
  exit: onEntry(work.halt),
  on: handlers({
    ...inRing,
    ...answers,
    moved: [{ guard: orders.hasDeparted, target: 'departing' }, { target: 'running' }],
  }),
}

/** A state while the answer to a request is awaited. */
const awaiting = { entry: onEntry(orders.awaitAnswer), exit: onEntry(orders.cease) }
const repetitions = {
  again: { handle: [orders.again, orders.awaitLonger] },
  joined: { guard: isAllocator, handle: [orders.again, orders.awaitAnswer] },
}

export default createMachine({
  context: ({ input }) => newBook(input),
  initial: 'idle',
  on: handlers({
    ask: orders.onAsk,
    joined: {},
    leave: () => [{ isLeaving: true }],
    freeze: orders.inAnyCase,
    stop: orders.inAnyCase,
    vacate: orders.inAnyCase,
    remap: orders.inAnyCase,
    resume: orders.inAnyCase,
    start: orders.inAnyCase,
    link: orders.inAnyCase,
    split: orders.inAnyCase,
    tick: orders.inAnyCase,
    shift: orders.inAnyCase,
    report: orders.inAnyCase,
  }),
  states: {
    idle: {
      entry: onEntry(orders.free),
      on: handlers({ begin: { guard: orders.isUnknown, target: 'waiting', handle: orders.begin } }),
    },
    waiting: {
      ...awaiting,
      always: { guard: orders.isToLeave, target: 'departing', actions: onEntry(orders.depart) },
      on: handlers({
        ...repetitions,
        remap: { ...remap, guard: isForIt },
        start: { guard: isForIt, target: 'spreading', handle: [ring.start, ring.setOutInRing] },
        vacate,
      }),
    },
    moving: {
      exit: onEntry(work.halt),
      on: handlers({ ...answers, remap, freeze, vacate, moved: { target: 'still', handle: orders.done } }),
    },
    /** Waits until the threads have completed the step that they have begun. */
    freezing: {
      entry: onEntry(work.haltCrew),
      always: { guard: work.isReady, target: 'still', actions: onEntry(orders.frozen) },
      on: handlers({ ...inRing, ...answers }),
    },
    /** Waits until all processors have forgotten the job. */
    stopping: {
      entry: onEntry(work.dismiss),
      always: { guard: work.isReady, target: 'waiting', actions: onEntry(orders.swappedOut) },
      on: handlers({ ...inRing, ...answers }),
    },
    /** Waits until all processors have forgotten the job before it departs. In a ring orders are answered in `departing`. */
    dismissing: {
      entry: onEntry(work.dismiss),
      always: { guard: work.isReady, target: 'departing', actions: onEntry(orders.depart) },
      on: handlers({ ...inRing, ...answers, freeze: later, stop: later }),
    },
    still: {
      ...doubting,
      on: handlers({
        ...inRing,
        ...doubts,
        remap,
        stop,
        resume: { guard: isNew, target: 'running', handle: orders.resumed },
        link: { ...inRing.link, target: 'running' },
      }),
    },
    folding: inMotion,
    spreading: inMotion,
    running: {
      entry: onEntry(work.compute),
      exit: onEntry(work.standStill),
      initial: 'quiet',
      always: [...toDo, { guard: orders.mayLeave, target: 'dismissing' }],
      on: handlers({ ...inRing, ...answers, freeze, stop, completed: () => [{ isLeaving: true }] }),
      states: {
        quiet: waiting('quiet'),
        asking: waiting('asking'),
        awaiting: waiting('awaiting'),
        offering: waiting('offering'),
      },
    },
    /** Waits until the allocator has taken over the cells. */
    departing: {
      ...awaiting,
      always: toDo,
      on: handlers({ ...inRing, ...repetitions }),
    },
  },
})
