/**
 * The allocator of EQUI and EQUI+ (section 4): whenever jobs arrive or depart it has all stand still, deals the whole mesh out
 * anew, waits until every thread is where it belongs, and has all go on. Who comes meanwhile is in the next change. If jobs
 * wait it swaps others for them in the same way, from time to time. Who does not answer is taken for dead, and the mesh is
 * dealt out without it.
 */
import {
  type Address,
  actor,
  draw,
  type Effect,
  type Mail,
  observe,
  type Time,
  tell,
  timer,
} from '../../../lib/actor.ts'
import { type Deal, dealt } from '../deal.ts'
import { equi } from '../equi.ts'
import { exponentsOf } from '../fold/cells.ts'
import { healthyOf } from '../fold/healthy.ts'
import type { Place } from '../mapping.ts'
import { type Mesh, wholeOf } from '../mesh.ts'
import type { Answer, Order, ToAllocator } from '../messages.ts'
import { areaOf, contains, type Rectangle } from '../rectangle.ts'
import { type Admission, awaitSwap, NO_TURN, roomOf, type SwapDue, swapDue, swapped, type Turn } from './admission.ts'
import { type Entry, read, wentAll, wrote } from './log.ts'
import { type GaveUp, givenUp, membersOf } from './reports.ts'
import { isSame, type Members } from './requests.ts'
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

export type EquiInput = Admission & {
  readonly mesh: Mesh
  /** Which partition is whose: in the order of arrival, or drawn anew at every change. */
  readonly deal: Deal
  /** Hears when nothing is under way; null: nobody does. */
  readonly operator: Address | null
  /** Who does not answer is told again, every so often, and in the end taken for dead; null: everybody is waited for. */
  readonly patience: Time | null
  /** What earlier lives wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

interface Context extends Omit<EquiInput, 'records'>, Turn {
  /** Who has been there longest comes first. */
  readonly running: Members
  readonly waiting: Members
  /** As they were dealt out last. */
  readonly partitions: readonly Owned[]
  readonly down: readonly Place[]
  /** They have lost a processor. */
  readonly failed: ReadonlySet<Address>
  /** Jobs have come or gone since the mesh was dealt out. */
  readonly isStale: boolean
  readonly change: number
  readonly round: Round
}

/** For whoever folds a run. */
export type AllocatorFact =
  | { readonly type: 'dealt'; readonly change: number; readonly area: Rectangle; readonly partitions: readonly Owned[] }
  /** What was dealt out last is where it belongs, and nothing is under way. */
  | { readonly type: 'rested' }
  | GaveUp

export type Owned = { readonly job: Address; readonly partition: Rectangle }

type Event = Mail<ToAllocator> | Impatient | SwapDue | { type: 'loaded' }

const { createMachine, rule, onEntry } = actor<{ input: EquiInput; context: Context; event: Event }>()

const without = (jobs: Members, ...gone: readonly Address[]): Members =>
  new Map([...jobs].filter(([job]) => !gone.includes(job)))

const areaIn = ({ mesh, down }: Pick<Context, 'mesh' | 'down'>): Rectangle | null => healthyOf(wholeOf(mesh), down)

function roomIn(context: Context): number {
  const area = areaIn(context)
  return area ? Math.min(roomOf(context), areaOf(area)) : 0
}

const hasRoom = (context: Context) => context.running.size + context.waiting.size < roomIn(context)

/** To who waits for nothing, or is not to be let in. */
const vacated = ({ change }: Context, job: Address, isFailed: boolean) =>
  [{ change: change + 1 }, tell(job, { type: 'vacate', change: change + 1, isFailed })] as const

/** Who is there as another than he was let in as has had another life since: that one does not answer any more. */
const onArrive = rule('arrive', (context, { from, job, attempt, minimum }) => {
  const { running, waiting, isStale } = context
  const known = running.get(from) ?? waiting.get(from)
  if (known && isSame(known, { job, attempt })) return [{}]
  const area = areaIn(context)
  if (!area || minimum > areaOf(area)) return vacated(context, from, true)
  return [
    {
      running: without(running, from),
      waiting: new Map(waiting).set(from, { job, attempt }),
      isStale: isStale || running.has(from) || hasRoom(context),
    },
  ]
})

/** Who is gone need not answer. */
const onDepart = rule('depart', (context, { from, job, attempt }) => {
  const { running, waiting, round, patience } = context
  const known = running.get(from) ?? waiting.get(from)
  if (known && !isSame(known, { job, attempt })) return [{}]
  const [changes, ...effects] = vacated(context, from, false)
  if (!known) return [changes, ...effects]
  const orders = new Map([...round.orders].filter(([one]) => one !== from))
  return [
    {
      ...changes,
      ...{ running: without(running, from), waiting: without(waiting, from), isStale: true },
      round: { ...round, orders, answers: new Map([...round.answers].filter(([one]) => one !== from)) },
    },
    ...wrote(patience !== null, { type: 'went', leader: from }),
    ...effects,
  ]
})

