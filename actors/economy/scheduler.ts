/**
 * The scheduler of a parallel machine (section 2.5). The events of one instant request one pass, which comes after all mail
 * of the instant. In a pass the scheduler asks the bank what the waiting jobs can spend, chooses, has the bank charge the
 * chosen jobs, and starts them. Events during a pass wait for the next one.
 */
import { type Address, actor, type Joined, type Mail, machineOf, type Time, timer } from '../../lib/actor.ts'
import { begin, charged, quoted } from './choosing.ts'
import { ask, back, finished, heard, inspect, progress, watch } from './inspection.ts'
import { admit, extensionAnswered, overdue } from './jobs.ts'
import type { Carried, ToScheduler } from './messages.ts'
import type { Entry } from './scheduler-book.ts'
import { initialState, type SchedulerState, type SchedulerTerms, Turn } from './scheduler-state.ts'

export type SchedulerInput = SchedulerTerms & {
  /** What earlier incarnations persisted; absent in the first. */
  readonly records?: readonly Entry[]
}

type Event =
  | Mail<ToScheduler>
  | Joined
  | { type: 'pass' }
  | { type: 'unanswered' }
  | { type: 'inspect' }
  | { type: 'overdue'; job: number }

const { createMachine, rule, onEntry } = actor<{ input: SchedulerInput; context: SchedulerState; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

const turn = <T extends Type>(type: T, happens: (turn: Turn, event: Of<T>) => void) =>
  rule(type, (state, event) => {
    const it = new Turn(state)
    happens(it, event)
    watch(it)
    return it.decision
  })

/** Handles a message of a processor, which shows that the processor is alive. */
const fromProcessor = (it: Turn, from: Address, happens: (place: number) => void) => {
  const place = it.places.get(from)
  if (place === undefined) return
  heard(it, place)
  happens(place)
}

/** Continues in a later incarnation: repeats what is unanswered, probes the running jobs and requests a pass. */
const start = onEntry((state) => {
  const it = new Turn(state)
  if (it.book.instructions > 0 || it.book.ready.length > 0 || it.book.running.size > 0) {
    it.requestPass()
    repeat(it)
    ask(it)
    watch(it)
    for (const job of it.book.running.keys()) overdue(it, job)
  }
  return it.decision
})

/** Repeats to the bank what it has not answered. */
function repeat(it: Turn, pause: Time | null = it.terms.patience): void {
  it.pause = pause ?? 0
  if (it.asked) it.toBank(it.asked.quote)
  for (const instruction of it.book.unanswered) it.sendInstruction(instruction)
}

function carried(it: Turn, answer: Carried): void {
  const instruction = it.book.unanswered.find(({ n }) => n === answer.n)
  if (!instruction) return
  const { charging } = it.book
  it.enter({ type: 'carried', n: answer.n })
  it.bankAnswered()
  const { act } = instruction
  if (act.type === 'charge' && charging) charged(it, charging.starts, answer)
  if (act.type === 'extend') extensionAnswered(it, act.job, answer.amounts[0] ?? null)
}

const isDue = ({ context }: { context: SchedulerState }) =>
  context.isDue && context.asked === null && context.book.charging === null

const isAsking = ({ context }: { context: SchedulerState }) => context.asked !== null
const isCharging = ({ context }: { context: SchedulerState }) => context.book.charging !== null
const isAnswered = ({ context }: { context: SchedulerState }) => context.asked === null
const isPaid = ({ context }: { context: SchedulerState }) => context.book.charging === null

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => initialState(terms, records),
  entry: start,
  initial: 'resting',
  on: {
    submit: { actions: turn('submit', (it, { from, type: _, ...request }) => admit(it, machineOf(from), request)) },
    funded: { actions: turn('funded', (it) => it.requestPass()) },
    finished: {
      actions: turn('finished', (it, { from, ...attempt }) =>
        fromProcessor(it, from, (place) => finished(it, place, attempt)),
      ),
    },
    progress: {
      actions: turn('progress', (it, { from, ...answer }) =>
        fromProcessor(it, from, (place) => progress(it, place, answer)),
      ),
    },
    joined: {
      actions: turn('joined', (it, { address }) => {
        if (address === it.terms.bank) repeat(it)
        else fromProcessor(it, address, (place) => back(it, place))
      }),
    },
    carried: { actions: turn('carried', carried) },
    unanswered: { actions: turn('unanswered', (it) => repeat(it, 2 * it.pause)) },
    inspect: { actions: turn('inspect', inspect) },
    overdue: { actions: turn('overdue', (it, { job }) => overdue(it, job)) },
  },
  states: {
    resting: { always: { guard: isDue, target: 'due' } },
    due: {
      entry: onEntry(() => [{}, timer('pass', 0, { type: 'pass' })]),
      on: {
        pass: [{ target: 'passing', actions: turn('pass', begin) }],
      },
    },
    passing: {
      always: [
        { guard: isAsking, target: 'quoting' },
        { guard: isCharging, target: 'charging' },
        { target: 'resting' },
      ],
    },
    quoting: {
      always: { guard: isAnswered, target: 'passing' },
      on: { quoted: { actions: turn('quoted', quoted) } },
    },
    charging: { always: { guard: isPaid, target: 'resting' } },
  },
})
