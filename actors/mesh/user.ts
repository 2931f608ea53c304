/** Whoever has jobs to be done, each from its own instant on: hands them to idle leaders, first come first served. */
import { type Address, actor, type Effect, type Mail, now, type Time, tell, timer } from '../../lib/actor.ts'
import type { Begin, ToUser } from './messages.ts'

export type MeshJob = Omit<Begin, 'type'> & { readonly arrival: Time }

export type UserInput = {
  /** In the order of their arrival. */
  readonly jobs: readonly MeshJob[]
  readonly leaders: readonly Address[]
}

interface Context extends UserInput {
  /** How many have been handed over. */
  readonly begun: number
  readonly idle: readonly Address[]
}

type Event = Mail<ToUser> | { type: 'arrive' }

const { createMachine, rule, onEntry } = actor<{ input: UserInput; context: Context; event: Event }>()

const awaitArrival = ({ jobs, begun }: Pick<Context, 'jobs' | 'begun'>): Effect[] => {
  const next = jobs[begun]
  return next ? [timer('arrival', Math.max(0, next.arrival - now()), { type: 'arrive' }, 'arrival')] : []
}

/** All that have arrived, as long as anybody is idle. */
const handOver = ({ jobs, begun: before, idle }: Pick<Context, 'jobs' | 'begun' | 'idle'>) => {
  let begun = before
  const effects: Effect[] = []
  for (const leader of idle) {
    const next = jobs[begun]
    if (!next || next.arrival > now()) break
    const { arrival: _, ...job } = next
    effects.push(tell(leader, { type: 'begin', ...job }))
    begun++
  }
  return [{ begun, idle: idle.slice(begun - before) }, ...effects] as const
}

export default createMachine({
  context: ({ input }) => ({ ...input, begun: 0, idle: input.leaders }),
  entry: onEntry((context) => [{}, ...awaitArrival(context)]),
  on: {
    arrive: {
      actions: rule('arrive', (context) => {
        const [changes, ...begins] = handOver(context)
        return [changes, ...begins, ...(changes.idle.length > 0 ? awaitArrival({ ...context, ...changes }) : [])]
      }),
    },
    over: {
      actions: rule('over', (context, { from }) => {
        const [changes, ...begins] = handOver({ ...context, idle: [...context.idle, from] })
        return [changes, ...begins, ...awaitArrival({ ...context, ...changes })]
      }),
    },
  },
})
