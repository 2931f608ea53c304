/**
 * The allocator of EQUI and EQUI+ (section 4). Whenever jobs arrive or depart it stops all jobs, divides the whole mesh
 * among them again, waits until every thread is where it belongs, and lets all jobs continue. A job that arrives during
 * a change takes part in the next one. While jobs wait, running jobs are swapped for them at intervals, in the same way.
 * A job that does not answer is taken for dead, and the mesh is divided without it. After a restart the allocator
 * knows the jobs from its log, learns their partitions from their answers, and divides the mesh again.
 */
import { type Address, actor, draw, sender, type Turn, tell, turn } from '../../../lib/actor.ts'
import { dealt, equi } from '../equi.ts'
import { exponentsOf } from '../fold/cells.ts'
import { wholeOf } from '../mesh.ts'
import type { Noted, ToJob } from '../messages.ts'
import type { Rectangle } from '../rectangle.ts'
import {
  type EquiBook,
  type EquiEvent,
  type EquiFact,
  type EquiInput,
  hasRoom,
  losersIn,
  type Owned,
  onArrive,
  onDepart,
  onDown,
  onSilent,
  onStranger,
  opened,
  roomIn,
} from './equi/book.ts'
import { COLLECT, giveOrders, giveUp, isAnswered, membersOf, untilPatienceEnds } from './round.ts'
import {
  allCame,
  allWent,
  areaIn,
  awaitLoaded,
  awaitSwap,
  live,
  swapDue,
  swapped,
  swappedFact,
  without,
  withWaiting,
} from './terms.ts'

const { createMachine, handlers, observe, onEntry } = actor<{
  input: EquiInput
  context: EquiBook
  event: EquiEvent
  reply: ToJob | Noted
  fact: EquiFact
}>()

type It = Turn<EquiBook>

// --- the steps of a change: all jobs stop, move and continue ----------------------------------------------------------

const freeze = turn((it: It) => {
  const { running } = it.context
  const losers = losersIn(it.context)
  giveOrders(it, running, (_, change, job) =>
    losers.has(job) ? { type: 'vacate', change, isFailed: true } : { type: 'freeze', change },
  )
})

/**
 * Keeps the members that answered for the job they were admitted with. All others are gone, and so are jobs that were told to
 * stop, and wait, but did not answer. Returns whether some are.
 */
function dropAbsent(it: It): boolean {
  const { running, waiting, round } = it.context
  const here = membersOf(running, round.answers)
  const gone = [...running.keys()].filter((job) => round.orders.has(job) && !here.has(job))
  it.context.running = without(running, ...gone)
  it.context.waiting = without(waiting, ...round.missing)
  allWent(it, [...gone, ...round.missing.filter((job) => waiting.has(job))])
  giveUp(it, round.missing)
  return gone.length > 0 || round.missing.length > 0
}

/** Notes where jobs are, which a new incarnation learns from their answers. */
function noteReports({ context }: It): void {
  const reported = [...context.round.answers].flatMap(([job, { type, holds }]) =>
    type === 'frozen' ? holds.cells.map((partition): Owned => ({ job, partition })) : [],
  )
  if (reported.length > 0) context.partitions = reported
}

/** Divides the mesh among running and waiting jobs, except for those that have lost a processor. */
const deal = turn((it: It) => {
  noteReports(it)
  dropAbsent(it)
  const { change, deal, mesh, running: staying, waiting } = it.context
  const losers = losersIn(it.context)
  const area = areaIn(it.context)
  const room = roomIn(it.context)
  const lost = new Map([...staying].filter(([job]) => losers.has(job)))
  const all = [...without(staying, ...losers), ...waiting]
  const inside = new Map(all.slice(0, room))
  const outside = new Map(all.slice(room))
  const stopped = new Map([...outside].filter(([job]) => staying.has(job)))
  const partitions = area ? cut(area, dealt([...inside.keys()], deal, drawn('deal', change))) : []
  const put = new Map(partitions.map(({ job, partition }) => [job, partition]))
  const refused = area ? [] : [...waiting.keys()]
  it.do(...refused.map((job) => tell(job, { type: 'vacate', change: change + 1, isFailed: true })))
  allCame(
    it,
    [...inside].filter(([job]) => !staying.has(job)),
  )
  it.do(observe({ type: 'dealt', change, area: area ?? wholeOf(mesh), partitions }))
  Object.assign(it.context, {
    partitions,
    running: inside,
    waiting: area ? outside : new Map(),
    isStale: false,
  } satisfies Partial<EquiBook>)
  giveOrders(it, [...inside, ...stopped, ...lost], ({ job, attempt }, change, leader) => {
    const partition = put.get(leader)
    if (partition) return { type: 'remap', change, partition, job, attempt }
    return lost.has(leader) ? { type: 'vacate', change, isFailed: true } : { type: 'stop', change }
  })
})

