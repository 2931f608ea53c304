/** States of an allocator's machine in which it waits until all have answered. */
import type { Mail } from '../../../lib/actor.ts'
import type { Answer } from '../messages.ts'
import { type Impatient, isAnswered, isOfRound, isOver, type Ordering } from './round.ts'

type Asked = { readonly context: Ordering }

export const isComplete = ({ context }: Asked): boolean => isAnswered(context.round)
const isCurrent = ({ context, event }: Asked & { readonly event: Mail<Answer> }) => isOfRound(context.round, event)
const isItsTurn = ({ context, event }: Asked & { readonly event: Impatient }) => event.change === context.round.change
const isGivenUp = (asked: Asked & { readonly event: Impatient }) => isItsTurn(asked) && isOver(asked.context.round)

/** They go to `target`. `collect`: what notes each answer. */
export const untilAnswered = <Action>(collect: { readonly [A in Answer['type']]: Action }, target: string) => ({
  on: {
    frozen: { guard: isCurrent, actions: collect.frozen },
    done: { guard: isCurrent, actions: collect.done },
    'swapped-out': { guard: isCurrent, actions: collect['swapped-out'] },
  },
  always: { guard: isComplete, target },
})

/** Who is silent is told again and again, and in the end they go on without him, to `target`. */
export const untilPatienceEnds = <Action>(repeat: Action, target: string) => [
  { guard: isGivenUp, target },
  { guard: isItsTurn, actions: repeat },
]
