/**
 * The allocator of BUDDY and EQUI-EPOCH (section 7): keeps a table of who has which processors when, the same in every period.
 * At each boundary those whose time is over make room, and then those whose time it is begin.
 */
import { actor, type Decision, type Mail } from '../../../lib/actor.ts'
import type { Arrive, Depart } from '../messages.ts'
import { sizeOf } from '../timetable.ts'
import { onAnswer, vacating, without } from './round.ts'
import { opened, type TableBook, type TableEvent, type TableInput } from './table/book.ts'
import { awaitFirst, awaitNext, place, resume, stop, tabulate } from './table/turns.ts'
import { untilAnswered } from './until.ts'

const { createMachine, rule, onEntry } = actor<{ input: TableInput; context: TableBook; event: TableEvent }>()

function onArrive(book: TableBook, { from: leader, job, attempt, minimum }: Mail<Arrive>): Decision<TableBook> {
  if (minimum > sizeOf(book)) return vacating(book, leader, true)
  return [{ jobs: [...book.jobs, { leader, of: { job, attempt }, minimum }] }]
}

/** Who is gone need not answer, and leaves its time to nobody. */
function onDepart(book: TableBook, { from }: Mail<Depart>): Decision<TableBook> {
  const [changes, ...effects] = vacating(book, from, false)
  const left = {
    jobs: book.jobs.filter(({ leader }) => leader !== from),
    running: new Map([...book.running].filter(([job]) => job !== from)),
    round: without(book.round, from),
  }
  return [{ ...changes, ...left }, ...effects]
}

type Asked = { readonly context: TableBook }
const hasJobs = ({ context }: Asked) => context.jobs.length > 0
const hasSlots = ({ context }: Asked) => context.slots.length > 0

const collect = {
  frozen: rule('frozen', onAnswer),
  done: rule('done', onAnswer),
  'swapped-out': rule('swapped-out', onAnswer),
}
const until = (target: string) => untilAnswered(collect, target)

export default createMachine({
  context: ({ input }) => opened(input),
  initial: 'empty',
  on: { arrive: { actions: rule('arrive', onArrive) }, depart: { actions: rule('depart', onDepart) } },
  states: {
    empty: { always: { guard: hasJobs, target: 'opening' } },
    opening: { entry: onEntry(awaitFirst), on: { boundary: 'tabulating' } },
    tabulating: { entry: onEntry(tabulate), always: [{ guard: hasSlots, target: 'stopping' }, { target: 'empty' }] },
    stopping: { entry: onEntry(stop), ...until('placing') },
    placing: { entry: onEntry(place), ...until('resuming') },
    resuming: { entry: onEntry(resume), ...until('waiting') },
    waiting: { entry: onEntry(awaitNext), on: { boundary: 'tabulating' } },
  },
})
