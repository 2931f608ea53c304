/**
 * The chart of one placement: a job from its request on. A process is confirmed when its processor says so, right after it
 * was submitted. A processor that does not answer is passed over: the process goes to another one, and is withdrawn
 * from the first in case it arrives there after all. A process that was confirmed before is never placed a second time,
 * because it may have run; it is reported as missing until its processor answers.
 */
import {
  actor,
  cancel,
  childChart,
  type Delivery,
  type Ref,
  sender,
  type Time,
  type Turn,
  tell,
  turn,
} from '../../../lib/actor.ts'
import type { Exited, Refused, Standing, ToScheduler } from '../../processor/jobs.ts'
import { changed, type Entry, lacks, type Placement, type Request, requested, runningOn } from './book.ts'
import type { FromPlacer, Place } from './messages.ts'

export type PlacementInput = {
  readonly request: Request
  /** How long a processor has to confirm a process. */
  readonly timeout: Time
  /** What earlier incarnations recorded about the job after its request. */
  readonly entries: readonly Entry[]
}

export type PlacementEvent =
  /** Some processors are asked for their load. */
  | { readonly type: 'inquire' }
  /** These processors get the processes that lack a machine. */
  | { readonly type: 'assign'; readonly chosen: readonly Ref<ToScheduler>[] }
  | { readonly type: 'refuse'; readonly reason: string }
  /** The job was requested again. */
  | { readonly type: 'repeat' }
  /** The time to confirm processes is over. */
  | { readonly type: 'unconfirmed'; readonly job: string }
  /** A processor that was silent answers. */
  | { readonly type: 'back' }
  | Standing
  | Refused
  | Exited

const { createMachine, handlers, onEntry, persist, timer } = actor<{
  input: PlacementInput
  context: Placement
  event: PlacementEvent
  reply: FromPlacer | ToScheduler
  record: Entry
}>()

type PlacementTurn = Turn<Placement>
type FromProcessor = Delivery<Ref<ToScheduler>>

const order = (it: PlacementTurn, processors: readonly Ref<ToScheduler>[], message: ToScheduler): void =>
  it.do(...processors.map((processor) => tell(processor, message)))

const withdraw = (it: PlacementTurn, processors: readonly Ref<ToScheduler>[]): void =>
  order(it, processors, { type: 'withdraw', job: it.context.request.job })

function write(it: PlacementTurn, entry: Entry): void {
  Object.assign(it.context, changed(it.context, entry))
  it.do(persist(entry))
}

const confirmation = (job: string) => `confirmation ${job}`

/** Asks processors whether their processes exist. */
function recount(it: PlacementTurn, processors: readonly Ref<ToScheduler>[], wasThere: boolean): void {
  if (processors.length === 0) return
  const { request, doubts, timeout } = it.context
  const { job } = request
  order(it, processors, { type: 'recount', job })
  it.context.doubts = [...doubts, ...processors.map((processor) => ({ processor, wasThere, refusal: null }))]
  it.do(timer(confirmation(job), timeout, { type: 'unconfirmed', job }))
}

/** Submits the processes that lack machines to the chosen processors. */
const assign = turn((it: PlacementTurn, { chosen }: Extract<PlacementEvent, { type: 'assign' }>) => {
  const { request, processors } = it.context
  const { job, currency, amount, borrows = true, program } = request
  const left = [...chosen]
  const members = processors.flatMap((processor) => processor ?? left.shift() ?? [])
  write(it, { type: 'assigned', job, processors: members })
  if (program.kind === 'parallel') it.do(tell(program.barrier, { type: 'enlist', members }))
  for (const processor of chosen) {
    const own = ownProgram(program, members.indexOf(processor))
    order(it, [processor], { type: 'submit', job, currency, amount, borrows, program: own })
  }
  recount(it, chosen, false)
})

function ownProgram(program: Place['program'], rank: number) {
  if (program.kind !== 'parallel') return program
  const { size: _, ...rest } = program
  return { ...rest, rank }
}