function cut(area: Rectangle, jobs: readonly Address[]): readonly Owned[] {
  const rectangles = jobs.length > 0 ? equi(exponentsOf(area), jobs.length) : []
  return jobs.flatMap((job, place): Owned[] => {
    const partition = rectangles[place]
    if (!partition) return []
    return [{ job, partition: { ...partition, row: area.row + partition.row, column: area.column + partition.column } }]
  })
}

/** A source of random numbers in [0, 1) for one change. */
const drawn = (purpose: string, change: number) => {
  let draws = 0
  return () => draw(purpose, `${change} ${draws++}`)
}

const resume = turn((it: It) => {
  if (dropAbsent(it)) it.context.isStale = true
  giveOrders(it, it.context.running, (_, change) => ({ type: 'resume', change }))
})

const settle = turn((it: It) => {
  if (dropAbsent(it)) it.context.isStale = true
})

/** Swaps jobs: those that have run longest make room, and wait behind all others. */
const swap = turn((it: It) => {
  noteReports(it)
  dropAbsent(it)
  const { running, waiting } = it.context
  // a job that has lost a processor fails instead
  const staying = without(running, ...losersIn(it.context))
  const by = new Map(swapped([...staying.keys()], [...waiting.keys()]))
  const out = new Set(by.keys())
  const going = new Map([...running].filter(([job]) => out.has(job)))
  it.context.running = without(running, ...out)
  it.context.waiting = new Map([...waiting, ...going])
  it.context.isSwapDue = false
  if (by.size > 0) it.do(observe(swappedFact(by)))
  giveOrders(it, going, (_, change) => ({ type: 'stop', change }))
})

/** Reports rest, so that the operator may continue. */
const rest = turn((it: It) => {
  const { isStale, operator, waiting } = it.context
  if (isStale) return
  awaitSwap(it, waiting.size)
  it.do(observe(withWaiting({ type: 'rested' }, waiting)))
  if (operator !== null) it.do(tell(operator, { type: 'rested' }))
})

// --- machine ----------------------------------------------------------------------------------------------------------

type Asked = { readonly context: EquiBook }
const isStale = ({ context }: Asked) => context.isStale || context.isSwapDue
const isToSwap = (asked: Asked) => isAnswered(asked) && asked.context.isSwapDue && asked.context.waiting.size > 0
const isToWait = ({ context }: Asked) =>
  !hasRoom(context) && !context.running.has(sender()) && !context.waiting.has(sender())

const until = (target: string) => ({
  on: handlers({ ...COLLECT, impatient: untilPatienceEnds(target) }),
  always: { guard: isAnswered, target },
})
const frozen = until('moving')

export default createMachine({
  context: ({ input }) => opened(input),
  entry: onEntry(live),
  initial: 'resting',
  on: handlers({
    arrive: onArrive,
    depart: onDepart,
    silent: onSilent,
    'processor-down': onDown,
    'swap-due': swapDue,
    frozen: onStranger,
    done: onStranger,
  }),
  states: {
    resting: {
      entry: onEntry(rest),
      always: { guard: isStale, target: 'freezing' },
      on: handlers({ arrive: [{ guard: isToWait, handle: [onArrive, rest] }, onArrive], due: rest }),
    },
    freezing: {
      entry: onEntry(freeze),
      ...frozen,
      always: [{ guard: isToSwap, target: 'swapping' }, frozen.always],
    },
    swapping: { entry: onEntry(swap), ...until('loading') },
    loading: { entry: onEntry(awaitLoaded), on: { loaded: 'moving' } },
    moving: { entry: onEntry(deal), ...until('resuming') },
    resuming: { entry: onEntry(resume), ...until('settling') },
    settling: { entry: onEntry(settle), always: 'resting' },
  },
})
