/**
 * The allocator of FOLD (section 5): lets jobs in and out, one after the other, and has the ring exchange when it is time.
 * What is exchanged at a tick the jobs decide; what they then have they report, and only then the next step is taken. If that
 * is not what the step was to bring about, or somebody is silent, or it was away itself, it asks all what they have, and plans
 * from that.
 */
import { type Address, actor, type Mail, observe, self, type Time, tell, timer } from '../../../lib/actor.ts'
import { arrival } from '../fold/arrival.ts'
import { departure } from '../fold/departure.ts'
import { divided, undivided } from '../fold/division.ts'
import { emptyFold, type Fold, jobsOf, partitionsOf } from '../fold/fold.ts'
import { healthyOf } from '../fold/healthy.ts'
import { type Step, toEach } from '../fold/orders.ts'
import { recovery } from '../fold/recovery.ts'
import { replaced } from '../fold/replacement.ts'
import { ticked } from '../fold/rotation.ts'
import type { Place } from '../mapping.ts'
import { type Mesh, wholeOf } from '../mesh.ts'
import type { Answer, Order, Size, ToAllocator } from '../messages.ts'
import { areaOf, contains, type Rectangle } from '../rectangle.ts'
import { type Admission, awaitSwap, NO_TURN, type SwapDue, swapDue, type Turn } from './admission.ts'
import { cellForPrev, sizesOfFree } from './free.ts'
import { type Entry, read, wentAll, wrote } from './log.ts'
import { type GaveUp, givenUp, isAsPlanned, membersOf, reportsOf } from './reports.ts'
import {
  type Asked,
  asking,
  begun,
  hasRoom,
  isCrowded,
  isQueued,
  isSame,
  leftBy,
  nextOf,
  type Request,
  staying,
  swap,
  withdrawn,
} from './requests.ts'
import {
  answered,
  firstChange,
  type Impatient,
  isAnswered,
  isOfRound,
  isOver,
  NO_ROUND,
  opened,
  type Round,
  said,
  silentIn,
} from './round.ts'
import { messageOf } from './telling.ts'

export type FoldInput = Admission & {
  readonly mesh: Mesh
  /** Is a ring of an even number of jobs cut in two if it can be (section 5.4)? */
  readonly divides: boolean
  /** Hears when nothing is under way; null: nobody does. */
  readonly operator: Address | null
  /** Hears how many jobs there are, when nothing is under way; null: it has no clock. */
  readonly clock: Address | null
  /** Who does not answer is told again, every so often, and in the end taken for dead; null: everybody is waited for. */
  readonly patience: Time | null
  /** What earlier lives wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

interface Context extends Omit<FoldInput, 'records'>, Asked, Turn {
  /** As the jobs have reported it. */
  readonly fold: Fold
  readonly down: readonly Place[]
  /** What is ordered, and what comes after it. */
  readonly steps: readonly Step[]
  /** Numbers up to this one have been given to orders. */
  readonly change: number
  readonly round: Round
  /** It is to be asked who has what. */
  readonly isInDoubt: boolean
}

/** For whoever folds a run: this is so, and nothing is under way. Rings, and the jobs of each, in their order. */
export type RingFact = {
  readonly type: 'ring'
  readonly area: Rectangle
  readonly level: number
  readonly rings: readonly (readonly { readonly job: Address; readonly size: Size; readonly partition: Rectangle }[])[]
}

export type FoldFact =
  | RingFact
  | GaveUp
  /** It asks all what they have. */
  | { readonly type: 'asked' }
  /** They go on from where they are, or are all put anew. */
  | { readonly type: 'planned'; readonly isAnew: boolean }

type Event = Mail<ToAllocator> | Impatient | SwapDue | { type: 'loaded' }

const { createMachine, rule, onEntry } = actor<{ input: FoldInput; context: Context; event: Event }>()

// --- what is asked of it ----------------------------------------------------------------------------------------------

/** To who waits for nothing, or is not to be let in. */
const vacated = ({ change }: Context, job: Address, isFailed: boolean) =>
  [{ change: change + 1 }, tell(job, { type: 'vacate', change: change + 1, isFailed })] as const

