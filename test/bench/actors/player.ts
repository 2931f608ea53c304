/** Sends a ball back until the other side need not. */
import { actor, type Mail, tell } from '../../../lib/actor.ts'

export type Ball = { readonly type: 'ball'; readonly left: number }

type Event = Mail<{ type: 'serve'; to: string; left: number }> | Mail<Ball>

const { createMachine, rule } = actor<{ input: null; context: { hits: number }; event: Event }>()

export default createMachine({
  id: 'player',
  context: { hits: 0 },
  on: {
    serve: { actions: rule('serve', (_, { to, left }) => [{}, tell(to, { type: 'ball', left })]) },
    ball: {
      actions: rule('ball', ({ hits }, { from, left }) =>
        left > 0 ? [{ hits: hits + 1 }, tell(from, { type: 'ball', left: left - 1 })] : [{ hits: hits + 1 }],
      ),
    },
  },
})
