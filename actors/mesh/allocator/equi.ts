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
import { isComplete, onAnswer, onImpatient, untilAnswered, untilPatienceEnds } from './round.ts'
import { awaitLoaded, swapDue, wrote } from './terms.ts'

const { createMachine, rule, onEntry } = actor<{ input: EquiInput; context: EquiBook; event: EquiEvent }>()

type Asked = { readonly context: EquiBook }
const isStale = ({ context }: Asked) => context.isStale || context.isSwapDue
const isToSwap = (asked: Asked) => isComplete(asked) && asked.context.isSwapDue && asked.context.waiting.size > 0
const isToWait = ({ context }: Asked) =>
  !hasRoom(context) && !context.running.has(sender()) && !context.waiting.has(sender())

const collect = {
  frozen: rule('frozen', onAnswer),
  done: rule('done', onAnswer),
  'swapped-out': rule('swapped-out', onAnswer),
}
const repeat = rule('impatient', onImpatient)
function until(target: string) {
  const { on, always } = untilAnswered(collect, target)
  return { on: { ...on, impatient: untilPatienceEnds(repeat, target) }, always }
}

const arrive = rule('arrive', onArrive)
const atRest = onEntry(rest)
const frozen = until('moving')

export default createMachine({
  context: ({ input }) => opened(input),
  entry: onEntry((book) => [{}, ...wrote(book, { type: 'lived' })]),
  initial: 'resting',
  on: {
    arrive: { actions: arrive },
    depart: { actions: rule('depart', onDepart) },
    silent: { actions: rule('silent', onSilent) },
    'processor-down': { actions: rule('processor-down', onDown) },
    'swap-due': { actions: rule('swap-due', swapDue) },
    frozen: { actions: rule('frozen', onStranger) },
    done: { actions: rule('done', onStranger) },
  },
  states: {
    resting: {
      entry: atRest,
      always: { guard: isStale, target: 'freezing' },
      on: { arrive: [{ guard: isToWait, actions: [arrive, atRest] }, { actions: arrive }], due: { actions: atRest } },
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