/** Who is there as another than he was let in as has had another life since. */
const onArrive = rule('arrive', (context, { from, job, attempt, minimum }) => {
  const member = context.members.get(from)
  if (member && isSame(member, { job, attempt })) return [{}]
  const area = healthyOf(wholeOf(context.mesh), context.down)
  if (area === null || minimum > areaOf(area)) return vacated(context, from, true)
  const [changes] = asking(context, { is: 'arrival', of: from, attempt: { job, attempt } })
  return [{ ...changes, isInDoubt: context.isInDoubt || member !== undefined }]
})

const onDepart = rule('depart', (context, { from, job, attempt }) => {
  const member = context.members.get(from)
  if (member && !isSame(member, { job, attempt })) return [{ isInDoubt: true }]
  if (member) return asking(context, { is: 'departure', of: from })
  const [changes, ...effects] = vacated(context, from, false)
  return [{ ...changes, requests: withdrawn(context, from) }, ...effects]
})

const onDue = rule('due', (context) => asking(context, { is: 'rotation' }))

const onSilent = rule('silent', ({ members, isInDoubt }, { leader }) => [
  { isInDoubt: isInDoubt || members.has(leader) },
])

const onDown = rule('processor-down', ({ down, patience }, { from, row, column }) => {
  const noted = tell(from, { type: 'noted', row, column })
  if (down.some((place) => place.row === row && place.column === column)) return [{}, noted]
  const place = { row, column }
  return [{ down: [...down, place], isInDoubt: true }, ...wrote(patience !== null, { type: 'down', ...place }), noted]
})

/** It was taken for dead, and lives: what it has is others'. */
const onStranger = rule('done', (context, { from, holds }) =>
  holds.cells.length === 0 || context.members.has(from) ? [{}] : vacated(context, from, true),
)

// --- step by step -----------------------------------------------------------------------------------------------------

/** All that a request takes, what must be done before it first. */
function stepsFor({ fold, divides }: Context, request: Request): readonly Step[] {
  if (request.is === 'rotation') {
    if (jobsOf(fold).length === 0) return []
    const cut = divides ? divided(fold) : null
    return cut ? [cut, ticked(cut.fold)] : [ticked(fold)]
  }
  const joining = undivided(fold)
  const joined = joining.at(-1)?.fold ?? fold
  return [...joining, ...(request.is === 'arrival' ? arrival(joined, request.of) : departure(joined, request.of))]
}

const plan = onEntry((context) => {
  const request = nextOf(context)
  return request ? [{ ...begun(context, request), steps: stepsFor(context, request) }] : [{}]
})

/** All of them under a number of its own. */
function ordering({ change, patience }: Context, orderOf: (change: number) => Iterable<readonly [Address, Order]>) {
  const [round, ...tells] = said(opened(change + 1, orderOf(change + 1)), patience)
  return [{ change: change + 1, round }, ...tells] as const
}

/** Who is told to start is a member from then on. */
const order = onEntry((context) => {
  const { steps, coming, patience, fold } = context
  const [step] = steps
  if (!step) return [{}]
  const starts = new Set(step.orders.flatMap(({ type, job }) => (type === 'start' ? [job] : [])))
  const newcomers = [...coming].filter(([job]) => starts.has(job))
  const members = new Map([...context.members, ...newcomers])
  const [changes, ...tells] = ordering(context, (change) =>
    step.orders.map((one) => [one.job, messageOf(one, change, self(), members)] as const),
  )
  const came = newcomers.map(([leader, of]): Entry => ({ type: 'came', leader, ...of }))
  return [
    { ...changes, members },
    ...wrote(patience !== null, ...came),
    ...tells,
    ...sizesOfFree(fold, step, changes.change),
  ]
})

const onAnswer = ({ round }: Context, answer: Mail<Answer>) => [{ round: answered(round, answer) }] as const

const repeat = rule('impatient', ({ round, patience }) => {
  const [again, ...effects] = said(round, patience)
  return [{ round: again }, ...effects]
})

/** For what is free it answers as a job would. */
const onSize = rule('size', ({ fold, round }, { from, change, size }) =>
  change === round.change ? [{}, ...cellForPrev(fold, from, size, change)] : [{}],
)

