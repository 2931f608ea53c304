/**
 * The scheduler of a parallel machine (section 2.5). Whatever happens at one instant calls for one pass, after all mail of
 * the instant: it asks the bank what the waiting jobs can spend, chooses, has the bank charge those that are to start, and
 * starts them. What happens in between waits for the next pass.
 */
import { type Address, actor, cancel, type Joined, type Mail, machineOf, type Time, timer } from '../../lib/actor.ts'
import { admit } from './admission.ts'
import type { Entry } from './book.ts'
import { begin, charged, quoted } from './choosing.ts'
import { type Desk, deskOf, type SchedulerTerms, Turn } from './desk.ts'
import { ask, back, finished, heard, inspect, progress, watch } from './inspection.ts'
import type { Carried, ToScheduler } from './messages.ts'
import { answered, overdue } from './overrun.ts'

export type SchedulerInput = SchedulerTerms & {
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

type Event =
  | Mail<ToScheduler>
  | Joined
  | { type: 'pass' }
  | { type: 'unanswered' }
  | { type: 'inspect' }
  | { type: 'overdue'; job: number }

const { createMachine, rule, onEntry } = actor<{ input: SchedulerInput; context: Desk; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

const turn = <T extends Type>(type: T, happens: (turn: Turn, event: Of<T>) => void) =>
  rule(type, (desk, event) => {
    const it = new Turn(desk)
    happens(it, event)
    watch(it)
    return it.decision
  })

/** Of whom this is a message, if of a processor. */
const fromProcessor = (it: Turn, from: Address, happens: (place: number) => void) => {
  const place = it.places.get(from)
  if (place === undefined) return
  heard(it, place)
  happens(place)
}

/** What a later incarnation finds in the book goes on from where it is. */
const start = onEntry((desk) => {
  const it = new Turn(desk)
  if (it.book.instructions > 0 || it.book.ready.length > 0 || it.book.running.size > 0) {
    it.call()
    repeat(it)
    ask(it)
    watch(it)
    for (const job of it.book.running.keys()) overdue(it, job)
  }
  return it.decision
})

/** The bank is asked and told again what it has not answered. */
function repeat(it: Turn, pause: Time | null = it.terms.patience): void {
  it.pause = pause ?? 0
  if (it.asked) it.toBank(it.asked.quote)
  for (const instruction of it.book.unanswered) it.sendInstruction(instruction)
}

function carried(it: Turn, answer: Carried): void {
  const instruction = it.book.unanswered.find(({ n }) => n === answer.n)
  if (!instruction) return
  it.pause = it.terms.patience ?? 0
  const { charging } = it.book
  it.enter({ type: 'carried', n: answer.n })
  if (it.book.unanswered.length === 0 && it.asked === null) it.do(cancel('bank'))
  const { act } = instruction
  if (act.type === 'charge' && charging) charged(it, charging.starts, answer)
  if (act.type === 'extend') answered(it, act.job, answer.amounts[0] ?? null)
}

const isDue = ({ context }: { context: Desk }) =>
  context.isDue && context.asked === null && context.book.charging === null

const isAsking = ({ context }: { context: Desk }) => context.asked !== null
const isCharging = ({ context }: { context: Desk }) => context.book.charging !== null
const isAnswered = ({ context }: { context: Desk }) => context.asked === null
const isPaid = ({ context }: { context: Desk }) => context.book.charging === null

export default createMachine({
  context: ({ input: { records = [], ...terms } }) => deskOf(terms, records),
  entry: start,
  initial: 'resting',
  on: {
    submit: { actions: turn('submit', (it, { from, type: _, ...request }) => admit(it, machineOf(from), request)) },
    funded: { actions: turn('funded', (it) => it.call()) },
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