/** Whoever has a part of it has lost threads. */
const onDown = rule('processor-down', (context, { from, row, column }) => {
  const { down, patience, partitions, running, failed } = context
  const noted = tell(from, { type: 'noted', row, column })
  if (down.some((place) => place.row === row && place.column === column)) return [{}, noted]
  const place = { row, column }
  const losers = partitions.flatMap(({ job, partition }) =>
    running.has(job) && contains(partition, { ...place, rows: 1, columns: 1 }) ? [job] : [],
  )
  return [
    { down: [...down, place], failed: new Set([...failed, ...losers]), isStale: true },
    ...wrote(patience !== null, { type: 'down', ...place }),
    noted,
  ]
})

/** It was taken for dead, and lives: what it has is others'. */
const onStranger = (context: Context, { from, of }: Mail<Answer>) =>
  of === null || context.running.has(from) || context.waiting.has(from) ? ([{}] as const) : vacated(context, from, true)

const onSilent = rule('silent', ({ running, isStale }, { leader }) => [{ isStale: isStale || running.has(leader) }])

// --- all stand still, are put elsewhere, and go on ----------------------------------------------------------------------

const ordering = (
  context: Context,
  orderOf: (job: Address, change: number) => Order | null,
): readonly [Pick<Context, 'change' | 'round'>, ...Effect[]] => {
  const change = context.change + 1
  const orders = [...context.running.keys()].flatMap((job) => {
    const order = orderOf(job, change)
    return order ? [[job, order] as const] : []
  })
  const [round, ...tells] = said(opened(change, orders), context.patience)
  return [{ change, round }, ...tells]
}

const freeze = onEntry((context) => {
  const [changes, ...effects] = ordering(context, (job, change) =>
    context.failed.has(job) ? { type: 'vacate', change, isFailed: true } : { type: 'freeze', change },
  )
  return [changes, ...effects]
})

/** Who leads nothing any more, or another job, is gone; and so is who has not answered. */
function present({ running, round, patience, change }: Context): readonly [Members, readonly Effect[]] {
  const here = membersOf(running, round.answers)
  const gone = [...running.keys()].filter((job) => round.orders.has(job) && !here.has(job))
  return [without(running, ...gone), [...wentAll(patience !== null, gone), ...givenUp(silentIn(round), change + 1)]]
}

/** Who has lost a processor since all stood still is not among them. */
const deal = onEntry((context) => {
  const { change, deal, patience, failed } = context
  const area = areaIn(context)
  const [staying, went] = present(context)
  const lost = new Map([...staying].filter(([job]) => failed.has(job)))
  const all = [...without(staying, ...failed), ...context.waiting]
  const inside = new Map(all.slice(0, roomIn(context)))
  const outside = new Map(all.slice(roomIn(context)))
  const stopped = new Map([...outside].filter(([job]) => staying.has(job)))
  const order = dealt([...inside.keys()], deal, drawn('deal', change))
  const partitions = area ? cut(area, order) : []
  const put = new Map(partitions.map(({ job, partition }) => [job, partition]))
  const told = { ...context, running: new Map([...inside, ...stopped, ...lost]) }
  const [changes, ...effects] = ordering(told, (job, change) => {
    const [partition, attempt] = [put.get(job), inside.get(job)]
    if (partition && attempt) return { type: 'remap', change, partition, ...attempt }
    return lost.has(job) ? { type: 'vacate', change, isFailed: true } : { type: 'stop', change }
  })
  const refused = area ? [] : [...context.waiting.keys()]
  const came = [...inside].filter(([job]) => !staying.has(job))
  return [
    {
      ...changes,
      partitions,
      running: inside,
      waiting: area ? outside : new Map(),
      failed: new Set<Address>(),
      isStale: false,
    },
    ...went,
    ...refused.map((job) => tell(job, { type: 'vacate', change: changes.change, isFailed: true })),
    ...wrote(patience !== null, ...came.map(([leader, of]): Entry => ({ type: 'came', leader, ...of }))),
    observe({ type: 'dealt', change, area: area ?? wholeOf(context.mesh), partitions } satisfies AllocatorFact),
    ...effects,
  ]
})

function cut(area: Rectangle, jobs: readonly Address[]): readonly Owned[] {
  const rectangles = jobs.length > 0 ? equi(exponentsOf(area), jobs.length) : []
  return jobs.flatMap((job, place): Owned[] => {
    const partition = rectangles[place]
    if (!partition) return []
    return [{ job, partition: { ...partition, row: area.row + partition.row, column: area.column + partition.column } }]
  })
}

