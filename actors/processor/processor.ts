/**
 * The processor of a workstation. It shares its time among processes by stride scheduling; with a quantum that never
 * ends, which is the default, it runs one task at a time from start to end.
 */
import {
  type Address,
  actor,
  type Call,
  type Computed,
  cancel,
  compute,
  type Decision,
  type Mail,
  machineOf,
  now,
  self,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import { BASE, type View } from './currencies.ts'
import { type Attempt, type FromProcessor, isCall, isSame, type ToProcessor } from './messages.ts'
import { ofAmount, ofGrant, refusalOf } from './refusal.ts'
import { RUN_TO_COMPLETION, type Sharing } from './sharing.ts'
import { expire } from './sleep.ts'
import { EMPTY } from './stride.ts'
import { admit, complete, exit, expired, fund, grant, release, suspend, wake } from './transitions.ts'
import { CALL, type Node, Turn } from './turn.ts'

export type ProcessorInput = {
  /** The work done per unit of time; the slowest machine of the papers has speed 1. */
  readonly speed: number
  /** How processes share the processor; by default each runs to completion. */
  readonly sharing?: Sharing
}

type Event =
  | Mail<ToProcessor>
  | { type: 'completed' }
  | { type: 'expired' }
  | { type: 'lapsed' }
  | { type: 'woke'; job: string }
  | { type: 'loaded'; call: Call }
  | { type: 'tick' }
  | { type: 'unanswered' }
  | Computed

const { createMachine, rule, onEntry } = actor<{ input: ProcessorInput; context: Node; event: Event }>()
type Type = Event['type']
type Of<T extends Type> = Extract<Event, { type: T }>

/** The events that come last in an instant, after completions, wake-ups, mail and the expiry of tickets. */
const LAST: ReadonlySet<Type> = new Set(['lapsed', 'expired'])

/**
 * A rule that handles an event in a turn of the node, after the tickets that should have expired before it have done
 * so.
 */
const turn = <T extends Type>(type: T, happens: (turn: Turn, event: Of<T>) => void) =>
  rule(type, (node, event): Decision<Node> => {
    const it = new Turn(node, now())
    expire(it, LAST.has(type) ? it.now : it.now - 1)
    happens(it, event)
    return it.decide()
  })

/** Refuses an order if there is a reason, and carries it out otherwise. */
const unless = (
  it: Turn,
  { job, from }: Mail<{ type: string; job: string }>,
  reason: string | null,
  act: () => void,
) => (reason === null ? act() : it.tell(from, { type: 'refused', job, reason }))

const absent = (it: Turn, job: string): string | null => (it.find(job) ? null : `there is no job ${job} here`)

const taskName = ({ task, attempt }: Attempt) => `task ${task}.${attempt}`

const answer = (to: Address, message: FromProcessor) => tell(to, message)

/**
 * Whether a task has already run to completion: an award can be repeated if a cancel came too late. Such a task is
 * not run again.
 */
const isDone = ({ context: { done }, event }: { context: Node; event: Event }) =>
  event.type === 'run' && done !== null && isSame(done, event) && !isCall(event.work)

const onRunAgain = rule('run', (_, { task, attempt, from }) => [{}, answer(from, { type: 'finished', task, attempt })])

const onRun = turn('run', (it, { task, attempt, work, setup, from }) => {
  it.note({ type: 'started', task, attempt, work: isCall(work) ? null : work })
  admit(it, {
    name: taskName({ task, attempt }),
    employer: from,
    task: { task, attempt },
    funding: { currency: BASE, amount: 1 },
    borrows: true,
    program: { kind: 'task', work, setup },
  })
})

const onAbort = turn('abort', (it, attempt) => {
  const process = it.find(taskName(attempt))
  if (process) exit(it, process, 'withdrawn')
})

const onReset = turn('reset', (it) => {
  for (const { name, task } of it.processes) {
    const process = task && it.find(name)
    if (process) exit(it, process, 'withdrawn')
  }
})

const onProbe = rule('probe', (node, { task, attempt, from }) => {
  const running = new Turn(node, now()).find(taskName({ task, attempt })) !== undefined
  const done = node.done !== null && isSame(node.done, { task, attempt })
  return [{}, answer(from, { type: 'progress', task, attempt, running, done })]
})

const onSubmit = turn('submit', (it, submit) => {
  const { job, currency, amount, program, borrows = true, from } = submit
  unless(it, submit, refusalOf(it, submit), () =>
    admit(it, { name: job, employer: from, task: null, funding: { currency, amount }, borrows, program }),
  )
})

const onWithdraw = turn('withdraw', (it, { job }) => {
  const process = it.find(job)
  if (process) exit(it, process, 'withdrawn')
})

const onRecount = rule('recount', (node, { job, from }) => {
  const process = new Turn(node, now()).find(job)
  const standing = process
    ? ({ here: true, round: process.bursts, waiting: process.doing.type === 'waiting' } as const)
    : ({ here: false } as const)
  return [{}, answer(from, { type: 'standing', job, ...standing })]
})

const onAsk = rule('ask', (node, { query, from }) => {
  const { load, processes } = new Turn(node, now())
  return [{}, answer(from, { type: 'load', query, tickets: load, jobs: processes.length })]
})

const untilTick = (every: Time) => every - (now() % every)

/** Reports to the machine's ticket server, which answers at once if it is alive. */
const onTick = rule('tick', (node) => {
  const { tick } = node.sharing
  if (!tick) return [{}]
  const { issued } = new Turn(node, now())
  return [
    {},
    answer(`ticket-server@${machineOf(self())}`, { type: 'report', issued }),
    timer('table', tick.patience, { type: 'unanswered' }),
    timer('tick', untilTick(tick.every), { type: 'tick' }),
  ]
})

/**
 * Takes in the table of the ticket server. Without a server only the jobs here count; the tickets that back a
 * currency stay as they were.
 */
const learn = (it: Turn, remote: Pick<View, 'issued' | 'backing'> | null) => {
  const { funding, backing } = it.view
  it.view = { funding, issued: remote?.issued ?? {}, backing: remote?.backing ?? backing }
  it.revalue()
  const tickets = Object.fromEntries(it.processes.map((process) => [process.name, process.tickets]))
  it.note({ type: 'ticked', informed: remote !== null, tickets })
}

/**
 * Starts the ticks. A zero-delay timer fires after all mail of its instant, so the first tick sees the orders of the
 * start.
 */
const start = onEntry(({ sharing: { tick } }) =>
  tick ? [{}, timer('tick', untilTick(tick.every) % tick.every, { type: 'tick' })] : [{}],
)

const onFund = turn('fund', (it, { job, amount, ...ask }) =>
  unless(it, { job, ...ask }, absent(it, job) ?? ofAmount(amount), () => fund(it, job, amount)),
)

const onGrant = turn('grant', (it, ask) =>
  unless(it, ask, absent(it, ask.job) ?? ofGrant(ask), () => grant(it, ask.job, ask.extra, ask.lasts)),
)

const onSuspend = (type: 'suspend' | 'resume') =>
  turn(type, (it, ask) => unless(it, ask, absent(it, ask.job), () => suspend(it, ask.job, type === 'suspend')))

const onTable = turn('table', (it, table) => {
  it.do(cancel('table'))
  learn(it, table)
})

const onComputed = turn('computed', (it, { outcome, took }) =>
  complete(it, { outcome, work: Math.round(took * it.speed) }),
)

const isBusy = ({ context }: { context: Node }) => context.slice !== null
const isIdle = ({ context }: { context: Node }) => context.slice === null
/** Whether the running task is the only process, so that the processor is idle after it. */
const isLast = ({ context: { queue } }: { context: Node }) =>
  queue.ready === null && queue.running?.program.kind === 'task'
const isShared = ({ context }: { context: Node }) => Number.isFinite(context.sharing.quantum)

const onCompleted = turn('completed', (it) => complete(it))

// `always` alone would be enough, but it costs XState another step. For most runs and completions the next state is
// known beforehand.
export default createMachine({
  context: ({ input: { speed, sharing = RUN_TO_COMPLETION } }) => ({
    speed,
    sharing,
    queue: EMPTY,
    slice: null,
    last: null,
    done: null,
    away: new Map(),
    resident: 0,
    created: 0,
    expiresAt: null,
    view: { funding: sharing.funding, issued: {}, backing: [] },
  }),
  entry: start,
  initial: 'idle',
  on: {
    probe: { actions: onProbe },
    // an abort may arrive after the end of its task.
    abort: { actions: onAbort },
    reset: { actions: onReset },
    submit: { actions: onSubmit },
    withdraw: { actions: onWithdraw },
    suspend: { actions: onSuspend('suspend') },
    resume: { actions: onSuspend('resume') },
    fund: { actions: onFund },
    grant: { actions: onGrant },
    recount: { actions: onRecount },
    release: { actions: turn('release', (it, { job, round }) => release(it, job, round)) },
    ask: { actions: onAsk },
    tick: { actions: onTick },
    table: { actions: onTable },
    unanswered: { actions: turn('unanswered', (it) => learn(it, null)) },
    woke: { actions: turn('woke', (it, { job }) => wake(it, job)) },
    lapsed: { actions: turn('lapsed', () => {}) },
  },
  states: {
    idle: {
      always: { guard: isBusy, target: 'busy' },
      on: {
        run: [
          { guard: isDone, actions: onRunAgain },
          { target: 'busy', actions: onRun },
        ],
      },
    },
    busy: {
      always: { guard: isIdle, target: 'idle' },
      on: {
        run: { guard: isShared, actions: onRun },
        completed: [{ guard: isLast, target: 'idle', actions: onCompleted }, { actions: onCompleted }],
        expired: { actions: turn('expired', expired) },
        loaded: { actions: rule('loaded', (_, { call }) => [{}, compute(CALL, call)]) },
        computed: { actions: onComputed },
      },
    },
  },
})
