/** A client has tasks to be done, each from its own instant on; it asks its broker to find a site, and pays what is due. */
import { type Address, actor, type Effect, type Mail, now, observe, tell, timer } from '../../lib/actor.ts'
import type { Settled, ToClient } from './messages.ts'
import type { Task } from './values.ts'

export type ClientInput = {
  /** In the order of their arrival. */
  readonly tasks: readonly Task[]
  readonly broker: Address
}

interface Context extends ClientInput {
  /** How many have arrived. */
  readonly arrived: number
  /** Settled, or without a site. */
  readonly over: readonly number[]
  /** Dollars, penalties taken off. */
  readonly spent: number
}

/** For whoever folds a run. */
export type ClientFact =
  | { readonly type: 'requested'; readonly task: number; readonly of: Task }
  | { readonly type: 'unplaced'; readonly task: number }
  | { readonly type: 'placed'; readonly task: number; readonly site: Address }
  | { readonly type: 'paid'; readonly task: number; readonly finish: number; readonly paid: number }

type Event = Mail<ToClient> | { type: 'arrive' }

const { createMachine, rule, onEntry } = actor<{ input: ClientInput; context: Context; event: Event }>()

const awaitArrival = ({ tasks, arrived }: Pick<Context, 'tasks' | 'arrived'>): Effect[] => {
  const next = tasks[arrived]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

const onArrive = rule('arrive', ({ tasks, broker, ...context }) => {
  let { arrived } = context
  const effects: Effect[] = []
  for (let next = tasks[arrived]; next && next.arrival <= now(); next = tasks[++arrived]) {
    effects.push(tell(broker, { type: 'request', of: next }), observe({ type: 'requested', task: next.task, of: next }))
  }
  return [{ arrived }, ...effects, ...awaitArrival({ tasks, arrived })]
})

const onSettled = rule('settled', ({ over, spent }, { task, finish, paid }: Mail<Settled>) =>
  over.includes(task)
    ? [{}]
    : [{ over: [...over, task], spent: spent + paid }, observe({ type: 'paid', task, finish, paid })],
)

export default createMachine({
  context: ({ input }) => ({ ...input, arrived: 0, over: [], spent: 0 }),
  entry: onEntry((context) => [{}, ...awaitArrival(context)]),
  on: {
    arrive: { actions: onArrive },
    contract: {
      actions: rule('contract', (_, { task, site }) => [{}, observe({ type: 'placed', task, site })]),
    },
    'no-site': {
      actions: rule('no-site', ({ over }, { task }) => [
        { over: [...over, task] },
        observe({ type: 'unplaced', task }),
      ]),
    },
    settled: { actions: onSettled },
  },
})