/** Handles a processor's answer whether a process exists. */
const standing = turn((it: PlacementTurn, { here }: Standing, { from }: FromProcessor) => {
  const doubt = settle(it, from)
  if (it.context.missed.includes(from)) return answeredLate(it, from, here)
  if (!doubt) return
  if (!here && doubt.refusal !== null) return refuse(it, doubt.refusal)
  if (!here) miss(it, from, 'ended')
  confirm(it)
})

/** Notes a refusal. A duplicate of the submit may be what was refused, so only the answer to the recount decides. */
const refused = turn(({ context }: PlacementTurn, { reason }: Refused, { from }: FromProcessor) => {
  context.doubts = context.doubts.map((one) => (one.processor === from ? { ...one, refusal: reason } : one))
})

const exited = turn((it: PlacementTurn, exit: Exited, { from }: FromProcessor) => {
  if (![...runningOn(it.context), ...it.context.missed].includes(from)) return
  settle(it, from)
  write(it, { type: 'ended', job: exit.job, processor: from, exit })
  it.do(tell(it.context.request.from, { ...exit, processor: from }))
})

/** Ends the time for confirming processes; unconfirmed ones go elsewhere or count as missing. */
const unconfirmed = turn((it: PlacementTurn) => {
  const { request, doubts } = it.context
  const { job, on } = request
  forget(it)
  for (const { processor, wasThere } of doubts) {
    if (it.context.refusal !== null) break
    if (wasThere) miss(it, processor, 'missed')
    else if (on) refuse(it, `${processor} does not answer`)
    else {
      write(it, { type: 'passed', job, processor })
      withdraw(it, [processor])
    }
  }
  confirm(it)
})

/** Checks a machine that was silent: it may have lost its process, or have received one that went elsewhere. */
const back = turn((it: PlacementTurn, _: PlacementEvent, { from }: FromProcessor) => {
  const { passed, missed, doubts } = it.context
  if (passed.includes(from)) withdraw(it, [from])
  const isDoubted = doubts.some(({ processor }) => processor === from)
  if (!isDoubted && [...runningOn(it.context), ...missed].includes(from)) recount(it, [from], true)
})

/** Refuses the job, and withdraws those of its processes that run. */
function refuse(it: PlacementTurn, reason: string): void {
  const { job } = it.context.request
  withdraw(it, runningOn(it.context))
  forget(it)
  write(it, { type: 'refused', job, reason })
  it.do(tell(it.context.request.from, { type: 'refused', job, reason }))
}

/** Tells the user that the job is placed, unless a processor must still be found or must still answer. */
function confirm(it: PlacementTurn): void {
  if (isPlaced(it)) sayPlaced(it)
}

function sayPlaced(it: PlacementTurn): void {
  const { request, processors } = it.context
  it.do(
    tell(it.context.request.from, {
      type: 'placed',
      job: request.job,
      processors: processors.flatMap((processor) => processor ?? []),
    }),
  )
}

/** Tells the user again all that she was told of the job. */
function sayAgain(it: PlacementTurn): void {
  const { request, ended, missed } = it.context
  const { job, from } = request
  sayPlaced(it)
  for (const { processor, exit } of ended) {
    it.do(tell(from, exit ? { ...exit, processor } : { type: 'missing', job, processor }))
  }
  for (const processor of missed) it.do(tell(from, { type: 'missing', job, processor }))
}

/** Tells the user that a process is missing: its processor lost it, or does not answer. */
function miss(it: PlacementTurn, processor: Ref<ToScheduler>, type: 'ended' | 'missed'): void {
  const { job } = it.context.request
  if (!runningOn(it.context).includes(processor)) return
  write(it, { type, job, processor })
  it.do(tell(it.context.request.from, { type: 'missing', job, processor }))
}

/**
 * A processor answers at last about a process that was reported missing. If the job was refused meanwhile, the
 * process is withdrawn.
 */