/** Who has vacated and leads nothing is gone. */
const conclude = onEntry((context) => {
  const { round, members, patience } = context
  const [step, ...steps] = context.steps
  if (!step) return [{}]
  if (!isAsPlanned(round.answers, members, toEach(step.fold))) return [{ isInDoubt: true }]
  const gone = step.orders.flatMap(({ type, job }) =>
    type === 'vacate' && round.answers.get(job)?.of === null ? [job] : [],
  )
  const left = steps.length > 0 ? {} : { coming: new Map(), leaver: null }
  return [{ fold: step.fold, steps, ...left, ...leftBy(context, gone) }, ...wentAll(patience !== null, gone)]
})

// --- swaps ------------------------------------------------------------------------------------------------------------

const freeze = onEntry((context) => {
  const [changes, ...effects] = ordering(context, (change) =>
    staying(context).map((job) => [job, { type: 'freeze', change }]),
  )
  return [{ ...changes, isSwapDue: false }, ...effects]
})

const swapOut = onEntry((context) => {
  const [by, swapped] = swap(context)
  const [changes, ...effects] = ordering(context, (change) =>
    [...by.keys()].map((job) => [job, { type: 'stop', change }]),
  )
  const went = wentAll(context.patience !== null, [...by.keys()])
  return [{ ...swapped, ...changes, leaver: null, steps: [replaced(context.fold, by)] }, ...went, ...effects]
})

const load = onEntry(({ swaps }) => [{}, timer('loaded', swaps?.takes ?? 0, { type: 'loaded' })])

const isToSwap = ({ context }: { readonly context: Context }) => context.isSwapDue && isCrowded(context)

// --- in doubt ---------------------------------------------------------------------------------------------------------

/** Who is on the mesh says what it has. */
const ask = onEntry((context) => {
  const [changes, ...effects] = ordering(context, (change) =>
    [...context.members.keys()].map((job) => [job, { type: 'report', change }]),
  )
  return [{ ...changes, isInDoubt: false }, ...effects, observe({ type: 'asked' } satisfies FoldFact)]
})

/** Who is silent is dead; who leads another job is gone; the others go on from where they are, if they can. */
const recover = onEntry((context) => {
  const { mesh, down, round, coming, leaver, patience } = context
  const answering = membersOf(context.members, round.answers)
  const reports = reportsOf(answering, round.answers)
  const area = healthyOf(wholeOf(mesh), down)
  const isLost = (cell: Rectangle) => down.some((place) => contains(cell, { ...place, rows: 1, columns: 1 }))
  const failed = reports.filter(({ cells }) => area === null || cells.some(isLost)).map(({ job }) => job)
  const steps = recovery(area ?? wholeOf(mesh), reports, new Set(failed))
  const put = new Set([...(steps.at(-1)?.fold.rings ?? []).flatMap(ownersIn), ...failed])
  const gone = [...context.members.keys()].filter((job) => !put.has(job))
  const left = leftBy(context, gone)
  const asked: readonly Request[] = [
    ...(leaver !== null && put.has(leaver) ? [{ is: 'departure' as const, of: leaver }] : []),
    ...[...answering, ...coming].flatMap(([of, attempt]): Request[] =>
      put.has(of) || (context.members.has(of) && !answering.has(of)) ? [] : [{ is: 'arrival', of, attempt }],
    ),
    ...left.requests,
  ]
  const refused = area === null ? asked.flatMap((one) => (one.is === 'arrival' ? [one.of] : [])) : []
  const requests = asked.filter((one) => one.is !== 'arrival' || !refused.includes(one.of))
  const changes = { members: left.members, requests, steps, coming: new Map(), leaver: null }
  const isAnew = steps.some(({ orders }) => orders.some(({ type }) => type === 'start'))
  return [
    changes,
    ...wentAll(patience !== null, gone),
    ...givenUp(silentIn(round), context.change + 1),
    ...refused.map((job) => tell(job, { type: 'vacate', change: context.change + 1, isFailed: true })),
    observe({ type: 'planned', isAnew } satisfies FoldFact),
  ]
})

const ownersIn = ({ stretches }: Fold['rings'][number]): readonly Address[] =>
  stretches.flatMap(({ owner }) => owner ?? [])

// --- at rest ----------------------------------------------------------------------------------------------------------

