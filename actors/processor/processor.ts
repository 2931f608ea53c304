/**
 * The processor of a workstation. It shares its time among processes by stride scheduling; with a quantum that never
 * ends, which is the default, it runs one task at a time from start to end.
 */
import {
  cancel,
  compute,
  type Delivery,
  machineOf,
  now,
  type Ref,
  ref,
  self,
  type Time,
  tell,
  turn,
} from '../../lib/actor.ts'
import { revalue } from './competition.ts'
import { BASE, type View } from './currencies.ts'
import { CALL, dispatch } from './dispatcher.ts'
import type { Report } from './jobs.ts'
import { type Attempt, type FromProcessor, isCall, isSame, type Run } from './messages.ts'
import {
  createMachine,
  handlers,
  issuedOn,
  loadOf,
  type Node,
  type NodeTurn,
  newNode,
  observe,
  onEntry,
  processesOf,
  processOf,
  timer,
} from './node.ts'
import { absent, ofAmount, ofGrant, refusalOf } from './refusal.ts'
import { RUN_TO_COMPLETION } from './sharing.ts'
import { expire } from './sleep.ts'
import { admit, complete, expired, fund, grant, release, suspend, wake, withdraw } from './transitions.ts'

/**
 * A handler in a turn of the node. First the tickets expire that should have before the event, and at the end the first
 * process gets the processor. `isLast`: the event comes last in an instant, also after the expiry of tickets.
 */
const inTurn = <Args extends readonly unknown[]>(happens: (it: NodeTurn, ...args: Args) => void, isLast = false) =>
  turn((it: NodeTurn, ...args: Args) => {
    expire(it, isLast ? now() : now() - 1)
    happens(it, ...args)
    dispatch(it)
  })

/** The delivery of a message to which the processor may answer. */
type FromEmployer = Delivery<Ref<FromProcessor>>

/** A handler of an order about a job: refuses it if there is an objection, and carries it out otherwise. */
const order = <Order extends { readonly job: string }>(
  objection: (node: Node, order: Order) => string | null,
  carryOut: (it: NodeTurn, order: Order, delivery: FromEmployer) => void,
) =>
  inTurn((it, order: Order, delivery: FromEmployer) => {
    const reason = objection(it.context, order)
    if (reason === null) carryOut(it, order, delivery)
    else it.do(tell(delivery.from, { type: 'refused', job: order.job, reason }))
  })

const taskName = ({ task, attempt }: Attempt) => `task ${task}.${attempt}`

/**
 * Whether a task has already run to completion: an award can be repeated if a cancel came too late. Such a task is
 * not run again.
 */
const isDone = ({ context: { done }, event }: { context: Node; event: Run }) =>
  done !== null && isSame(done, event) && !isCall(event.work)

const onRun = inTurn((it, { task, attempt, work, setup }: Run, { from }: FromEmployer) => {
  it.do(observe({ type: 'started', task, attempt, work: isCall(work) ? null : work }))
  admit(it, {
    name: taskName({ task, attempt }),
    employer: from,
    task: { task, attempt },
    funding: { currency: BASE, amount: 1 },
    borrows: true,
    program: { kind: 'task', work, setup },
  })
})

const untilTick = (every: Time) => every - (now() % every)

/**
 * Takes in the table of the ticket server. Without a server only the jobs here count; the tickets that back a
 * currency stay as they were.
 */
const learn = (it: NodeTurn, remote: Pick<View, 'issued' | 'backing'> | null) => {
  const { context } = it
  const { funding, backing } = context.view
  const view: View = { funding, issued: remote?.issued ?? {}, backing: remote?.backing ?? backing }
  context.view = view
  revalue(it)
  const tickets = Object.fromEntries(processesOf(context).map((process) => [process.name, process.tickets]))
  it.do(observe({ type: 'ticked', informed: remote !== null, tickets, issued: view.issued, backing: view.backing }))
}

const isBusy = ({ context }: { context: Node }) => context.slice !== null
const isIdle = ({ context }: { context: Node }) => context.slice === null
/** Whether the running task is the only process, so that the processor is idle after it. */
const isLast = ({ context: { queue } }: { context: Node }) =>
  queue.ready === null && queue.running?.program.kind === 'task'
