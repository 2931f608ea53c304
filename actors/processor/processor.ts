/** The execution engine of a workstation: runs one task at a time, from start to end, at its own speed. */
import {
  type Address,
  actor,
  type Call,
  type Computed,
  cancel,
  compute,
  type Decision,
  type Effect,
  type Mail,
  now,
  observe,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import {
  type Attempt,
  duration,
  type FromProcessor,
  isSame,
  type ProcessorFact,
  type Return,
  type Run,
  type ToProcessor,
  type Work,
} from './messages.ts'

export type ProcessorInput = {
  /** Work done per unit of time; the slowest machine of the papers has speed 1. */
  readonly speed: number
}

type Execution = Attempt & { readonly employer: Address; readonly since: Time }

interface Context {
  readonly speed: number
  /** Set exactly while the state is `running`. */
  readonly execution: Execution | null
}

type Event = Mail<ToProcessor> | { type: 'completed' } | { type: 'loaded'; call: Call } | Computed

const { createMachine, rule } = actor<{ input: ProcessorInput; context: Context; event: Event }>()

const answer = (to: Address, message: FromProcessor) => tell(to, message)
const note = (fact: ProcessorFact) => observe(fact)

/** The timer or the computation that an execution is waiting for. */
const EXECUTION = 'completion'

const isCall = (work: Work) => typeof work !== 'number'

function execute({ work, setup }: Pick<Run, 'work' | 'setup'>, speed: number): Effect {
  if (!isCall(work)) return timer(EXECUTION, setup + duration(work, speed), { type: 'completed' }, 'completion')
  if (setup > 0) return timer(EXECUTION, setup, { type: 'loaded', call: work }, 'completion')
  return compute(EXECUTION, work)
}

const begin = rule('run', ({ speed }, { task, incarnation, work, setup, from }) => [
  { execution: { task, incarnation, employer: from, since: now() } },
  execute({ work, setup }, speed),
  note({ type: 'started', task, incarnation, work: isCall(work) ? null : work }),
])

function complete({ execution }: Context, returned: Return): Decision<Context> {
  if (!execution) return [{}]
  const { task, incarnation, employer, since } = execution
  return [
    { execution: null },
    answer(employer, { type: 'finished', task, incarnation, ...returned }),
    note({ type: 'finished', task, incarnation, busy: now() - since }),
  ]
}

const onCompleted = rule('completed', (context) => complete(context, {}))
const onComputed = rule('computed', (context, { outcome, took }) =>
  complete(context, { outcome, work: Math.round(took * context.speed) }),
)

const giveUp = ({ execution }: Context): Decision<Context> => {
  if (!execution) return [{}]
  const { task, incarnation, since } = execution
  return [{ execution: null }, cancel(EXECUTION), note({ type: 'aborted', task, incarnation, busy: now() - since })]
}

const report = rule('probe', ({ execution }, { task, incarnation, from }) => {
  const running = execution !== null && isSame(execution, { task, incarnation })
  return [{}, answer(from, { type: 'progress', task, incarnation, running })]
})

const isExecuting = ({ context: { execution }, event }: { context: Context; event: Event }) =>
  execution !== null && event.type === 'abort' && isSame(execution, event)

export default createMachine({
  context: ({ input }) => ({ speed: input.speed, execution: null }),
  initial: 'idle',
  on: {
    probe: { actions: report },
    // an abort can meet the end of what it was to stop
    abort: {},
  },
  states: {
    idle: {
      on: {
        run: { target: 'running', actions: begin },
        reset: {},
      },
    },
    running: {
      on: {
        completed: { target: 'idle', actions: onCompleted },
        loaded: { actions: rule('loaded', (_, { call }) => [{}, compute(EXECUTION, call)]) },
        computed: { target: 'idle', actions: onComputed },
        abort: { guard: isExecuting, target: 'idle', actions: rule('abort', giveUp) },
        reset: { target: 'idle', actions: rule('reset', giveUp) },
      },
    },
  },
})
