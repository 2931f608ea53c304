/**
 * The allocator of EQUI and EQUI+ (section 4). Whenever jobs arrive or depart it stops all jobs, divides the whole mesh
 * among them again, waits until every thread is where it belongs, and lets all jobs continue. A job that arrives during
 * a change takes part in the next one. While jobs wait, running jobs are swapped for them at intervals, in the same way.
 * A job that does not answer is taken for dead, and the mesh is divided without it. After a restart the allocator
 * knows the jobs from its log and divides the mesh again.
 */
import { actor, sender } from '../../../lib/actor.ts'
import {
  type EquiBook,
  type EquiEvent,
  type EquiInput,
  hasRoom,
  onArrive,
  onDepart,
  onDown,
  onSilent,
  onStranger,
  opened,
} from './equi/book.ts'
import { deal, freeze, rest, resume, settle, swap } from './equi/changes.ts'
import { COLLECT, isAnswered, untilPatienceEnds } from './round.ts'
import { awaitLoaded, live, swapDue } from './terms.ts'

const { createMachine, handlers, onEntry } = actor<{ input: EquiInput; context: EquiBook; event: EquiEvent }>()

type Asked = { readonly context: EquiBook }
const isStale = ({ context }: Asked) => context.isStale || context.isSwapDue
const isToSwap = (asked: Asked) => isAnswered(asked) && asked.context.isSwapDue && asked.context.waiting.size > 0
const isToWait = ({ context }: Asked) =>
  !hasRoom(context) && !context.running.has(sender()) && !context.waiting.has(sender())

const until = (target: string) => ({
  on: handlers({ ...COLLECT, impatient: untilPatienceEnds(target) }),
  always: { guard: isAnswered, target },
})
const frozen = until('moving')

export default createMachine({
  context: ({ input }) => opened(input),
  entry: onEntry(live),
  initial: 'resting',
  on: handlers({
    arrive: onArrive,
    depart: onDepart,
    silent: onSilent,
    'processor-down': onDown,
    'swap-due': swapDue,
    frozen: onStranger,
    done: onStranger,
  }),
  states: {
    resting: {
      entry: onEntry(rest),
      always: { guard: isStale, target: 'freezing' },
      on: handlers({ arrive: [{ guard: isToWait, handle: [onArrive, rest] }, onArrive], due: rest }),
    },
    freezing: {
      entry: onEntry(freeze),
      ...frozen,
      always: [{ guard: isToSwap, target: 'swapping' }, frozen.always],
    },
    swapping: { entry: onEntry(swap), ...until('loading') },
    loading: { entry: onEntry(awaitLoaded), on: { loaded: 'moving' } },
    moving: { entry: onEntry(deal), ...until('resuming') },
    resuming: { entry: onEntry(resume), ...until('settling') },
    settling: { entry: onEntry(settle), always: 'resting' },
  },
})
