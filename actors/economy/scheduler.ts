/**
 * The scheduler of a parallel machine (section 2.5). The events of one instant request one pass, which comes after all mail
 * of the instant. In a pass the scheduler asks the bank what the waiting jobs can spend, chooses, has the bank charge the
 * chosen jobs, and starts them. Events during a pass wait for the next one.
 */
import { type Address, actor, type Delivery, type Joined, machineOf, timer, turn } from '../../lib/actor.ts'
import { fromProcessor } from '../processor/employer.ts'
import { begin, charged, quoted } from './choosing.ts'
import { ask, back, finished, found, inspect, progress, watch } from './inspection.ts'
import { admit, extensionAnswered, overdue } from './jobs.ts'
import type { Carried, Submit, ToScheduler } from './messages.ts'
import type { Entry } from './scheduler-book.ts'
import {
  bankAnswered,
  enter,
  initialState,
  repeat,
  requestPass,
  type SchedulerState,
  type SchedulerTerms,
  type SchedulerTurn,
} from './scheduler-state.ts'

export type SchedulerInput = SchedulerTerms & {
  /** What earlier incarnations persisted; absent in the first. */
  readonly records?: readonly Entry[]
}

type Event =
  | ToScheduler
  | Joined
  | { type: 'pass' }
  | { type: 'unanswered' }
  | { type: 'inspect' }
  | { type: 'overdue'; job: number }

const { createMachine, handlers, onEntry } = actor<{ input: SchedulerInput; context: SchedulerState; event: Event }>()

/** A handler of an event, after which the next inspection is set. */
const on = <E>(happens: (it: SchedulerTurn, event: E, from: Address) => void) =>
  turn((it: SchedulerTurn, event: E, { from }: Delivery) => {
    happens(it, event, from)
    watch(it)
  })

/** Handles news of a processor, which show that the processor is alive. */
const heard = (it: SchedulerTurn, from: Address, happens: (place: number) => void): void =>
  fromProcessor(it, from, (place) => found(it, place), happens)

/** A handler of a message of a processor. */
const onProcessor = <E>(happens: (it: SchedulerTurn, place: number, event: E) => void) =>
  on((it, event: E, from) => heard(it, from, (place) => happens(it, place, event)))

/** Continues in a later incarnation: repeats what is unanswered, probes the running jobs and requests a pass. */
const start = turn((it: SchedulerTurn) => {
  const { instructions, ready, running } = it.context.book
  if (instructions === 0 && ready.length === 0 && running.size === 0) return
  requestPass(it)
  repeat(it)
  ask(it)
  watch(it)
  for (const job of running.keys()) overdue(it, job)
})

function onSubmit(it: SchedulerTurn, { type: _, ...request }: Submit, from: Address): void {
  admit(it, machineOf(from), request)
}

function onJoined(it: SchedulerTurn, { address }: Joined): void {
  if (address === it.context.terms.bank) repeat(it)
  else heard(it, address, (place) => back(it, place))
}

function onCarried(it: SchedulerTurn, answer: Carried): void {
  const { unanswered, charging } = it.context.book
  const instruction = unanswered.find(({ n }) => n === answer.n)
  if (!instruction) return
  enter(it, { type: 'carried', n: answer.n })
  bankAnswered(it)
  const { act } = instruction
  if (act.type === 'charge' && charging) charged(it, charging.starts, answer)
  if (act.type === 'extend') extensionAnswered(it, act.job, answer.amounts[0] ?? null)
}

type Met = { readonly context: SchedulerState }

const isAsking = ({ context }: Met) => context.asked !== null
const isCharging = ({ context }: Met) => context.book.charging !== null
const isDue = (met: Met) => met.context.isDue && !isAsking(met) && !isCharging(met)

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => initialState(terms, records),
  entry: onEntry(start),
  initial: 'resting',
  on: handlers({
    submit: on(onSubmit),
    funded: on(requestPass),
    finished: onProcessor(finished),
    progress: onProcessor(progress),
    joined: on(onJoined),
    carried: on(onCarried),
    unanswered: on((it) => repeat(it, it.context.pause)),
    inspect: on(inspect),
    overdue: on((it, { job }) => overdue(it, job)),
  }),
  states: {
    resting: { always: { guard: isDue, target: 'due' } },
    due: {
      entry: onEntry(() => [{}, timer('pass', 0, { type: 'pass' })]),
      on: handlers({ pass: { target: 'passing', handle: on(begin) } }),
    },
    passing: {
      always: [
        { guard: isAsking, target: 'quoting' },
        { guard: isCharging, target: 'charging' },
        { target: 'resting' },
      ],
    },
    quoting: {
      always: { guard: (met) => !isAsking(met), target: 'passing' },
      on: handlers({ quoted: on(quoted) }),
    },
    charging: { always: { guard: (met) => !isCharging(met), target: 'resting' } },
  },
})
