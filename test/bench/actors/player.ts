/** Sends a ball back until the other side need not. */
import { actor, tell } from '../../../lib/actor.ts'

export type Ball = { readonly type: 'ball'; readonly left: number }

type Event = { type: 'serve'; to: string; left: number } | Ball

const { createMachine, handlers } = actor<{ input: null; context: { hits: number }; event: Event }>()

export default createMachine({
  id: 'player',
  context: { hits: 0 },
  on: handlers({
    serve: (_, { to, left }) => [{}, tell(to, { type: 'ball', left })],
    ball: ({ hits }, { left }, { from }) =>
      left > 0 ? [{ hits: hits + 1 }, tell(from, { type: 'ball', left: left - 1 })] : [{ hits: hits + 1 }],
  }),
})