const isShared = ({ context }: { context: Node }) => Number.isFinite(context.sharing.quantum)

const onCompleted = inTurn((it) => {
  it.context.alarm = null
  complete(it)
})

// `always` alone would be enough, but it costs XState another step. For most runs and completions the next state is
// known beforehand.
export default createMachine({
  context: ({ input: { speed, sharing = RUN_TO_COMPLETION } }) => newNode(speed, sharing),
  // a zero-delay timer fires after all mail of its instant, so the first tick sees the orders of the start.
  entry: onEntry(({ sharing: { tick } }) =>
    tick ? [{}, timer('tick', untilTick(tick.every) % tick.every, { type: 'tick' })] : [{}],
  ),
  initial: 'idle',
  on: handlers({
    probe: (node, { task, attempt }, { from }) => {
      const running = processOf(node, taskName({ task, attempt })) !== undefined
      const done = node.done !== null && isSame(node.done, { task, attempt })
      return [{}, tell(from, { type: 'progress', task, attempt, running, done })]
    },
    // an abort may arrive after the end of its task.
    abort: inTurn((it, attempt) => withdraw(it, taskName(attempt))),
    reset: inTurn((it) => {
      for (const { name, task } of processesOf(it.context)) if (task) withdraw(it, name)
    }),
    submit: order(refusalOf, (it, { job, currency, amount, program, borrows = true }, { from }) =>
      admit(it, { name: job, employer: from, task: null, funding: { currency, amount }, borrows, program }),
    ),
    withdraw: inTurn((it, { job }) => withdraw(it, job)),
    suspend: order(absent, (it, { job }) => suspend(it, job, true)),
    resume: order(absent, (it, { job }) => suspend(it, job, false)),
    fund: order((node, fund) => absent(node, fund) ?? ofAmount(fund.amount), fund),
    grant: order((node, grant) => absent(node, grant) ?? ofGrant(grant), grant),
    recount: (node, { job }, { from }) => {
      const process = processOf(node, job)
      if (!process) return [{}, tell(from, { type: 'standing', job, here: false })]
      const { bursts: round, doing } = process
      return [{}, tell(from, { type: 'standing', job, here: true, round, waiting: doing.type === 'waiting' })]
    },
    release: inTurn(release),
    ask: (node, { query }, { from }) => {
      const jobs = processesOf(node).length
      return [{}, tell(from, { type: 'load', query, tickets: loadOf(node), jobs })]
    },
    // reports to the machine's ticket server, which answers at once if it is alive.
    tick: (node) => {
      const { tick } = node.sharing
      if (!tick) return [{}]
      return [
        {},
        tell(ref<Report>(`ticket-server@${machineOf(self())}`), { type: 'report', issued: issuedOn(node) }),
        timer('table', tick.patience, { type: 'unanswered' }),
        timer('tick', untilTick(tick.every), { type: 'tick' }),
      ]
    },
    table: inTurn((it, table) => {
      it.do(cancel('table'))
      learn(it, table)
    }),
    unanswered: inTurn((it) => learn(it, null)),
    woke: inTurn((it, { job }) => wake(it, job)),
    lapsed: inTurn(() => {}, true),
  }),
  states: {
    idle: {
      always: { guard: isBusy, target: 'busy' },
      on: handlers({
        run: [
          {
            guard: isDone,
            handle: (_, { task, attempt }, { from }) => [{}, tell(from, { type: 'finished', task, attempt })],
          },
          { target: 'busy', handle: onRun },
        ],
      }),
    },
    busy: {
      always: { guard: isIdle, target: 'idle' },
      on: handlers({
        run: { guard: isShared, handle: onRun },
        completed: [{ guard: isLast, target: 'idle', handle: onCompleted }, onCompleted],
        expired: inTurn(expired, true),
        loaded: (_, { call }) => [{}, compute(CALL, call)],
        computed: inTurn((it, { outcome, took }) =>
          complete(it, { outcome, work: Math.round(took * it.context.speed) }),
        ),
      }),
    },
  },
})
