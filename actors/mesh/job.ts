/**
 * The leader of a job, and when that is over of another one: asks the allocator to be let in, has its threads brought to the
 * processors that it gets, computes while no thread moves, and leaves when its work is done. All its threads go at the same
 * pace, step by step. On a mesh dealt out by EQUI it moves when the allocator says where to; in a ring it exchanges cells
 * with its neighbours.
 */
import {
  type Address,
  actor,
  cancel,
  type Decision,
  type Effect,
  type Mail,
  now,
  observe,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import { sizeOf } from './fold/exchange.ts'
import { placesOf } from './mapping.ts'
import {
  belonging,
  deciding,
  hearing,
  holdingOf,
  homeOf,
  isSettled,
  type Membership,
  offering,
  parting,
  reporting,
  shifting,
  splitting,
  ticking,
} from './membership.ts'
import type { Answer, Attempt, Begin, Cells, Links, Order, Size, ToJob } from './messages.ts'
import { type Detail, type Model, movingTime, stepAlone } from './model.ts'
import { MAPPINGS, type MappingName, paceIn } from './pace.ts'
import { paced, timeLeft, type Work } from './progress.ts'
import { areEqual, type Rectangle } from './rectangle.ts'
import {
  answered,
  type Crew,
  dismissing,
  halting,
  isAtRest,
  loading,
  NO_CREW,
  refolding,
  remapping,
  running,
} from './threads/crew.ts'
import type { ToLeader } from './threads/messages.ts'
import { numberOf } from './threads/placement.ts'

export type JobInput = {
  readonly allocator: Address
  readonly model: Model
  readonly mapping: MappingName
  readonly detail: Detail
  /** What it asks for and does not get it asks for again, every so often; null: once. */
  readonly patience: Time | null
}

interface Context extends JobInput {
  /** Null: there is none. */
  readonly of: (Begin & { readonly user: Address }) | null
  /** What became of the one before. */
  readonly last: (Attempt & { readonly type: 'over' | 'failed' }) | null
  readonly progress: Work
  /** Where its threads are, or are on their way to. Null: it has none. */
  readonly partition: Rectangle | null
  /** Null: it is in no ring. */
  readonly ring: Membership | null
  /** The last order of the allocator that it has begun to obey. */
  readonly change: number
  /** What it said to that; null: it is at it. */
  readonly answer: Answer | null
  readonly isLeaving: boolean
  /** It has no threads any more. */
  readonly hasDeparted: boolean
  /** Its threads, where processors have them. */
  readonly crew: Crew
}

/** For whoever folds a run. */
export type JobFact =
  | ({ readonly type: 'began' } & Attempt)
  /** `partition` is its own, from now on, and it stands still until its threads are there; null: processors see to that. */
  | { readonly type: 'moved'; readonly partition: Rectangle; readonly took: Time | null }
  /** In a ring: its own cells from now on, one of them perhaps offered to a neighbour who may take it, and its neighbours. */
  | ({ readonly type: 'owns'; readonly offered: Rectangle | null; readonly cells: Cells } & Links)
  | { readonly type: 'resumed'; readonly pace: number }
  /** It has no processors any more: another has them for a while, or it was told to vacate them. */
  | { readonly type: 'stopped' }
  | { readonly type: 'vacated' }
  /** It computes no more: its work is done, or it was told to leave. */
  | ({ readonly type: 'ended'; readonly left: number } & Attempt)
  | ({ readonly type: 'failed' } & Attempt)

type Event = Mail<ToJob> | { type: 'moved' } | { type: 'completed' } | { type: 'again' }

const { createMachine, rule, onEntry } = actor<{ input: JobInput; context: Context; event: Event }>()
type Of<T extends Event['type']> = Extract<Event, { type: T }>
type Args<T extends Event['type']> = { readonly context: Context; readonly event: Of<T> }
type Asked = { readonly context: Context }

const attemptOf = ({ job, attempt }: Attempt): Attempt => ({ job, attempt })

const isSame = (one: Attempt, other: Attempt): boolean => one.job === other.job && one.attempt === other.attempt

// --- work -------------------------------------------------------------------------------------------------------------

const compute = onEntry((context) => {
  const { partition, progress, of, detail, model, mapping, crew } = context
  const pace = partition ? paceIn(model, mapping, partition) : 0
  if (detail === 'fine') {
    const until = of?.work == null ? null : Math.ceil(of.work / stepAlone(model))
    const [after, ...orders] = running(crew, ofCrew(context), until)
    return [{ crew: after }, ...orders, observe({ type: 'resumed', pace })]
  }
  const going = paced(progress, now(), pace)
  const left = of?.work == null ? null : timeLeft(going)
  const end = left === null ? [] : [timer('end', left, { type: 'completed' }, 'completion')]
  return [{ progress: going }, ...end, observe({ type: 'resumed', pace })]
})

const standStill = onEntry(({ progress }) => [{ progress: paced(progress, now(), 0) }, cancel('end')])

const setOut = (context: Context, to: Rectangle): Decision<Context> => {
  const { model, partition: from, detail, hasDeparted } = context
  if (detail === 'coarse' || hasDeparted) {
    const took = hasDeparted ? 0 : movingTime(model, from, to)
    return [{ partition: to }, observe({ type: 'moved', partition: to, took }), timer('moved', took, { type: 'moved' })]
  }
  const [crew, ...orders] = brought(context, to)
  return [{ partition: to, crew }, observe({ type: 'moved', partition: to, took: null }), ...orders]
}

// --- its threads on processors ----------------------------------------------------------------------------------------

const ofCrew = ({ model, of }: Context) => ({ mesh: model.mesh, job: of?.job ?? 0 })

/** In a ring partitions are halved and doubled; else each thread goes where its mapping has it. */
function brought(context: Context, to: Rectangle) {
  const { model, mapping, ring, partition: from, crew } = context
  if (from && ring && crew.placement) return refolding(crew, ofCrew(context), from, to)
  const places = placesOf(MAPPINGS[mapping].mapping, model.mesh, to)
  const placement = places.map((place) => numberOf(model.mesh, place))
  if (from && crew.placement) return remapping(crew, ofCrew(context), from, placement)
  return loading(crew, ofCrew(context), placement)
}

/** What processors have answered; counted in steps if they compute. */
const ofProcessors = <T extends ToLeader['type']>(type: T) => ({
  actions: rule(type, (context, answer) => {
    const [crew, ...effects] = answered(context.crew, ofCrew(context), answer)
    if (context.detail !== 'fine') return [{ crew }, ...effects]
    const left = Math.max(0, (context.of?.work ?? 0) - crew.step * stepAlone(context.model))
    return [{ crew, progress: { ...context.progress, left } }, ...effects]
  }),
})

const answers = {
  ...{ placed: ofProcessors('placed'), dropped: ofProcessors('dropped') },
  ...{ halting: ofProcessors('halting'), ran: ofProcessors('ran') },
}

const haltCrew = onEntry((context) => {
  const [crew, ...effects] = halting(context.crew, ofCrew(context))
  return [{ crew }, ...effects]
})

const dismiss = onEntry((context) => {
  const [crew, ...effects] = dismissing(context.crew, ofCrew(context))
  return [{ crew }, ...effects]
})

/** No processor has to answer. */
const isReady = ({ context }: Asked) => isAtRest(context.crew)

// --- to be let in, and out --------------------------------------------------------------------------------------------

/** What it asks the allocator for. */
function request({ of, allocator, hasDeparted }: Context): Effect[] {
  if (!of) return []
  const { job, attempt, minimum } = of
  return [tell(allocator, hasDeparted ? { type: 'depart', job, attempt } : { type: 'arrive', job, attempt, minimum })]
}

const repeat = ({ patience }: Context): Effect[] =>
  patience === null ? [] : [timer('again', patience, { type: 'again' })]

const awaitAnswer = onEntry((context) => [{}, ...repeat(context)])
const again = rule('again', (context) => [{}, ...request(context), ...repeat(context)])
const cease = onEntry(() => [{}, cancel('again')])
const halt = onEntry(() => [{}, cancel('moved')])

const begin = rule('begin', (context, { from, ...of }) => {
  const begun: Context = {
    ...context,
    ...{ of: { ...of, user: from }, isLeaving: false, hasDeparted: false },
    progress: { left: of.work ?? 0, pace: 0, since: now() },
    crew: NO_CREW,
  }
  return [begun, observe({ type: 'began', ...attemptOf(of) }), ...request(begun)]
})

/** It computes no more, and needs nothing. */
const depart = onEntry((context) => {
  const { of, progress } = context
  if (!of) return [{}]
  const left = Math.round(progress.left)
  return [
    { hasDeparted: true },
    observe({ type: 'ended', ...attemptOf(of), left }),
    ...request({ ...context, hasDeparted: true }),
  ]
})

/** Free for another job. */
const free = onEntry(({ of, hasDeparted }) => {
  const nothing = { of: null, partition: null, ring: null }
  if (!of) return [nothing]
  const last = { type: hasDeparted ? 'over' : 'failed', ...attemptOf(of) } as const
  const fact = hasDeparted ? [] : [observe({ type: 'failed', ...attemptOf(of) })]
  return [{ ...nothing, last }, ...fact, tell(of.user, last)]
})

/** Of a job that it has never heard of it was perhaps the leader in an earlier life. */
const onAsk = rule('ask', ({ of, last }, { from, ...asked }) => {
  const attempt = attemptOf(asked)
  if (of && isSame(of, attempt)) return [{}, tell(from, { type: 'leads', ...attempt })]
  return [{}, tell(from, { type: last && isSame(last, attempt) ? last.type : 'failed', ...attempt })]
})

// --- orders -----------------------------------------------------------------------------------------------------------

const answering = (context: Context, type: Answer['type'], change: number): Decision<Context> => {
  const { of, ring, allocator } = context
  const answer: Answer = { type, change, of: of && attemptOf(of), holds: holdingOf(ring) }
  return [{ ...context, change, answer }, tell(allocator, answer)]
}

/** What the allocator has ordered since is not undone by what it ordered before. */
const isNew = ({ context, event }: { readonly context: Context; readonly event: { readonly change: number } }) =>
  event.change > context.change

/** A leader that has been idle does not begin again what it ended, should it be told twice. */
const isUnknown = ({ context: { last }, event }: { readonly context: Context; readonly event: Attempt }) =>
  last === null || !isSame(last, event)

const isForIt = (args: { readonly context: Context; readonly event: Attempt & { readonly change: number } }) =>
  isNew(args) && isMine(args)

const isMine = ({ context: { of }, event }: { readonly context: Context; readonly event: Attempt }) =>
  of !== null && isSame(of, event)

const ANSWERS = {
  ...{ freeze: 'frozen', stop: 'swapped-out', vacate: 'done', remap: 'done', resume: 'done' },
  ...{ start: 'done', link: 'done', split: 'done', tick: 'done', shift: 'done', report: 'done' },
} as const satisfies Record<Order['type'], Answer['type']>

/** What comes again is answered again, once it is done; and what is not for such as it, by what it has. */
const inAnyCase = (context: Context, { type, change }: Order): Decision<Context> => {
  const { allocator, answer } = context
  if (change > context.change) return answering(context, ANSWERS[type], change)
  return [{}, ...(change === context.change && answer ? [tell(allocator, answer)] : [])]
}

/** It begins to obey. */
const at = ({ change }: Order, changes: Partial<Context>): Partial<Context> => ({ ...changes, change, answer: null })

/** Its threads go where the allocator says. */
const move = rule('remap', (context, order) => {
  const [changes, ...effects] = setOut(context, order.partition)
  return [at(order, changes), ...effects]
})
const answerMoved = rule('moved', (context) => answering(context, 'done', context.change))
const noteFreeze = rule('freeze', (_, order) => [at(order, {})])
const answerFrozen = onEntry((context) => answering(context, 'frozen', context.change))
const answerResumed = rule('resume', (context, { change }) => answering(context, 'done', change))

const noteStop = rule('stop', (_, order) => [at(order, {})])
const swapOut = onEntry((context) => {
  const [changes, ...effects] = answering({ ...context, partition: null, ring: null }, 'swapped-out', context.change)
  return [changes, observe({ type: 'stopped' }), ...effects]
})

const vacate = rule('vacate', (context, { change, isFailed }) => {
  const isOver = isFailed || context.hasDeparted
  const [changes, ...effects] = answering({ ...context, ring: null, ...(isOver && { of: null }) }, 'done', change)
  return [{ ...changes, of: context.of }, observe({ type: 'vacated' }), ...effects]
})

const isOver = ({ context, event }: Args<'vacate'>) =>
  event.change > context.change && (event.isFailed || context.hasDeparted)

// --- in a ring --------------------------------------------------------------------------------------------------------

const owns = (ring: Membership): Effect => {
  const { cells, offered } = holdingOf(ring)
  return observe({ type: 'owns', cells, offered, prev: ring.prev, next: ring.next })
}

const differ = (one: Membership, other: Membership): boolean =>
  one.cells !== other.cells || one.prev !== other.prev || one.next !== other.next

/** What comes of what it knows now. */
function turn(before: Membership, known: Membership, change: number): readonly [Membership, ...Effect[]] {
  const { ring, from } = deciding(known, change)
  return [
    ring,
    ...(differ(before, ring) ? [owns(ring)] : []),
    ...(from === null ? [] : [tell(from, { type: 'taken', change })]),
  ]
}

const obeying = (context: Context, order: Order, known: Membership): Decision<Context> => {
  const [ring, ...effects] = turn(context.ring ?? known, known, order.change)
  return [at(order, { ring }), ...effects]
}

/** To both neighbours: how much it has. */
const tellSize = rule('tick', ({ ring }, { change }) => {
  if (!ring) return [{}]
  const size = { type: 'size', change, size: sizeOf(ring.cells) } as const
  return [{}, tell(ring.prev, size), tell(ring.next, size)]
})

const heard = (context: Context, { from, change }: { from: Address; change: number }, said: Size | Rectangle) => {
  if (!context.ring) return [{}] as const
  const [ring, ...effects] = turn(context.ring, hearing(context.ring, change, from, said), context.change)
  return [{ ring }, ...effects] as const
}

const isOrder = (args: { readonly context: Context; readonly event: { readonly change: number } }) =>
  args.context.ring !== null && isNew(args)

const inRing = {
  link: { guard: isOrder, actions: rule('link', (context, order) => obeying(context, order, belonging(order))) },
  split: {
    guard: isOrder,
    actions: rule('split', (context, order) =>
      context.ring ? obeying(context, order, splitting(context.ring, order)) : [{}],
    ),
  },
  tick: {
    guard: isOrder,
    actions: [
      tellSize,
      rule('tick', (context, order) =>
        context.ring ? obeying(context, order, ticking(context.ring, order.change)) : [{}],
      ),
    ],
  },
  shift: {
    guard: isOrder,
    actions: rule('shift', (context, order) =>
      context.ring ? obeying(context, order, shifting(context.ring, order.change)) : [{}],
    ),
  },
  report: {
    guard: isOrder,
    actions: rule('report', (context, { change }) =>
      answering({ ...context, ring: context.ring && reporting(context.ring, change) }, 'done', change),
    ),
  },
  vacate: [
    { guard: isOver, target: 'idle', actions: vacate },
    { guard: isNew, target: 'waiting', actions: vacate },
  ],
  size: { actions: rule('size', (context, { size, ...mail }) => heard(context, mail, size)) },
  cell: { actions: rule('cell', (context, { cell, ...mail }) => heard(context, mail, cell)) },
  taken: {
    guard: ({ context, event }: Args<'taken'>) => event.change === context.change,
    actions: rule('taken', ({ ring: before }, { from }) => {
      if (!before) return [{}]
      const ring = parting(before, from)
      return [{ ring }, ...(differ(before, ring) ? [owns(ring)] : [])]
    }),
  },
}

const start = rule('start', (context, order) => {
  const [changes, ...effects] = obeying(context, order, belonging(order))
  return [changes, ...effects, ...(changes.ring ? [owns(changes.ring)] : [])]
})

/** Its threads set out for other cells; what has departed has none. */
const setOutInRing = onEntry((context) => {
  const home = context.ring && homeOf(context.ring)
  return home ? setOut(context, home) : [{}]
})

/** No thread is on what it gives any more. */
const offer = onEntry(({ ring: before, change }) => {
  if (!before?.gift) return [{}]
  const { cell, to } = before.gift
  const ring = offering(before)
  return [{ ring }, owns(ring), ...(to === null ? [] : [tell(to, { type: 'cell', change, cell })])]
})

/** It has done what it was told, and says what it has now. */
const report = onEntry((context) => answering(context, 'done', context.change))

const isToMove = ({ context: { ring, partition } }: Asked) => {
  const home = ring && homeOf(ring)
  return home !== null && (partition === null || !areEqual(home, partition))
}
const isFolding = (asked: Asked) => isToMove(asked) && asked.context.ring?.gift != null
const isToOffer = ({ context: { ring } }: Asked) => ring?.gift?.isOffered === false
const hasDone = ({ context: { ring, answer } }: Asked) => ring !== null && answer === null && isSettled(ring)
const hasDeparted = ({ context }: Asked) => context.hasDeparted
const isToLeave = ({ context }: Asked) => context.isLeaving
/** In the midst of an exchange it stays until that is over. */
const mayLeave = ({ context: { isLeaving, answer } }: Asked) => isLeaving && answer !== null

/** One after the other, whatever is to be done in its ring. */
const toDo = [
  { guard: isFolding, target: 'folding', actions: setOutInRing },
  { guard: isToMove, target: 'spreading', actions: setOutInRing },
  { guard: isToOffer, actions: offer },
  { guard: hasDone, actions: report },
]

/** What it waits for. */
const WAITS = ['quiet', 'asking', 'awaiting', 'offering'] as const
type Wait = (typeof WAITS)[number]

function waitOf({ ring }: Context): Wait {
  if (ring?.gift?.isOffered) return 'offering'
  if (ring?.isAsking) return 'asking'
  return ring?.due ? 'awaiting' : 'quiet'
}

const unless = (own: Wait) => ({
  always: WAITS.filter((wait) => wait !== own).map((wait) => ({
    guard: ({ context }: Asked) => waitOf(context) === wait,
    target: wait,
  })),
})

/** Threads are on their way: when they are there, it is seen what comes next. */
const inMotion = {
  exit: halt,
  on: { ...inRing, ...answers, moved: [{ guard: hasDeparted, target: 'departing' }, { target: 'running' }] },
}

const remap = { guard: isNew, target: 'moving', actions: move }
const freeze = { guard: isNew, target: 'freezing', actions: noteFreeze }
const stop = { guard: isNew, target: 'stopping', actions: noteStop }
const { vacate: vacated } = inRing

export default createMachine({
  context: ({ input }) => ({
    ...input,
    ...{ of: null, last: null, partition: null, ring: null, change: 0, answer: null },
    ...{ isLeaving: false, hasDeparted: false },
    progress: { left: 0, pace: 0, since: 0 },
    crew: NO_CREW,
  }),
  initial: 'idle',
  on: {
    ask: { actions: onAsk },
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
      entry: free,
      on: { begin: { guard: isUnknown, target: 'waiting', actions: begin } },
    },
    waiting: {
      entry: awaitAnswer,
      exit: cease,
      always: { guard: isToLeave, target: 'departing', actions: depart },
      on: {
        again: { actions: again },
        remap: { guard: isForIt, target: 'moving', actions: move },
        start: { guard: isForIt, target: 'spreading', actions: [start, setOutInRing] },
        vacate: vacated,
      },
    },
    moving: {
      exit: halt,
      on: { ...answers, remap, freeze, vacate: vacated, moved: { target: 'still', actions: answerMoved } },
    },
    /** Until its threads have done the step that they have begun. */
    freezing: {
      entry: haltCrew,
      always: { guard: isReady, target: 'still', actions: answerFrozen },
      on: { ...inRing, ...answers },
    },
    /** Until its processors have forgotten it. */
    stopping: {
      entry: dismiss,
      always: { guard: isReady, target: 'waiting', actions: swapOut },
      on: { ...inRing, ...answers },
    },
    /** The same, before it departs; who has to stand still for something else does not wait for it then. */
    dismissing: {
      entry: dismiss,
      always: { guard: isReady, target: 'departing', actions: depart },
      on: { ...inRing, ...answers, freeze: { actions: rule('freeze', () => [{}]) } },
    },
    still: {
      on: {
        ...inRing,
        ...{ remap, freeze, stop, resume: { guard: isNew, target: 'running', actions: answerResumed } },
        link: { ...inRing.link, target: 'running' },
      },
    },
    folding: inMotion,
    spreading: inMotion,
    running: {
      entry: compute,
      exit: standStill,
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
        quiet: unless('quiet'),
        asking: unless('asking'),
        awaiting: unless('awaiting'),
        offering: unless('offering'),
      },
    },
    /** Until the allocator has its cells: it answers for them from then on. */
    departing: {
      entry: awaitAnswer,
      exit: cease,
      always: toDo,
      on: { ...inRing, again: { actions: again } },
    },
  },
})