const rest = onEntry((context) => {
  const { fold, operator, clock, requests, members } = context
  if (nextOf(context) || isToSwap({ context }) || context.isInDoubt) return [{}]
  const partitions = new Map(partitionsOf(fold).map(({ owner, size, rectangle }) => [owner, { size, rectangle }]))
  const rings = fold.rings.map(({ stretches }) =>
    stretches.flatMap(({ owner }) => {
      const own = partitions.get(owner)
      return own && owner ? [{ job: owner, size: own.size, partition: own.rectangle }] : []
    }),
  )
  const [changes, ...effects] = awaitSwap(context, requests.length)
  return [
    changes,
    ...effects,
    observe({ type: 'ring', area: fold.area, level: fold.level, rings } satisfies RingFact),
    ...(operator ? [tell(operator, { type: 'rested' })] : []),
    ...(clock ? [tell(clock, { type: 'running', jobs: members.size })] : []),
  ]
})

type Given = { readonly context: Context }
const isAsked = ({ context }: Given) => nextOf(context) !== undefined
const isToWait = ({ context, event }: Given & { event: { from: Address } }) =>
  !hasRoom(context) && !isQueued(context, event.from) && !context.members.has(event.from)
const isLate = ({ context, event }: Given & { event: { from: Address } }) => isQueued(context, event.from)
const isInDoubt = ({ context }: Given) => context.isInDoubt
const isDone = ({ context }: Given) => context.steps.length === 0
const isComplete = ({ context }: Given) => isAnswered(context.round)
const isItsTurn = ({ context, event }: Given & { event: Impatient }) => event.change === context.round.change
const isGivenUp = (given: Given & { event: Impatient }) => isItsTurn(given) && isOver(given.context.round)
const isCurrent = ({ context, event }: Given & { event: Mail<Answer> }) => isOfRound(context.round, event)
const isBorn = ({ context }: Given) => context.change === 0

/** Until all have answered, or enough has been said. */
const until = (target: string, orElse: string) => ({
  on: {
    frozen: { guard: isCurrent, actions: rule('frozen', onAnswer) },
    done: { guard: isCurrent, actions: rule('done', onAnswer) },
    'swapped-out': { guard: isCurrent, actions: rule('swapped-out', onAnswer) },
    size: { actions: onSize },
    impatient: [
      { guard: isGivenUp, target: orElse },
      { guard: isItsTurn, actions: repeat },
    ],
  },
  always: { guard: isComplete, target },
})

export default createMachine({
  context: ({ input: { records = [], ...input } }) => {
    const { members, down, lives } = read(records)
    return {
      ...{ ...input, ...NO_TURN, members, down, change: firstChange(lives), round: NO_ROUND },
      ...{ fold: emptyFold(wholeOf(input.mesh)), requests: [], coming: new Map(), leaver: null, steps: [] },
      isInDoubt: false,
    }
  },
  entry: onEntry(({ patience }) => [{}, ...wrote(patience !== null, { type: 'lived' })]),
  initial: 'waking',
  on: {
    arrive: { actions: onArrive },
    depart: { actions: onDepart },
    due: { actions: onDue },
    silent: { actions: onSilent },
    'processor-down': { actions: onDown },
    'swap-due': { actions: rule('swap-due', swapDue) },
    done: { actions: onStranger },
  },
  states: {
    waking: { always: [{ guard: isBorn, target: 'resting' }, { target: 'querying' }] },
    resting: {
      entry: rest,
      always: [
        { guard: isInDoubt, target: 'querying' },
        { guard: isToSwap, target: 'freezing' },
        { guard: isAsked, target: 'planning' },
      ],
      on: {
        arrive: [{ guard: isToWait, actions: [onArrive, rest] }, { actions: onArrive }],
        depart: [{ guard: isLate, actions: [onDepart, rest] }, { actions: onDepart }],
      },
    },
    freezing: { entry: freeze, ...until('swapping', 'querying') },
    swapping: { entry: swapOut, ...until('loading', 'querying') },
    loading: { entry: load, on: { loaded: 'ordering' } },
    planning: { entry: plan, always: [{ guard: isDone, target: 'resting' }, { target: 'ordering' }] },
    ordering: { entry: order, ...until('concluding', 'querying') },
    concluding: {
      entry: conclude,
      always: [{ guard: isInDoubt, target: 'querying' }, { guard: isDone, target: 'resting' }, { target: 'ordering' }],
    },
    querying: { entry: ask, ...until('recovering', 'recovering') },
    recovering: { entry: recover, always: [{ guard: isDone, target: 'resting' }, { target: 'ordering' }] },
  },
})
