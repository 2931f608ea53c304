/**
 * The allocator of FOLD (section 5): admits and releases jobs, one at a time, and starts the exchanges in the ring. The
 * jobs themselves decide on the exchanges of a tick, and report the result. Only then does the next step begin.
 * If a report differs from the plan, if a job does not answer, or if the allocator was restarted, it asks all jobs
 * which cells they have and plans from their answers.
 */
import { sender } from '../../../lib/actor.ts'
import {
  createMachine,
  type FoldBook,
  handlers,
  hasRoom,
  isQueued,
  nextOf,
  onArrive,
  onDepart,
  onDown,
  onDue,
  onEntry,
  onSilent,
  onStranger,
  opened,
} from './fold/book.ts'
import {
  areAllOut,
  ask,
  conclude,
  freeze,
  isToSwap,
  onSize,
  order,
  plan,
  recover,
  release,
  rest,
  swapOut,
} from './fold/steps.ts'
import { COLLECT, isAnswered, untilPatienceEnds } from './round.ts'
import { awaitLoaded, live, swapDue } from './terms.ts'

type Asked = { readonly context: FoldBook }
const isBorn = ({ context }: Asked) => context.change === 0
const isInDoubt = ({ context }: Asked) => context.isInDoubt
/** Whether all jobs have answered, and some of them may not stay. */
const isDoubtful = (asked: Asked) => isAnswered(asked) && isInDoubt(asked)
const isCrowded = ({ context }: Asked) => isToSwap(context)
const isAsked = ({ context }: Asked) => nextOf(context) !== undefined
const areOut = ({ context }: Asked) => areAllOut(context)
const isDone = ({ context }: Asked) => context.steps.length === 0
const isToWait = ({ context }: Asked) =>
  !hasRoom(context) && !isQueued(context, sender()) && !context.members.has(sender())
const isLate = ({ context }: Asked) => isQueued(context, sender())

const until = (target: string, orElse: string) => ({
  on: handlers({ ...COLLECT, size: onSize, impatient: untilPatienceEnds(orElse) }),
  always: { guard: isAnswered, target },
})

const frozen = until('swapping', 'querying')
const queried = until('querying', 'querying')

export default createMachine({
  context: ({ input }) => opened(input),
  entry: onEntry(live),
  initial: 'waking',
  on: handlers({
    arrive: onArrive,
    depart: onDepart,
    due: onDue,
    silent: onSilent,
    'processor-down': onDown,
    'swap-due': swapDue,
    done: onStranger,
    taken: {}, // the job beside it has the cell now, which its reports say as well
  }),
  states: {
    waking: { always: [{ guard: isBorn, target: 'resting' }, { target: 'querying' }] },
    resting: {
      entry: onEntry(rest),
      always: [
        { guard: isInDoubt, target: 'querying' },
        { guard: isCrowded, target: 'freezing' },
        { guard: isAsked, target: 'planning' },
      ],
      on: handlers({
        arrive: [{ guard: isToWait, handle: [onArrive, rest] }, onArrive],
        depart: [{ guard: isLate, handle: [onDepart, rest] }, onDepart],
      }),
    },
    freezing: {
      entry: onEntry(freeze),
      ...frozen,
      always: [{ guard: isDoubtful, target: 'querying' }, frozen.always],
    },
    swapping: {
      entry: onEntry(swapOut),
      exit: onEntry(release),
      ...queried,
      always: [{ guard: areOut, target: 'loading' }, queried.always],
    },
    loading: { entry: onEntry(awaitLoaded), on: { loaded: 'ordering' } },
    planning: { entry: onEntry(plan), always: [{ guard: isDone, target: 'resting' }, { target: 'ordering' }] },
    ordering: { entry: onEntry(order), ...until('concluding', 'querying') },
    concluding: {
      entry: onEntry(conclude),
      always: [{ guard: isInDoubt, target: 'querying' }, { guard: isDone, target: 'resting' }, { target: 'ordering' }],
    },
    querying: { entry: onEntry(ask), ...until('recovering', 'recovering') },
    recovering: { entry: onEntry(recover), always: [{ guard: isDone, target: 'resting' }, { target: 'ordering' }] },
  },
})