/** One number after the other. */
const drawn = (purpose: string, change: number) => {
  let draws = 0
  return () => draw(purpose, `${change} ${draws++}`)
}

const resume = onEntry((context) => {
  const [running, went] = present(context)
  const [changes, ...effects] = ordering({ ...context, running }, (_, change) => ({ type: 'resume', change }))
  return [{ ...changes, running, isStale: context.isStale || went.length > 0 }, ...went, ...effects]
})

const settle = onEntry((context) => {
  const [running, went] = present(context)
  return [{ running, isStale: context.isStale || running.size < context.running.size }, ...went]
})

/** The operator may go on. */
const rest = onEntry((context) => {
  const { isStale, operator, waiting } = context
  if (isStale) return [{}]
  const [changes, ...effects] = awaitSwap(context, waiting.size)
  return [
    changes,
    ...effects,
    observe({ type: 'rested' } satisfies AllocatorFact),
    ...(operator === null ? [] : [tell(operator, { type: 'rested' })]),
  ]
})

/** Who has been there longest makes room, and waits behind all others. */
const swap = onEntry((context) => {
  const [running, went] = present(context)
  const out = new Set(swapped([...running.keys()], [...context.waiting.keys()]).map(([goes]) => goes))
  const going = new Map([...running].filter(([job]) => out.has(job)))
  const [changes, ...effects] = ordering({ ...context, running: going }, (_, change) => ({ type: 'stop', change }))
  const waiting = new Map([...context.waiting, ...going])
  return [{ ...changes, running: without(running, ...out), waiting, isSwapDue: false }, ...went, ...effects]
})

const load = onEntry(({ swaps }) => [{}, timer('loaded', swaps?.takes ?? 0, { type: 'loaded' })])

const onAnswer = (context: Context, answer: Mail<Answer>) => [{ round: answered(context.round, answer) }] as const

const repeat = rule('impatient', ({ round, patience }) => {
  const [again, ...effects] = said(round, patience)
  return [{ round: again }, ...effects]
})

type Asked = { readonly context: Context }
const isStale = ({ context }: Asked) => context.isStale || context.isSwapDue
const isToSwap = (asked: Asked) => isComplete(asked) && asked.context.isSwapDue && asked.context.waiting.size > 0
const isToWait = ({ context, event }: Asked & { event: { from: Address } }) =>
  !hasRoom(context) && !context.running.has(event.from) && !context.waiting.has(event.from)
const isComplete = ({ context }: Asked) => isAnswered(context.round)
const isCurrent = ({ context, event }: Asked & { event: Mail<Answer> }) => isOfRound(context.round, event)
const isItsTurn = ({ context, event }: Asked & { event: Impatient }) => event.change === context.round.change
const isGivenUp = (asked: Asked & { event: Impatient }) => isItsTurn(asked) && isOver(asked.context.round)

/** Until all have answered, or enough has been said. */
const until = (target: string) => ({
  on: {
    frozen: { guard: isCurrent, actions: rule('frozen', onAnswer) },
    done: { guard: isCurrent, actions: rule('done', onAnswer) },
    'swapped-out': { guard: isCurrent, actions: rule('swapped-out', onAnswer) },
    impatient: [
      { guard: isGivenUp, target },
      { guard: isItsTurn, actions: repeat },
    ],
  },
  always: { guard: isComplete, target },
})

const frozen = until('moving')

export default createMachine({
  context: ({ input: { records = [], ...input } }) => {
    const { members, down, lives } = read(records)
    return {
      ...{ ...input, ...NO_TURN, down, change: firstChange(lives), round: NO_ROUND, isStale: lives > 0 },
      ...{ running: members, waiting: new Map(), partitions: [], failed: new Set() },
    }
  },
  entry: onEntry(({ patience }) => [{}, ...wrote(patience !== null, { type: 'lived' })]),
  initial: 'resting',
  on: {
    arrive: { actions: onArrive },
    depart: { actions: onDepart },
    silent: { actions: onSilent },
    'processor-down': { actions: onDown },
    'swap-due': { actions: rule('swap-due', swapDue) },
    frozen: { actions: rule('frozen', onStranger) },
    done: { actions: rule('done', onStranger) },
  },
  states: {
    resting: {
      entry: rest,
      always: { guard: isStale, target: 'freezing' },
      on: {
        arrive: [{ guard: isToWait, actions: [onArrive, rest] }, { actions: onArrive }],
        due: { actions: rest },
      },
    },
    freezing: { entry: freeze, ...frozen, always: [{ guard: isToSwap, target: 'swapping' }, frozen.always] },
    swapping: { entry: swap, ...until('loading') },
    loading: { entry: load, on: { loaded: 'moving' } },
    moving: { entry: deal, ...until('resuming') },
    resuming: { entry: resume, ...until('settling') },
    settling: { entry: settle, always: 'resting' },
  },
})