function answeredLate(it: PlacementTurn, processor: Ref<ToScheduler>, here: boolean): void {
  const { request, refusal } = it.context
  const { job } = request
  write(it, { type: here && refusal === null ? 'found' : 'ended', job, processor })
  if (!here) return
  if (refusal === null) it.do(tell(it.context.request.from, { type: 'found', job, processor }))
  else withdraw(it, [processor])
}

/** Removes the doubt about one process, and returns it. */
function settle(it: PlacementTurn, processor: Ref<ToScheduler>) {
  const { doubts } = it.context
  const left = doubts.filter((one) => one.processor !== processor)
  if (left.length === 0) forget(it)
  it.context.doubts = left
  return doubts.find((one) => one.processor === processor)
}

/** Forgets all doubts. */
function forget({ context, do: carryOut }: PlacementTurn): void {
  if (context.doubts.length > 0) carryOut(cancel(confirmation(context.request.job)))
  context.doubts = []
}

type Met = { readonly context: Placement }
const isRefused = ({ context }: Met) => context.refusal !== null
const isLacking = ({ context }: Met) => lacks(context) > 0
const isDoubted = ({ context }: Met) => context.doubts.length > 0
const isSettled = (met: Met) => !isRefused(met) && !isLacking(met) && !isDoubted(met)
const isPlaced = (met: Met) => isSettled(met) && runningOn(met.context).length > 0
const isMissing = (met: Met) => isSettled(met) && !isPlaced(met) && met.context.missed.length > 0
const isOver = (met: Met) => isSettled(met) && !isPlaced(met) && !isMissing(met)

const TO = {
  refused: { guard: isRefused, target: 'refused' },
  queued: { guard: isLacking, target: 'queued' },
  doubted: { guard: isDoubted, target: 'doubted' },
  placed: { guard: isPlaced, target: 'placed' },
  missing: { guard: isMissing, target: 'missing' },
  ended: { guard: isOver, target: 'ended' },
} as const

const found = handlers({
  assign: { target: 'submitted', handle: assign },
  refuse: { target: 'refused', handle: turn((it, { reason }) => refuse(it, reason)) },
  inquire: 'inquiring',
})

/** The user who repeats a request gets the same answer, if there is one. */
const repeat = (answer: (it: PlacementTurn) => void) =>
  handlers({ repeat: { guard: ({ context }) => sender() === context.request.from, handle: turn(answer) } })

export const placementChart = childChart(
  createMachine({
    id: 'placement',
    context: ({ input: { request, timeout, entries } }) => entries.reduce(changed, requested(request, timeout)),
    // a new incarnation asks whether all processes that were placed exist.
    entry: onEntry(turn((it: PlacementTurn) => recount(it, runningOn(it.context), true))),
    initial: 'starting',
    on: handlers({
      standing,
      refused,
      exited,
      unconfirmed,
      back,
      repeat: {
        guard: ({ context }) => sender() !== context.request.from,
        handle: ({ request: { job, from } }, _, { from: to }) => [
          {},
          tell(to, { type: 'refused', job, reason: `${from} has a job ${job}` }),
        ],
      },
    }),
    states: {
      starting: { always: [TO.refused, TO.queued, TO.doubted, TO.missing, TO.ended] },
      /** Processes lack machines. */
      queued: { always: [TO.refused], on: found },
      inquiring: { always: [TO.refused], on: found },
      /** Processes are not confirmed. */
      submitted: { always: [TO.refused, TO.queued, TO.placed, TO.missing, TO.ended] },
      placed: { always: [TO.refused, TO.doubted, TO.missing, TO.ended], on: repeat(sayAgain) },
      /** Processors do not say whether they still have the processes that were confirmed. */
      doubted: { always: [TO.refused, TO.queued, TO.placed, TO.missing, TO.ended] },
      /** No process is heard of. */
      missing: { always: [TO.refused, TO.doubted, TO.placed, TO.ended], on: repeat(sayAgain) },
      ended: { on: repeat(sayAgain) },
      refused: {
        on: repeat((it) => {
          const { request, refusal } = it.context
          it.do(tell(it.context.request.from, { type: 'refused', job: request.job, reason: refusal ?? '' }))
        }),
      },
    },
  }),
)
